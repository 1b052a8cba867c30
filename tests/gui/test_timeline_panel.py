"""The timeline panel and the document it is tied to."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.time.model import time_model
from app.panels.plots import PLOTS
from app.panels.registry import PANELS
from app.profile.selection import Selection, TimeRange
from app.views.look import DARK, LIGHT, Look
from app.views.timeline.state import Shown, restore, saved_state
from app.widgets.abilities import Copies, HasPicture, Searchable
from app.widgets.canvas import Canvas
from app.widgets.tabular import Tabular
from app.widgets.timeline.pick import in_sight
from fakes.timeline_desk import LINE, PIPES, Desk, profile
from generators.schedules import flagged
from generators.timelines import random_timeline, timeline


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_it_is_registered_with_its_plot(qapp: QApplication) -> None:
    spec = next(spec for spec in PANELS if spec.id == "timeline")
    assert spec.offered(profile(LINE))
    assert not spec.offered(profile(None))
    plot = next(plot for plot in PLOTS if plot.id == "timeline")
    assert plot.offered(profile(LINE))
    image = QImage(600, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        plot.draw(painter, QRectF(0, 0, 600, 300), profile(LINE), LIGHT)
    assert image.pixelColor(5, 295).name().upper() == LIGHT.surface


def test_the_canvas_alone_is_one(desk: Desk) -> None:
    assert not isinstance(desk.panel, Canvas)
    assert isinstance(desk.panel.canvas, Canvas)
    for ability in (Copies, Searchable, HasPicture, Tabular):
        assert isinstance(desk.panel, ability)


def test_why_it_is_empty(desk: Desk) -> None:
    desk.settle()
    assert desk.panel.stack.empty.text == "Nothing is open."
    entry = desk.open(None)
    assert desk.panel.stack.empty.text == "Reading…"
    desk.document.finish(entry)
    desk.settle()
    assert "no timeline" in desk.panel.stack.empty.text
    desk.document.finish(desk.open(timeline([])))
    desk.settle()
    assert "no slices" in desk.panel.stack.empty.text


def test_a_section_that_arrives_is_shown(desk: Desk) -> None:
    entry = desk.open(None)
    desk.document.grow(entry, profile(LINE), frozenset({"timeline"}))
    desk.settle()
    assert not desk.panel.stack.is_empty
    assert desk.panel.line.summary.text() == "5 slices"
    assert desk.panel.line.legend.labels == ("CUBE", "LOAD_2D", "SCALAR")


def test_other_sections_leave_the_view_alone(desk: Desk) -> None:
    entry = desk.open()
    desk.panel.canvas.zoom(4.0)
    view, shown = desk.shown.view, desk.shown
    desk.document.grow(entry, profile(LINE), frozenset({"timeline"}))
    desk.settle()
    assert desk.shown is shown
    assert desk.shown.view == view


def test_nothing_is_chosen_on_the_canvas_of_the_profile_before(desk: Desk) -> None:
    desk.open(random_timeline(500, 5))
    desk.panel.hide()
    desk.document.add(profile(LINE), 2)
    canvas = desk.panel.canvas
    canvas.chosen.emit(460)
    canvas.choosing.toggled.emit(460)
    canvas.lanes_chosen.emit((9,), False)
    canvas.pointed.emit(460)
    canvas.range_chosen.emit(TimeRange(5000.0, 6000.0))
    document = desk.document
    assert (document.selection.value, document.hover.value, document.ranges.value.time) == (None, None, None)
    desk.panel.show()
    desk.settle()
    canvas.chosen.emit(4)
    assert document.selection.value is not None
    assert document.selection.value.indices == (4,)


def test_each_profile_keeps_its_view(desk: Desk) -> None:
    first = desk.open()
    desk.panel.canvas.zoom(4.0)
    view = desk.shown.view
    desk.open(random_timeline(500, 5))
    assert desk.shown.view != view
    desk.document.show(first)
    desk.settle()
    assert desk.shown.view == view
    desk.document.close(first)
    desk.settle()
    assert first not in desk.panel.views


def test_a_file_read_again_keeps_zoom_and_folds(desk: Desk) -> None:
    entry = desk.open()
    desk.panel.canvas.zoom(4.0)
    desk.shown.lanes.toggle_group(1)
    view = desk.shown.view
    desk.document.replace(entry, profile(replace(LINE)), 2)
    desk.settle()
    assert desk.shown.model.timeline is not LINE
    assert (desk.shown.view.start, desk.shown.view.end) == (view.start, view.end)
    assert desk.shown.lanes.choice.folded_groups == {1}


def test_clicks_write_the_selection_and_others_are_marked(desk: Desk) -> None:
    desk.open()
    for index, expected in ((0, (0,)), (2, (0, 2)), (0, (2,)), (2, ())):
        desk.panel.canvas.choosing.toggled.emit(index)
        selected = Selection("slice", expected, "timeline") if expected else None
        assert desk.document.selection.value == selected
    desk.panel.canvas.chosen.emit(2)
    assert desk.document.selection.value == Selection("slice", (2,), "timeline")
    assert desk.panel.canvas.selected.tolist() == [2]
    desk.document.selection.set(Selection("slice", (1, 3), "elsewhere"))
    assert desk.panel.canvas.selected.tolist() == [1, 3]
    desk.document.selection.set(Selection("lane", (1,), "elsewhere"))
    assert desk.panel.canvas.selected.tolist() == []
    assert desk.panel.canvas.stage.marks.lanes == (1,)
    desk.document.selection.set(Selection("slice", (99,), "elsewhere"))  # of another profile, say
    assert desk.panel.canvas.selected.tolist() == []


def test_a_selection_out_of_sight_is_brought_to_view(desk: Desk) -> None:
    desk.open()
    desk.shown.navigation.show_stretch(60.0, 70.0)
    desk.document.selection.set(Selection("slice", (0,), "elsewhere"))
    assert in_sight(desk.shown, np.array([0]))
    assert desk.shown.view.span == pytest.approx(10.0)


def test_hover_goes_both_ways(desk: Desk) -> None:
    desk.open()
    desk.panel.canvas.pointed.emit(3)
    assert desk.document.hover.value == Selection("slice", (3,), "timeline")
    desk.document.hover.set(Selection("slice", (0,), "elsewhere"))
    assert desk.panel.canvas.stage.marks.hovered == (0,)
    desk.document.hover.clear()
    assert not desk.panel.canvas.stage.marks.hovered


def test_the_range_is_the_documents(desk: Desk) -> None:
    desk.open()
    desk.panel.canvas.range_chosen.emit(TimeRange(10.0, 40.0))
    assert desk.document.ranges.value.time == TimeRange(10.0, 40.0)
    assert desk.panel.line.summary.text() == "5 slices in 30.0 µs"
    desk.document.edits.undo()
    assert desk.panel.canvas.stage.range is None
    assert desk.panel.line.summary.text() == "5 slices"


def test_search_counts_marks_and_steps(desk: Desk) -> None:
    desk.open()
    bar = desk.panel.bar
    desk.panel.start_find()
    QTest.keyClicks(bar.search.field, "load")
    assert bar.search.count.text() == "2 matches"
    assert desk.shown.contents.hits is not None
    QTest.keyClick(bar.search.field, Qt.Key.Key_Return)
    assert desk.document.selection.value == Selection("slice", (3,), "timeline")
    assert bar.search.count.text() == "1 of 2"
    QTest.keyClick(bar.search.field, Qt.Key.Key_Return)
    assert bar.search.count.text() == "2 of 2"
    QTest.keyClick(bar.search.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.search.count.text() == "1 of 2"
    bar.search.word.setChecked(True)
    assert bar.search.count.text() == "1 match"
    bar.search.case.setChecked(True)
    assert bar.search.count.text() == "No matches"
    bar.search.word.setChecked(False)
    bar.search.case.setChecked(False)
    bar.search.regex.setChecked(True)
    bar.search.field.setText("(")
    assert "regular expression" in bar.search.count.text()
    QTest.keyClick(bar.search.field, Qt.Key.Key_Escape)
    assert bar.search.field.text() == ""
    assert desk.shown.contents.hits is None


def test_the_table_twin_is_what_is_in_sight(desk: Desk) -> None:
    desk.open()
    table = desk.panel.shown_table()
    assert table is not None
    assert table.id == "slices"
    desk.shown.navigation.show_stretch(0.0, 15.0)
    rows = desk.panel.shown_rows()
    assert rows is not None
    assert rows.tolist() == [0, 4]
    desk.document.selection.set(Selection("slice", (4,), "elsewhere"))
    assert desk.panel.selected_rows().tolist() == [4]
    assert desk.panel.copy_text().startswith("whole\nstart 0 µs")


def test_the_bar_zooms_fits_folds_and_sizes_rows(desk: Desk) -> None:
    desk.open()
    bar, whole = desk.panel.bar, desk.shown.view.span
    bar.nearer.click()
    assert desk.shown.view.span == pytest.approx(whole / 2)
    bar.wider.click()
    bar.nearer.click()
    bar.whole.click()
    assert desk.shown.view.span == pytest.approx(whole)
    bar.rows.emit("compact")
    assert desk.shown.layout.bands[1].row_height == 8
    bar.fold.emit(True)
    assert len(desk.shown.lanes.choice.folded_groups) == 2
    assert bar.view.text() == "0 – 100 µs"


def test_many_lanes_scroll(desk: Desk) -> None:
    desk.open(random_timeline(2000, 40))
    scroller = desk.panel.scroller
    assert not scroller.isVisible()  # each process is a strip
    desk.panel.bar.fold.emit(False)
    assert scroller.isVisible()
    scroller.setValue(100)
    assert desk.shown.view.top == 100
    desk.panel.canvas.fit()
    assert scroller.value() == 0


def test_the_theme_reaches_every_colour(desk: Desk) -> None:
    desk.open()
    before = desk.shown.shades
    desk.display.set(theme=DARK)
    assert desk.shown.shades is not before
    assert not desk.panel.grab().isNull()


def test_its_picture_is_the_part_in_view(desk: Desk) -> None:
    desk.open()
    desk.shown.navigation.show_stretch(40.0, 60.0)
    desk.document.selection.set(Selection("slice", (4,), "elsewhere"))
    desk.shown.navigation.show_stretch(40.0, 60.0)
    width, height = desk.panel.picture_size()
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        desk.panel.draw_picture(painter, QRectF(0, 0, width, height), LIGHT)
    assert image.pixelColor(width - 5, height - 10).name().upper() == LIGHT.surface
    seen = desk.panel.canvas.grab().toImage()
    canvas = desk.panel.canvas
    parts = [canvas.rect().adjusted(2, 30, -2, -2), canvas.rect().adjusted(200, 30, -2, -2)]
    for part in parts:  # the same rows at the same places, but for the rim of the focus
        assert image.copy(part) == seen.copy(part)
    with QPainter(image) as painter:
        desk.panel.draw_picture(painter, QRectF(0, 0, width, height), DARK)
    assert image.pixelColor(width - 5, height - 10).name().upper() == DARK.surface


def test_it_comes_back_as_it_was_left(desk: Desk) -> None:
    entry = desk.open()
    desk.shown.navigation.show_stretch(20.0, 40.0)
    desk.shown.lanes.toggle_pin(2)
    desk.document.states.saving.emit()  # as when the window is closed before the view is saved by itself
    left = desk.document.states.of(entry)
    again = Desk(desk.qtbot)
    entry = again.open()
    again.document.states.restore(entry, left)
    assert again.shown.lanes.choice.pins == (2,)
    assert (again.shown.view.start, again.shown.view.end) == pytest.approx((20.0, 40.0))
    third = Desk(desk.qtbot)
    entry = third.open()
    third.shown.navigation.show_stretch(1.0, 2.0)
    third.document.states.restore(entry, left)  # found when the person has already gone on
    assert third.shown.view.end == pytest.approx(2.0)
    early = Desk(desk.qtbot)
    entry = early.document.add(profile(None), 1)
    early.document.states.restore(entry, left)
    early.document.grow(entry, profile(LINE), frozenset({"timeline"}))
    early.settle()
    assert early.shown.lanes.choice.pins == (2,)


def test_what_is_left_out_shows_in_the_bar(desk: Desk) -> None:
    desk.open()
    button = desk.panel.bar.filter
    plain = button.icon().pixmap(16, 16).toImage()
    desk.document.selection.set(Selection("slice", (1,), "elsewhere"))
    desk.panel.canvas.hide_selected()
    assert desk.shown.contents.hidden == {"LOAD"}
    assert button.active
    assert "Hidden: LOAD" in button.toolTip()
    assert button.icon().pixmap(16, 16).toImage() != plain
    button.menu().aboutToShow.emit()
    entries = {action.text(): action for action in button.menu().actions() if action.text()}
    assert list(entries) == [
        "Hide slices with the name of the selection",
        "Only slices with the name of the selection",
        "LOAD is hidden",
        "Show all",
    ]
    entries["LOAD is hidden"].trigger()
    assert desk.shown.contents.hidden == frozenset()
    button.field.setText("core1")
    assert [band.index for band in desk.shown.layout.bands if band.kind == "lane"] == [2]
    assert button.active
    chips = desk.panel.chips
    assert [chip.text() for chip in chips.chips] == ["Lanes with “core1”  ✕"]
    assert chips.isVisibleTo(desk.panel)
    desk.panel.canvas.filtering.hide_names(frozenset({"LOAD"}))
    desk.shown.lanes.hide_bands((desk.shown.layout.lane_bands[2],))
    desk.panel.canvas.filtered.emit()
    assert [chip.text() for chip in chips.chips][1:] == ["1 lane hidden  ✕", "1 name hidden  ✕"]
    assert "core1 / SCALAR" in chips.chips[1].toolTip()
    chips.chips[2].click()
    chips.chips[0].click()
    assert [chip.text() for chip in chips.chips] == ["1 lane hidden  ✕"]
    assert button.active
    button.show_all()
    assert not chips.isVisibleTo(desk.panel)
    assert len(desk.shown.layout.lane_bands) == 3
    assert button.icon().pixmap(16, 16).toImage() == plain


def test_only_slices_of_one_name_are_shown(desk: Desk) -> None:
    desk.open()
    button, chips = desk.panel.bar.filter, desk.panel.chips
    desk.document.selection.set(Selection("slice", (1,), "elsewhere"))
    button.menu().aboutToShow.emit()
    next(action for action in button.menu().actions() if action.text().startswith("Only")).trigger()
    assert desk.shown.contents.only == {"LOAD"}
    rows = desk.panel.shown_rows()
    assert rows is not None
    assert {desk.shown.model.name(row) for row in rows.tolist()} == {"LOAD"}
    assert "Only slices named: LOAD" in button.toolTip()
    assert [chip.text() for chip in chips.chips] == ["Only slices named “LOAD”  ✕"]
    chips.chips[0].click()
    assert desk.shown.contents.only == frozenset()
    desk.panel.canvas.keep_selected()
    button.show_all()
    assert not desk.panel.canvas.anything_hidden


def test_set_and_wait_are_hidden_together(desk: Desk) -> None:
    desk.open(timeline([("c", "t", [[(0.0, 1.0, "SET_FLAG", ""), (2.0, 1.0, "WAIT_FLAG", ""), (4.0, 1.0, "x", "")]])]))
    menu = desk.panel.bar.filter.menu()
    menu.aboutToShow.emit()
    both = next(action for action in menu.actions() if action.text() == "Hide SET and WAIT")
    both.trigger()
    assert desk.shown.contents.hidden == {"SET_FLAG", "WAIT_FLAG"}
    rows = desk.panel.shown_rows()
    assert rows is not None
    assert rows.tolist() == [2]
    both.trigger()
    assert desk.shown.contents.hidden == frozenset()


def test_a_search_follows_what_is_hidden(desk: Desk) -> None:
    desk.open()
    desk.panel.bar.search.field.setText("load")
    assert desk.panel.bar.search.count.text() == "2 matches"
    desk.panel.canvas.filtering.hide_names(frozenset({"LOAD"}))
    assert desk.panel.bar.search.count.text() == "1 match"
    desk.panel.canvas.show_all()
    assert desk.panel.bar.search.count.text() == "2 matches"


def test_arrows_of_a_category_are_chosen_in_the_bar(desk: Desk) -> None:
    desk.open()
    button = desk.panel.bar.arrows
    assert not button.isHidden()
    button.menu().aboutToShow.emit()
    first, *_ = button.menu().actions()
    assert first.text().endswith("    1")
    plain, unticked = desk.panel.canvas.grab().toImage(), first.icon().pixmap(14).toImage()
    first.trigger()
    assert button.text() == "Arrows 1"
    assert first.icon().pixmap(14).toImage() != unticked  # a menu has no check mark beside an icon
    assert len(desk.shown.flows.names) == 1
    assert desk.panel.canvas.grab().toImage() != plain
    next(action for action in button.menu().actions() if action.text().startswith("Only arrows")).trigger()
    assert button.text() == "Arrows"
    assert list(desk.shown.flows.names) == []
    desk.open(random_timeline(50, 2))
    assert button.isHidden()


def test_pipes_only_keeps_other_filters_and_returns_with_the_state(desk: Desk) -> None:
    desk.open(PIPES)
    canvas = desk.panel.canvas
    canvas.filtering.hide_names(frozenset({"MOV"}))
    canvas.filtering.filter_lanes("e")  # MTE2, VECTOR and core0 above all
    canvas.toggle_pipes_only()
    rows = desk.panel.shown_rows()
    assert rows is not None
    assert [desk.shown.model.name(row) for row in rows.tolist()] == ["VADD", "VMUL"]
    saved = saved_state(desk.shown)
    canvas.toggle_pipes_only()
    assert desk.shown.contents.hidden == {"MOV"}
    assert desk.shown.lanes.filter == "e"
    again = Shown(desk.shown.model, Look(), desk.shown.place)
    restore(again, saved)
    assert (again.pipes_only, again.lanes.filter) == (True, "e")
    assert again.contents.hidden == {"MOV"}
    canvas.toggle_pipes_only()
    canvas.show_all()
    assert not canvas.anything_hidden
    assert [band.index for band in desk.shown.layout.bands if band.kind == "lane"] == [0, 1, 2]


def marked(desk: Desk) -> bool:
    return desk.panel.canvas.path_shown


def test_a_marked_critical_path_is_marked_again(desk: Desk, qtbot: QtBot) -> None:
    """In the next run, also where what was left is found late, and after a reload; not once it is unmarked."""
    entry, line = desk.open(flagged()), flagged()
    desk.panel.canvas.show_path(time_model(profile(desk.shown.model.timeline)))
    desk.panel.views.flush()
    left = desk.document.states.of(entry)
    assert left.views == {"timeline": {"path": True}}
    desk.document.replace(entry, profile(line), 2)
    desk.settle()
    qtbot.waitUntil(lambda: desk.shown.model.timeline is line and desk.shown.path is not None)

    for late in (False, True):
        again = Desk(qtbot)
        entry = again.document.add(profile(line), 1)
        if late:
            again.settle()
            assert again.shown.path is None
        again.document.states.restore(entry, left)
        again.settle()
        qtbot.waitUntil(partial(marked, again))
        again.panel.canvas.show_path(None)
        again.panel.views.flush()
        assert not again.document.states.view(entry, "timeline")


def test_a_file_without_dependencies_has_no_path_to_mark_again(desk: Desk) -> None:
    desk.open(PIPES)
    restore(desk.shown, {"path": True})
    desk.panel.views.show_path(profile(PIPES), desk.shown)
    desk.open(LINE)  # ends the search for it
    assert desk.shown.path is None


def test_a_hidden_lane_that_is_gone_to_ends_pipes_only(desk: Desk) -> None:
    desk.open(PIPES)
    desk.panel.canvas.toggle_pipes_only()
    desk.document.selection.set(Selection("lane", (0,), "table"))
    desk.settle()
    assert not desk.panel.canvas.pipes_only
    assert not desk.panel.bar.pipes.isChecked()


def test_a_search_finds_nothing_that_pipes_only_hides(desk: Desk) -> None:
    desk.open(PIPES)
    desk.panel.bar.search.field.setText("flag")
    assert desk.panel.bar.search.count.text() == "2 matches"
    desk.panel.canvas.toggle_pipes_only()
    assert desk.panel.bar.search.count.text() == "No matches"


def test_a_timeline_without_pipes_has_no_such_switch(desk: Desk) -> None:
    desk.open(timeline([("host", "main", [[(0.0, 1.0, "SET_FLAG", "")]])]))
    assert desk.panel.bar.pipes.isHidden()
    assert not desk.panel.canvas.can_show_pipes_only
    desk.panel.canvas.toggle_pipes_only()
    assert not desk.panel.canvas.anything_hidden
