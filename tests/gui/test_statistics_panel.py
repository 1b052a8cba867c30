"""The statistics follow the timeline panel and the document."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.analysis.table import Table
from app.panels.statistics import panel
from app.profile.file_state import TimeNote
from app.profile.selection import Ranges, Selection, TimeRange
from app.profile.timeline import Timeline
from app.views.statistics.tabs import table_of
from app.views.timeline.state import saved_state
from app.widgets.timeline.words import about_band
from fakes.statistics import refilled, statistics_of
from fakes.timeline_desk import LINE, PIPES, Desk


class Both(Desk):
    """The timeline panel and the statistics."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__(qtbot)
        self.statistics = statistics_of(qtbot, self.context)

    def open(self, line: Timeline | None = LINE) -> int:
        entry = super().open(line)
        refilled(self.statistics)
        return entry


@pytest.fixture
def desk(qtbot: QtBot) -> Both:
    return Both(qtbot)


def test_figures_follow_the_range_while_it_is_drawn(desk: Both) -> None:
    desk.open()
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert (table.id, table.rows) == ("slice-statistics", 5)
    desk.panel.canvas.range_dragged.emit(TimeRange(0.0, 15.0))
    assert desk.panel.line.summary.text() == "2 slices in 15.0 µs"
    desk.qtbot.waitUntil(lambda: _rows(desk) == 2)
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 5.0)))
    assert _rows(desk) == 1
    assert desk.document.edits.to_undo is not None
    desk.document.edits.undo()
    assert desk.document.edits.to_undo is None  # one step, though it was drawn in many


