"""The flame graph of nested slices follows the range and the lanes, and selects the slices of a frame."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.panels.statistics import panel
from app.panels.statistics.flame import PLOTS
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.look import THEMES
from fakes.statistics import refilled, statistics_of
from fakes.timeline_desk import LINE, Desk, profile
from generators.timelines import timeline

CALLS = timeline(
    [
        ("host", "main", [[(0.0, 10.0, "step 1", ""), (10.0, 8.0, "step 2", "")], [(1.0, 3.0, "load", "")]]),
        ("host", "other", [[(2.0, 4.0, "step 3", "")], [(3.0, 2.0, "load", "")]]),
    ]
)
FLAT = timeline([("a", "b", [[(0.0, 1.0, "x", "")]])])


class Both(Desk):
    """The timeline panel, and the statistics by path."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__(qtbot)
        self.statistics = statistics_of(qtbot, self.context)
        self.flame = self.statistics.flame
        self.open(CALLS)
        refilled(self.statistics)
        self.statistics.show_table("paths")

    def frames(self) -> dict[str, float]:
        """The total of each path that is drawn."""
        paths = self.flame.paths
        assert paths is not None
        return dict(zip(paths.texts(np.arange(len(paths))), paths.total.tolist(), strict=True))


@pytest.fixture
def desk(qtbot: QtBot) -> Both:
    return Both(qtbot)


def test_frames_stand_beside_their_table_and_follow_range_and_lanes(desk: Both) -> None:
    assert desk.flame.isVisible()
    assert desk.statistics.table.view.items.table.id == "slice-paths"
    assert desk.frames() == {"step": 22.0, "step › load": 5.0}
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 4.0)))
    assert desk.frames() == {"step": 6.0, "step › load": 4.0}
    desk.document.selection.set(Selection("lane", (1,), "timeline"))
    assert desk.frames() == {"step": 2.0, "step › load": 1.0}
    assert "Only slices of lane host / other." in desk.statistics.table.view.items.table.note
    desk.statistics.show_table("statistics")
    assert not desk.flame.isVisible()


def test_a_frame_selects_its_slices_and_is_marked_for_them(desk: Both) -> None:
    desk.flame.canvas.chosen.emit(1)
    assert desk.document.selection.value == Selection("slice", (2, 4), "slice-flame")
    assert desk.flame.canvas.selected.tolist() == [1]
    assert desk.statistics.table.view.selected_source_rows().tolist() == [1]
    desk.document.selection.set(Selection("slice", (0,), "timeline"))
    assert desk.flame.canvas.selected.tolist() == [0]
    desk.flame.canvas.chosen.emit(None)
    assert desk.document.selection.value is None


def test_a_frame_tells_its_figures_and_a_drawn_range_zooms(desk: Both) -> None:
    desk.flame.canvas.pointed.emit(1)
    assert desk.flame.readout.text == "total 5.00 µs, self 5.00 µs, 2 slices: step › load"
    desk.flame.canvas.range_chosen.emit(TimeRange(1.0, 3.0))
    assert desk.document.ranges.value.time is None
    shown = desk.flame.canvas.shown
    assert shown is not None
    assert (shown.view.start, shown.view.end) == (1.0, 3.0)


def test_a_thread_makes_the_frames_of_many_slices(desk: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "LARGE", 1)
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 4.0)))
    desk.qtbot.waitUntil(lambda: desk.frames() == {"step": 6.0, "step › load": 4.0})


def test_frames_are_those_of_the_profile_that_is_shown(desk: Both) -> None:
    desk.document.selection.set(Selection("slice", (4,), "timeline"))
    desk.open(FLAT)
    refilled(desk.statistics)
    assert not desk.flame.isVisible()
    assert [tab.id for tab in desk.statistics._offered][:2] == ["statistics", "slices"]


def test_the_picture_is_for_nested_slices(desk: Both) -> None:
    assert not PLOTS[0].offered(profile(FLAT))
    assert PLOTS[0].offered(profile(LINE))
    assert desk.statistics.picture() is desk.flame
    plot, seen, blank = blank_image(), blank_image(), blank_image()
    with QPainter(plot) as painter:
        PLOTS[0].draw(painter, QRectF(plot.rect()), profile(CALLS), THEMES["light"])
    with QPainter(seen) as painter:
        desk.flame.draw_picture(painter, QRectF(seen.rect()), THEMES["light"])
    assert plot == seen
    assert plot != blank


def blank_image() -> QImage:
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    return image


def test_beside_a_baseline_the_table_compares_and_the_frames_are_of_the_shown_profile(desk: Both) -> None:
    longer = timeline([("host", "main", [[(0.0, 20.0, "step 1", "")], [(1.0, 4.0, "load", "")]])])
    before, after = (desk.document.add(profile(line), number) for number, line in enumerate((CALLS, longer), 2))
    for entry in (before, after):
        desk.document.finish(entry)
    desk.document.show(after)
    desk.document.baselines.set(after, before)
    desk.settle()
    desk.panel._refresh.now()
    desk.qtbot.waitUntil(lambda: desk.panel.comparing.below is not None)
    refilled(desk.statistics)
    desk.qtbot.waitUntil(lambda: not desk.statistics.busy and desk.statistics.table.differences is not None)
    columns = {column.key: column for column in desk.statistics.table.view.items.table.columns}
    paths = [str(columns["path_before"].value(row)) for row in range(2)]
    assert {path: columns["total_before"].value(row) for row, path in enumerate(paths)} == {
        "step": 22.0,
        "step › load": 5.0,
    }
    assert desk.frames() == {"step 1": 20.0, "step 1 › load": 4.0}
