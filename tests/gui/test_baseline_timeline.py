"""The timeline panel with a baseline: two timelines on one axis, their differences marked."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.compare.matching import Pair as HandPair
from app.document.document import Document
from app.panels.timeline.baseline_half import BaselineHalf
from app.panels.timeline.baseline_links import BaselineLinks
from app.panels.timeline.panel import TimelinePanel
from app.profile.arrays import Array
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.colours import packed
from app.views.look import DARK, LIGHT, Theme
from app.views.timeline import view as views
from app.views.timeline.body import draw_body
from app.views.timeline.compared_words import lane_texts
from app.views.timeline.state import Shown
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.words import about_band
from fakes.statistics import refilled, statistics_of
from generators.timeline_pairs import dropped, inserted, lanes, profile, slower


class Pair:
    """A panel that shows ``after`` with the baseline ``before``."""

    def __init__(self, qtbot: QtBot, before: Profile, after: Profile) -> None:
        self.document = Document()
        self.context = Context(self.document, Display())
        self.panel = TimelinePanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 700)
        self.panel.show()
        self.qtbot = qtbot
        self.before = self.document.add(before, 1)
        self.after = self.document.add(after, 2)
        for entry in (self.before, self.after):
            self.document.finish(entry)
        self.settle()

    def settle(self) -> None:
        QApplication.processEvents()
        self.panel._refresh.now()
        comparing = self.panel.comparing
        self.qtbot.waitUntil(lambda: not (comparing.matching.busy or comparing.matching.measuring))
        canvases = [self.panel.canvas, *([] if comparing.half is None else [comparing.half.canvas])]
        self.qtbot.waitUntil(lambda: not any(canvas.preparation.active for canvas in canvases))
        QApplication.processEvents()

    def compare(self) -> None:
        self.document.baselines.set(self.after, self.before)
        self.settle()

    @property
    def half(self) -> BaselineHalf:
        assert self.panel.comparing.half is not None
        return self.panel.comparing.half

    @property
    def links(self) -> BaselineLinks:
        assert self.panel.comparing.links is not None
        return self.panel.comparing.links

    @property
    def above(self) -> Shown:
        assert self.panel.canvas.shown is not None
        return self.panel.canvas.shown

    @property
    def below(self) -> Shown:
        assert self.panel.comparing.below is not None
        return self.panel.comparing.below

    def selected(self) -> tuple[list[int], list[int]]:
        """The slices that are marked below and above."""
        return self.half.canvas.selected.tolist(), self.panel.canvas.selected.tolist()

    def searched(self) -> bool:
        """Whether slices below are brought forward."""
        return self.below.contents.hits is not None

    def together(self) -> bool:
        """Whether both show the same stretch of time."""
        time_map, below, above = self.panel.comparing.time_map, self.below.view, self.above.view
        assert time_map is not None
        ends = time_map.to_after(below.start), time_map.to_after(below.end)
        return ends == pytest.approx((above.start, above.end)) and self.below.place.gutter == self.above.place.gutter


@pytest.fixture
def slow(qtbot: QtBot) -> Pair:
    pair = Pair(qtbot, profile(lanes(), "before"), profile(slower(1, 4), "after"))
    pair.compare()
    return pair


def middle(canvas: TimelineCanvas, index: int) -> QPoint:
    assert canvas.shown is not None
    box = canvas.shown.scene().slice_box(index)
    assert box is not None
    return QPoint(round(box.x + box.width / 2), round(box.y + box.height / 2))


def stripes(shown: Shown) -> Array:
    """The pixels that mark slices which only one side has."""
    edge = LIGHT.less if shown.counterpart is not None and shown.counterpart.baseline else LIGHT.more
    return np.argwhere(draw_body(shown.scene(), 1.0).image == packed(edge))


def test_gestures_on_either_move_both(slow: Pair) -> None:
    assert slow.half.isVisible()
    assert "before" in slow.half.bar.name.text()
    assert slow.together()
    for canvas in (slow.panel.canvas, slow.half.canvas):
        before = slow.above.view
        canvas.zoom(3.0)
        assert slow.above.view.span < before.span
        assert slow.together()
        zoomed = slow.above.view
        canvas.pan(0.2)
        assert slow.above.view.start > zoomed.start
        assert slow.together()
        canvas.back()
        canvas.back()
        assert views.alike(slow.above.view, before)
        assert slow.together()
        canvas.zoom(2.0)
        canvas.fit()
        assert slow.above.navigation.shows_everything
        assert slow.together()
    slow.below.lanes.set_gutter(200)
    assert slow.above.place.gutter == 200


def test_a_slower_slice_is_marked_where_it_is_and_nowhere_else(slow: Pair) -> None:
    look = slow.above.look
    assert slow.above.counterpart is not None
    texts = [lane_texts(slow.above.counterpart, lane, look) for lane in range(3)]
    assert [text[0] for text in texts] == ["same", "+800 ns  +0.8 %", "same"]
    tip = slow.panel.canvas.tip_at(middle(slow.panel.canvas, 16))
    assert "before 8.00 µs, after 8.80 µs, difference +800 ns (+10.0 %)" in tip
    assert "difference 0 ns" in slow.half.canvas.tip_at(middle(slow.half.canvas, 3))
    assert "1 differs in duration" in slow.half.bar.readout.text
    assert not len(stripes(slow.above))
    assert not len(stripes(slow.below))
    band = slow.above.layout.lane_bands[1]
    assert "busy before 96.0 µs, after 96.8 µs, difference +800 ns (+0.8 %)" in about_band(slow.above, band)
    slow.panel.step_difference(1)
    assert slow.selected() == ([16], [16])
    assert "1 of 1: +800 ns (+10.0 %)" in slow.half.bar.readout.text
    assert slow.links.connector.isVisible()


def test_a_click_on_either_selects_both(slow: Pair) -> None:
    QTest.mouseClick(slow.half.canvas, Qt.MouseButton.LeftButton, pos=middle(slow.half.canvas, 14))
    assert slow.document.selection.value == Selection("slice", (14,), "timeline")
    assert slow.selected() == ([14], [14])
    QTest.mouseClick(slow.panel.canvas, Qt.MouseButton.LeftButton, pos=middle(slow.panel.canvas, 3))
    assert slow.selected() == ([3], [3])
    QTest.mouseMove(slow.panel.canvas, middle(slow.panel.canvas, 5))
    QApplication.processEvents()
    slow.panel.canvas.pointed.emit(5)
    assert slow.half.canvas.stage.marks.hovered == (5,)
    slow.half.canvas.pointed.emit(7)
    assert slow.panel.canvas.stage.marks.hovered == (7,)
    assert slow.document.hover.value == Selection("slice", (7,), "timeline")


def test_slices_that_only_one_has_are_striped_and_counted(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(inserted(0, 2)), profile(inserted(2, 5, name="further")))
    pair.compare()
    text = pair.half.bar.readout.text
    assert "1 of 37 slices is only in the comparison" in text
    assert "1 of 37 slices is only in the baseline" in text
    for shown, index in ((pair.above, 29), (pair.below, 2)):
        places = stripes(shown)
        box = shown.scene().slice_box(index)
        assert box is not None
        assert len(places)
        assert places[:, 1].min() >= box.x - shown.place.gutter - 1
        assert places[:, 1].max() <= box.x + box.width - shown.place.gutter + 1
        assert set(places[:, 0] + shown.place.head) <= set(range(int(box.y) - 1, int(box.y + box.height) + 1))
    pair.panel.step_difference(-1)
    assert pair.selected() == ([], [29])
    pair.panel.step_difference(-1)
    assert (pair.links.alone, pair.selected()) == (2, ([2], []))
    assert "only in the baseline" in pair.half.canvas.tip_at(middle(pair.half.canvas, 2))
    pair.document.selection.set(Selection("slice", (0,)))
    assert pair.selected() == ([0], [0])
    assert pair.links.alone is None


def test_the_baseline_follows_the_colours_above_and_what_is_left_of_them(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(lanes()), profile(slower(0, 2)))
    pair.compare()
    pair.half.canvas.set_colour_by("duration")
    pair.settle()
    above, below = pair.above.contents, pair.below.contents
    assert (above.colours.by, below.colours.by) == ("duration", "duration")
    assert above.colours.edges == below.colours.edges
    pair.panel.canvas.filtering.keep_slots(frozenset((2,)))
    assert below.only_slots == above.only_slots
    pair.panel.canvas.filtering.end()
    assert not below.only_slots


def test_names_have_the_same_colours_in_both(qtbot: QtBot) -> None:
    one, other = lanes(), lanes()
    for rows, names in ((one, ("zinc", "load", "oak")), (other, ("load", "pine", "ash", "elm"))):
        row = rows[0][2][0]
        row[:] = [(start, took, names[at % len(names)], "") for at, (start, took, *_) in enumerate(row)]
    pair = Pair(qtbot, profile(one), profile(other))
    pair.compare()

    def colours(shown: Shown, theme: Theme) -> dict[str, str]:
        return dict(zip(shown.contents.colours.names[2:], shown.shades_of(theme).fill[2:], strict=False))

    assert dict(zip(pair.below.contents.colours.names[2:], pair.below.shades.fill[2:], strict=False)) == colours(
        pair.below, LIGHT
    )
    for theme in (LIGHT, DARK):
        above, below = colours(pair.above, theme), colours(pair.below, theme)
        assert {name: below[name] for name in below if name in above} == {
            name: above[name] for name in below if name in above
        }


def test_a_lane_that_only_one_has_says_so(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(lanes()), profile(dropped(1)))
    pair.compare()
    assert pair.below.counterpart is not None
    assert [lane_texts(pair.below.counterpart, lane, pair.below.look) for lane in range(3)] == [(), ("only here",), ()]
    pair.document.selection.set(Selection("lane", (1,)))
    assert pair.half.canvas.stage.marks.lanes == (2,)


def test_itself_against_itself_has_no_marks(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(lanes()), profile(lanes()))
    pair.compare()
    assert pair.half.bar.readout.text == "all slices matched · no difference in duration"
    assert not pair.panel.can_step_difference
    assert pair.above.contents.alone is None
    assert pair.below.contents.alone is None
    counterpart = pair.above.counterpart
    assert counterpart is not None
    assert {lane_texts(counterpart, lane, pair.above.look) for lane in range(3)} == {("same",)}


def test_it_is_aligned_at_a_slice_and_stretched(slow: Pair) -> None:
    view = slow.above.view
    slow.document.selection.set(Selection("slice", (20,)))
    assert slow.panel.can_align
    slow.panel.align_here()
    assert slow.half.bar.alignment.currentData() == "slice"
    assert slow.panel.comparing.time_map is not None
    assert slow.panel.comparing.time_map.to_after(180) == pytest.approx(180.8)
    assert slow.together()
    one, other = slow.above.scene().slice_box(20), slow.below.scene().slice_box(20)
    assert one is not None
    assert other is not None
    assert one.x == pytest.approx(other.x)
    slow.panel.align_here(end=True)
    assert slow.half.bar.alignment.currentData() == "slice_end"
    one, other = slow.above.scene().slice_box(20), slow.below.scene().slice_box(20)
    assert one is not None
    assert other is not None
    assert one.x + one.width == pytest.approx(other.x + other.width)
    slow.half.bar.aligned.emit("stretch")
    assert slow.panel.comparing.time_map.factor > 1
    assert slow.together()
    assert slow.above.view.span == pytest.approx(view.span, rel=0.1)
    slow.half.canvas.meant = 3
    assert slow.panel.can_align_with_selected
    slow.panel.align_with_selected()
    assert slow.panel.comparing.time_map.to_after(130) == pytest.approx(180.8)


def test_the_range_lies_in_both(slow: Pair) -> None:
    slow.document.selection.set(Selection("slice", (20,)))
    slow.panel.align_here()
    slow.document.ranges.set(Ranges(time=TimeRange(150.8, 180.8)))
    slow.settle()
    assert slow.half.canvas.stage.range is not None
    assert slow.half.canvas.stage.range.start == pytest.approx(150)
    assert slow.above.counterpart is not None
    assert slow.above.counterpart.lanes is not None
    assert slow.above.counterpart.lanes.before[1] == pytest.approx(24)
    slow.half.canvas.range_chosen.emit(TimeRange(100, 110))
    assert slow.document.ranges.value.time == TimeRange(pytest.approx(100.8), pytest.approx(110.8))  # type: ignore[arg-type]


def test_ending_it_brings_back_the_timeline_as_it_was(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(lanes()), profile(slower(1, 4)))
    pair.panel.canvas.zoom(3.0)
    view, shown = pair.above.view, pair.above
    height = pair.panel.canvas.height()
    pair.compare()
    assert pair.panel.canvas.height() < height
    pair.half.canvas.fit()
    pair.document.baselines.end(pair.after)
    pair.settle()
    assert pair.above is shown
    assert pair.above.view == view
    assert not pair.half.isVisible()
    assert pair.panel.canvas.height() == height
    assert pair.above.counterpart is None
    assert pair.panel.comparing.below is None
    assert not pair.panel.can_align


def test_swapping_shows_the_other_way_round(slow: Pair) -> None:
    slow.document.baselines.swap(slow.after)
    slow.settle()
    assert "after" in slow.half.bar.name.text()
    assert slow.above.counterpart is not None
    assert lane_texts(slow.above.counterpart, 1, slow.above.look)[0] == "−800 ns  −0.8 %"


def test_a_baseline_without_a_timeline_says_so(qtbot: QtBot) -> None:
    before = profile(lanes(), "tables only")
    pair = Pair(qtbot, Profile(name="tables only", origin=before.origin), profile(lanes()))
    pair.compare()
    assert pair.half.bar.readout.text == "It has no timeline: its files contain no steps, trace or events."
    assert not pair.half.canvas.isVisible()
    assert not pair.half.bar.alignment.isVisible()
    assert pair.half.height() <= pair.half.bar.sizeHint().height()


def test_matching_can_be_cancelled_and_started_again(slow: Pair) -> None:
    slow.panel.comparing.matching.cancel()
    slow.document.baselines.end(slow.after)
    slow.settle()
    slow.document.baselines.set(slow.after, slow.before)
    QApplication.processEvents()
    slow.panel._refresh.now()
    slow.half.bar.cancelled.emit()
    assert slow.half.bar.readout.text == "The slices are not matched."
    assert slow.half.canvas.isVisible()
    slow.half.bar.cancelled.emit()
    slow.settle()
    assert "1 differs" in slow.half.bar.readout.text


def test_slices_that_are_taken_apart_by_hand_are_matched_no_longer(slow: Pair) -> None:
    slow.document.baselines.set_pairs(slow.after, (HandPair("slices", 16, None),))
    slow.settle()
    assert "1 of 36 slices is only in the baseline" in slow.half.bar.readout.text
    assert len(stripes(slow.below))
    slow.document.baselines.set_pairs(slow.after, ())
    slow.settle()
    assert "all slices matched" in slow.half.bar.readout.text


def test_filters_rows_and_search_apply_to_both(slow: Pair) -> None:
    slow.panel.canvas.filtering.filter_lanes("lane1")
    assert slow.below.lanes.filter == "lane1"
    slow.panel.canvas.filtering.hide_names(frozenset({"load"}))
    assert slow.below.contents.hidden == frozenset({"load"})
    slow.panel.canvas.show_all()
    slow.panel.bar.search.field.setText("mmad")
    assert slow.searched()
    slow.panel.bar.search.field.clear()
    assert not slow.searched()
    slow.panel.bar.rows.emit("compact")
    assert slow.below.lanes.rows_as == "compact"


def test_rows_scroll_together_where_lanes_belong_together(qtbot: QtBot) -> None:
    many, fewer = lanes(4, count=40), lanes(4, count=40)
    del fewer[3:8]
    pair = Pair(qtbot, profile(many), profile(fewer))
    pair.compare()

    def first_lane(shown: Shown) -> str:
        bands = shown.layout.in_view(shown.view.top, int(shown.place.body.height))
        whole = [band for band in bands if band.kind == "lane" and band.y >= shown.view.top]
        return shown.model.thread(whole[0].index)

    pair.panel.canvas.scroll_rows(5)
    assert first_lane(pair.above) == first_lane(pair.below) == "lane9"
    pair.half.canvas.scroll_rows(3)
    assert first_lane(pair.above) == first_lane(pair.below) == "lane12"
    pair.half.bar.together.setChecked(False)
    pair.half.canvas.scroll_rows(-9)
    assert (first_lane(pair.above), first_lane(pair.below)) == ("lane12", "lane3")
    pair.panel.step_difference(1)
    assert pair.links.alone is not None
    assert "only in the baseline, −8.00 µs" in pair.half.bar.readout.text


def test_lanes_that_are_moved_in_either_stand_in_the_same_order_in_both(slow: Pair) -> None:
    for moved, other in ((slow.below, slow.above), (slow.above, slow.below)):
        first = next(band for band in moved.layout.in_view(0, 1000) if band.kind == "lane")
        drop = moved.lanes.next_drop(first, 1)
        assert drop is not None
        moved.lanes.move(first, drop)
        assert moved.lanes.any_moved
        assert other.lanes.choice.lane_order == moved.lanes.choice.lane_order
        moved.lanes.restore_order()
        assert not other.lanes.any_moved


def test_a_baseline_stands_in_the_order_of_a_timeline_that_was_arranged_before(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(lanes(), "before"), profile(slower(1, 4), "after"))
    pair.above.lanes.choose(replace(pair.above.lanes.choice, lane_order=(2, 0, 1)))
    pair.compare()
    assert pair.below.lanes.choice.lane_order == (2, 0, 1)


def test_a_baseline_without_the_moved_processes_does_not_move_them_back(qtbot: QtBot) -> None:
    pair = Pair(qtbot, profile(lanes(), "before"), profile([*lanes(), ("core1", "alone", [[(100.0, 8.0, "a", "")]])]))
    pair.above.lanes.choose(replace(pair.above.lanes.choice, lane_order=(2, 0, 1), group_order=(1, 0)))
    pair.compare()
    assert pair.below.lanes.choice.lane_order == (2, 0, 1)
    assert pair.above.lanes.choice.group_order == (1, 0)


def test_figures_are_compared_and_the_range_applies_to_both(slow: Pair) -> None:
    figures = statistics_of(slow.qtbot, slow.context)

    def cells(key: str) -> dict[object, object]:
        slow.qtbot.waitUntil(lambda: not figures.busy)
        columns = {column.key: column for column in figures.table.view.items.table.columns}
        rows = range(figures.table.view.items.table.rows)
        return {columns["name"].value(row): columns[key].value(row) for row in rows}

    assert cells("total_difference") == {"mmad": pytest.approx(0.8)}
    slow.document.ranges.set(Ranges(time=TimeRange(100.0, 130.0)))
    assert cells("total_difference") == {}
    assert "in the baseline 100.0 – 130.0 µs" in slow.panel.line.summary.text()
    slow.document.selection.set(Selection("slice", (20,)))
    slow.panel.align_here()
    slow.document.ranges.set(Ranges(time=TimeRange(150.8, 180.8)))
    slow.settle()
    assert "in the baseline 150.0 – 180.0 µs" in slow.panel.line.summary.text()
    slow.document.ranges.set(Ranges())
    slow.document.selection.set(Selection("lane", (0,)))
    slow.settle()
    assert cells("total_difference") == {}
    slow.document.selection.set(Selection("lane", (1,)))
    slow.settle()
    assert cells("total_before") == {"mmad": pytest.approx(24.0)}
    figures.table.view.selectRow(0)
    slow.qtbot.waitUntil(lambda: not figures.busy)
    assert figures.instances.isHidden()
    figures.listed.click()
    slow.qtbot.waitUntil(lambda: not figures.busy)
    assert figures.instances.isVisible()
    assert slow.selected() == ([12, 16, 20], [12, 16, 20])
    slow.document.baselines.end(slow.after)
    slow.settle()
    refilled(figures)
    assert figures.table.view.items.table.columns[0].key == "name"


def test_a_picture_shows_both(slow: Pair) -> None:
    slow.panel.step_difference(1)
    width, height = slow.panel.picture_size()
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        slow.panel.draw_picture(painter, QRectF(0, 0, width, height), LIGHT)
    fills = set(slow.above.shades.fill) & set(slow.below.shades.fill) - {LIGHT.surface}
    for top in (0, height // 2):
        seen = [image.pixelColor(x, y).name() for x in range(200, width, 7) for y in range(top, top + height // 3, 5)]
        assert fills & {colour.upper() for colour in seen}


def test_a_baseline_that_is_closed_is_not_held(qtbot: QtBot) -> None:
    before = profile(lanes(), "before")
    assert before.timeline is not None
    held = weakref.ref(before.timeline.slices.start)
    pair = Pair(qtbot, before, profile(slower(1, 4), "after"))
    del before
    pair.compare()
    figures = statistics_of(qtbot, pair.context)
    qtbot.waitUntil(lambda: not figures.busy)
    pair.document.close(pair.before)
    pair.settle()
    gc.collect()
    assert held() is None