def test_a_thread_makes_the_first_table_of_a_large_timeline(desk: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def made(*given: Any) -> Table | None:
        threads.append(threading.current_thread().name)
        return table_of(*given)

    monkeypatch.setattr(panel, "LARGE", 1)
    monkeypatch.setattr(panel, "table_of", made)
    desk.open()
    assert (_rows(desk), set(threads)) == (5, {"background"})


def test_figures_return_to_the_chosen_range_when_drawing_is_cancelled(desk: Both) -> None:
    desk.open()
    desk.panel.canvas.range_dragged.emit(TimeRange(0.0, 15.0))
    desk.qtbot.waitUntil(lambda: _rows(desk) == 2)
    desk.panel.canvas.range_dragged.emit(None)
    assert _rows(desk) == 5
    assert desk.statistics.range.text() == "Whole timeline ▾"
    assert desk.panel.line.summary.text() == "5 slices"


def _rows(desk: Both) -> int:
    table = desk.statistics.table.shown_table()
    return table.rows if table is not None else -1


def test_the_range_stands_in_the_heading(desk: Both) -> None:
    desk.open()
    assert desk.statistics.range.text() == "Whole timeline ▾"
    desk.document.ranges.set(Ranges(time=TimeRange(10.0, 40.0)))
    assert desk.statistics.range.text() == "10.0 – 40.0 µs ▾"
    places: list[object] = []
    desk.statistics.commands_wanted.connect(lambda place, _: places.append(place))
    desk.statistics.range.click()
    assert places == ["range"]


def test_names_in_the_figures_select_their_slices(desk: Both) -> None:
    desk.open()
    view = desk.statistics.table.view
    view.selectRow(0)
    chosen = desk.document.selection.value
    assert chosen is not None
    assert chosen.indices == (4,)  # "whole" has the largest total
    assert desk.panel.canvas.selected.tolist() == [4]


@pytest.mark.parametrize("tab", range(7))
def test_every_tab_has_its_table(desk: Both, tab: int) -> None:
    desk.open()
    titles = [desk.statistics.tabs.tabText(place) for place in range(desk.statistics.tabs.count())]
    assert titles == ["By name", "By path", "Slices", "Lanes", "Gaps", "Overlap", "Flows"]
    desk.document.selection.set(Selection("lane", (0, 1), "elsewhere"))
    desk.statistics.tabs.setCurrentIndex(tab)
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert table.rows == (4, 4, 4, 3, 1, 1, 1)[tab]


def test_notes_reach_canvas_and_list(desk: Both) -> None:
    desk.open()
    notes = desk.document.notes
    desk.document.selection.set(Selection("slice", (1,), "elsewhere"))
    desk.panel.canvas.note_selection()
    assert notes.value == (TimeNote(30.0, 50.0, "LOAD", 0),)
    assert desk.document.selection.value == Selection("slice", (1,), "elsewhere")
    desk.panel.canvas.note_here()
    assert desk.panel.canvas.notes.field.isVisible()
    QTest.keyClicks(desk.panel.canvas.notes.field, "middle")
    QTest.keyClick(desk.panel.canvas.notes.field, Qt.Key.Key_Return)
    assert [note.text for note in notes.value] == ["LOAD", "middle"]
    desk.statistics.show_table("notes")
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert (table.id, table.rows) == ("time-notes", 2)
    assert desk.statistics.table.selected_rows().tolist() == [1]
    desk.statistics.table.view.selectRow(0)
    assert notes.chosen == 0
    assert "LOAD" in desk.statistics.table.copy_text()
    desk.statistics.table.view.setFocus()
    desk.statistics.rename_note()
    assert desk.statistics.editor.isVisible()
    QTest.keyClicks(desk.statistics.editor, "loading")
    QTest.keyClick(desk.statistics.editor, Qt.Key.Key_Return)
    assert notes.value[0].text == "loading"
    assert table is not desk.statistics.table.shown_table()
    notes.remove(0)
    notes.remove(0)
    assert "Notes" not in [desk.statistics.tabs.tabText(place) for place in range(desk.statistics.tabs.count())]


def show(desk: Both, title: str) -> None:
    tabs = desk.statistics.tabs
    tabs.setCurrentIndex([tabs.tabText(place) for place in range(tabs.count())].index(title))


def test_instances_stand_beside_the_names(desk: Both) -> None:
    desk.open()
    show(desk, "By name")
    assert desk.statistics.instances.isHidden()
    names = desk.statistics.table.shown_table()
    assert names is not None
    rows = [names.columns[0].value(row) for row in range(names.rows)]
    desk.statistics.table.view.selectRow(rows.index("LOAD"))
    assert desk.statistics.instances.isHidden()  # a click halves no table
    desk.statistics.table.view.opened.emit(rows.index("LOAD"))
    assert desk.statistics.listed.isChecked()
    table = desk.statistics.instances.shown_table()
    assert table is not None
    assert (table.rows, table.note) == (1, "1 × LOAD")
    assert desk.statistics.instances.view.horizontalScrollBar().value() == 0
    assert desk.document.selection.value == Selection("slice", (1,), "timeline-table")
    desk.statistics.table.view.selectAll()
    assert desk.statistics.instances.view.items.table.rows == 5
    desk.statistics.instances.view.selectRow(3)
    assert desk.document.selection.value == Selection("slice", (3,), "timeline-instances")
    assert desk.statistics.table.selected_rows().tolist() == [0, 1, 2, 3, 4]
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 15.0)))
    assert desk.statistics.instances.view.items.table.rows == 2
    view = desk.shown.view
    desk.statistics.instances.view.opened.emit(0)
    assert desk.shown.view.span < view.span
    show(desk, "Lanes")
    assert desk.statistics.instances.isHidden()
    assert desk.statistics.listed.isHidden()
    show(desk, "By name")
    assert desk.statistics.instances.isVisible()
    desk.statistics.listed.click()
    assert desk.statistics.instances.isHidden()


def test_gaps_and_overlap_follow_the_lanes(desk: Both) -> None:
    desk.open()
    show(desk, "Gaps")
    assert desk.statistics.table.shown_table() is None
    assert "Click the name of a lane" in desk.statistics.table.stack.empty.text
    desk.panel.canvas.lanes_chosen.emit((0,), False)
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert [column.value(0) for column in table.columns] == [10.0, 20.0, 30.0, "ADD", "LOAD"]
    desk.statistics.table.view.selectRow(0)
    assert desk.document.selection.value == Selection("slice", (1,), "timeline-table")
    desk.statistics.table.view.opened.emit(0)
    assert (desk.shown.view.start, desk.shown.view.end) == pytest.approx((20, 30), abs=1)
    show(desk, "Overlap")
    desk.panel.canvas.lanes_chosen.emit((0,), False)
    desk.panel.canvas.lanes_chosen.emit((2,), True)
    assert desk.document.selection.value == Selection("lane", (0, 2), "timeline")
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert {column.key: column.value(0) for column in table.columns}["overlap"] == 30.0
    desk.panel.canvas.lanes_chosen.emit((0,), True)
    assert desk.document.selection.value == Selection("lane", (2,), "timeline")
    desk.panel.canvas.lanes_chosen.emit((2,), True)
    assert desk.statistics.table.shown_table() is None
    desk.document.selection.set(Selection("slice", (3,), "elsewhere"))
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert table.rows == 1


def test_statistics_are_of_the_selected_lane(desk: Both) -> None:
    desk.open()
    show(desk, "By name")
    whole = desk.statistics.table.shown_table()
    assert whole is not None
    every = sum(whole.columns[1].value(row) for row in range(whole.rows))  # type: ignore[misc]
    desk.panel.canvas.lanes_chosen.emit((0,), False)
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert [table.columns[0].value(row) for row in range(table.rows)] == ["LOAD", "ADD"]
    assert table.note.startswith("Only slices of lane ")
    assert desk.panel.line.summary.text().startswith("2 slices")
    desk.statistics.table.view.selectRow(0)  # the limit stays while rows are chosen
    assert desk.document.selection.value == Selection("slice", (1,), "timeline-table")
    assert names_counted(desk) == ["LOAD", "ADD"]
    show(desk, "Slices")
    assert names_counted(desk) == ["ADD", "LOAD"]
    show(desk, "By name")
    desk.document.selection.set(Selection("slice", (3,), "elsewhere"))  # a slice limits nothing
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert sum(table.columns[1].value(row) for row in range(table.rows)) == every  # type: ignore[misc]
    assert table.note == ""


def test_hits_are_listed(desk: Both) -> None:
    desk.open()
    bar = desk.panel.bar
    assert bar.list.isHidden()
    bar.search.field.setText("load")
    assert not bar.list.isHidden()
    bar.list.click()
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert (table.id, table.keys.tolist() if table.keys is not None else []) == ("found", [3, 1])
    desk.statistics.table.view.selectRow(1)
    assert desk.document.selection.value == Selection("slice", (1,), "timeline-table")
    assert bar.search.count.text() == "2 of 2"
    bar.search.word.setChecked(True)
    table = desk.statistics.table.shown_table()
    assert table is not None
    assert table.rows == 1
    bar.search.field.clear()
    assert "Matches" not in [desk.statistics.tabs.tabText(place) for place in range(desk.statistics.tabs.count())]
    assert desk.statistics.table.view.items.table.id == "slice-statistics"


def names_counted(desk: Both) -> list[object]:
    table = desk.statistics.table.view.items.table
    return [table.columns[0].value(row) for row in range(table.rows)]


def test_only_pipes_are_shown_and_what_is_hidden_is_said(desk: Both) -> None:
    desk.open()
    assert not desk.panel.bar.pipes.isHidden()
    assert not desk.panel.bar.pipes.isChecked()
    desk.open(PIPES)
    desk.statistics.show_table("statistics")
    assert set(names_counted(desk)) == {"ADD", "MOV", "SET_FLAG", "WAIT_FLAG", "VADD", "VMUL"}
    before = desk.panel.line.summary.text()
    desk.panel.bar.pipes.click()
    desk.settle()
    assert [band.index for band in desk.shown.layout.bands if band.kind == "lane"] == [1, 2]
    assert desk.panel.line.summary.text() == "3 slices shown · 1 lane and 4 slices hidden"
    assert "1 lane and 4 slices hidden" in desk.panel.bar.pipes.toolTip()
    assert desk.panel.bar.pipes.accessibleDescription() == "1 lane and 4 slices hidden"
    assert "1 lane and 4 slices hidden" in desk.panel.canvas.accessibleDescription()
    assert set(names_counted(desk)) == {"MOV", "VADD", "VMUL"}
    assert desk.statistics.table.view.items.table.note.startswith("Pipes only: flags, barriers and scalar")
    rows = desk.panel.shown_rows()
    assert rows is not None
    assert [desk.shown.model.name(row) for row in rows.tolist()] == ["MOV", "VADD", "VMUL"]
    desk.statistics.show_table("lanes")
    assert "it includes hidden slices" in desk.statistics.table.view.items.table.note
    band = next(band for band in desk.shown.layout.bands if band.kind == "lane")
    assert "includes hidden flags and barriers" in about_band(desk.shown, band).splitlines()
    assert saved_state(desk.shown)["pipes_only"] is True
    desk.panel.bar.pipes.click()
    desk.settle()
    assert desk.panel.line.summary.text() == before
    assert "pipes_only" not in saved_state(desk.shown)
