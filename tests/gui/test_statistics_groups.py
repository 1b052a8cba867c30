"""Names that differ only in numbers are one row of the statistics, which opens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.profile.file_state import FileState
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.tree.nodes import ARROW
from app.widgets.table.grouped import GroupedModel, GroupedView
from app.widgets.view_state import restore_choices, view_state
from fakes.statistics import refilled, statistics_of
from fakes.timeline_desk import LINE, Desk, profile
from generators.timelines import timeline

KERNELS = timeline(
    [
        ("core0", "CUBE", [[(0.0, 9.0, "0-1(matmul)", ""), (10.0, 8.0, "0-2(matmul)", ""), (20.0, 1.0, "copy", "")]]),
        ("core0", "VEC", [[(5.0, 4.0, "0-3(matmul)", ""), (30.0, 2.0, "0-1(relu)", ""), (40.0, 3.0, "0-2(relu)", "")]]),
    ]
)


class Both(Desk):
    """The timeline panel and the statistics."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__(qtbot)
        self.statistics = statistics_of(qtbot, self.context)
        self.table = self.statistics.table
        self.first = self.open(KERNELS)
        refilled(self.statistics)

    @property
    def view(self) -> GroupedView:
        view = self.table.view
        assert isinstance(view, GroupedView)
        return view

    @property
    def items(self) -> GroupedModel:
        return self.view.items

    @property
    def names(self) -> list[str]:
        """What is seen in the column of names, rows in groups with a space before it."""
        return [
            " " * self.items.place(source)[0] + str(self.items.index(row, 0).data())
            for row, source in enumerate(self.items.rows.tolist())
        ]

    def point(self, row: int, x: int) -> QPoint:
        return QPoint(x, self.view.rowViewportPosition(row) + 8)

    def click(self, row: int, x: int = 60) -> None:
        button = Qt.MouseButton.LeftButton
        QTest.mouseClick(self.view.viewport(), button, Qt.KeyboardModifier.NoModifier, self.point(row, x))

    def chosen(self) -> tuple[int, ...]:
        """The selected slices."""
        value = self.document.selection.value
        return () if value is None else value.indices


@pytest.fixture
def desk(qtbot: QtBot) -> Both:
    return Both(qtbot)


OPENED = ["matmul", " 0-1(matmul)", " 0-2(matmul)", " 0-3(matmul)", "relu", "copy"]


def test_groups_open_beneath_their_row(desk: Both) -> None:
    assert desk.names == ["matmul", "relu", "copy"]
    assert desk.table.count.text == "3 rows"
    desk.click(0, ARROW // 2)
    assert desk.names == OPENED
    assert desk.table.count.text == "6 rows"
    assert desk.document.selection.value is None  # an arrow selects nothing
    desk.click(0, ARROW // 2)
    assert desk.names == ["matmul", "relu", "copy"]
    assert [desk.items.index(0, place).data() for place in (1, 3)] == ["3", "21.00"]
    tip = str(desk.items.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert "matmul" in tip
    assert "3 names" in tip


def test_a_group_selects_its_slices_everywhere(desk: Both) -> None:
    desk.statistics.listed.click()
    desk.click(0)
    assert desk.chosen() == (0, 1, 3)
    assert sorted(desk.panel.canvas.selected.tolist()) == [0, 1, 3]
    assert desk.statistics.instances.view.items.table.note == "3 × matmul"
    desk.view.toggle(0)
    assert desk.table.selected_rows().tolist() == [0, 1, 2, 3]  # all of its names are selected
    desk.click(2)
    assert desk.chosen() == (1,)
    assert desk.statistics.instances.view.items.table.note == "1 × 0-2(matmul)"
    desk.view.toggle(0)
    assert len(desk.table.selected_rows()) == 0
    assert desk.chosen() == (1,)  # closing a group changes no selection


def test_keys_open_and_close_groups(desk: Both) -> None:
    desk.click(0)
    desk.view.setFocus()
    QTest.keyClick(desk.view, Qt.Key.Key_Right)
    assert desk.names == OPENED
    QTest.keyClick(desk.view, Qt.Key.Key_Down)
    QTest.keyClick(desk.view, Qt.Key.Key_Down)
    assert desk.chosen() == (1,)
    QTest.keyClick(desk.view, Qt.Key.Key_Left)
    assert (desk.view.currentIndex().row(), desk.chosen()) == (0, (0, 1, 3))
    QTest.keyClick(desk.view, Qt.Key.Key_Left)
    assert desk.names == ["matmul", "relu", "copy"]
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    assert desk.names == OPENED
    desk.view.close_all()
    assert desk.names == ["matmul", "relu", "copy"]
    desk.view.open_below_current()
    assert desk.names == OPENED
    assert "node" in desk.view.menu_places_at(None)


def test_sorting_keeps_names_beneath_their_group(desk: Both) -> None:
    desk.view.toggle(0)
    desk.table.view.horizontalHeader().setSortIndicator(3, Qt.SortOrder.AscendingOrder)
    assert desk.names == ["copy", "relu", "matmul", " 0-3(matmul)", " 0-2(matmul)", " 0-1(matmul)"]
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 15.0)))
    assert desk.names == ["matmul", " 0-3(matmul)", " 0-2(matmul)", " 0-1(matmul)"]
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 5.0)))
    assert desk.names == ["0-1(matmul)"]  # a group of one is the plain name


def test_a_search_finds_names_in_closed_groups(desk: Both) -> None:
    desk.table.search_for("0-2(")
    assert desk.names == ["matmul", " 0-2(matmul)", "relu", " 0-2(relu)"]
    desk.view.toggle(0)
    assert desk.names == ["matmul", "relu", " 0-2(relu)"]
    desk.table.search_for("matmul")
    assert desk.names == ["matmul"]
    assert desk.table.count.text == "1 of 3 rows"
    desk.view.toggle(0)
    assert desk.names == ["matmul", " 0-1(matmul)", " 0-2(matmul)", " 0-3(matmul)"]
    desk.table.search_for("")
    assert desk.names == OPENED


def test_what_is_shown_is_copied_and_exported(desk: Both) -> None:
    desk.click(1)
    lines = desk.table.copy_text().splitlines()
    assert [line.split("\t")[0] for line in lines[1:]] == ["relu"]
    rows, table = desk.table.shown_rows(), desk.table.shown_table()
    assert rows is not None
    assert table is not None
    assert [table.columns[0].value(row) for row in rows.tolist()] == ["matmul", "relu", "copy"]
    assert desk.table.rows_text() == "Without the rows of closed groups."
    desk.view.toggle(0)
    desk.view.toggle(4)
    assert desk.table.rows_text() == ""


def test_one_button_returns_a_row_for_each_name_and_is_remembered(desk: Both) -> None:
    button = desk.statistics.grouped
    assert button.isVisible()
    assert view_state(desk.statistics)["grouped"] is True
    desk.view.toggle(0)
    desk.click(0)
    button.click()
    flat = ["0-1(matmul)", "0-2(matmul)", "0-3(matmul)", "0-2(relu)", "0-1(relu)", "copy"]
    assert desk.names == flat
    assert desk.table.view.items.table.id == "slice-statistics"
    assert desk.table.selected_rows().tolist() == [0, 1, 2]
    assert view_state(desk.statistics)["grouped"] is False
    restore_choices(desk.statistics, {"grouped": True})
    assert desk.names == OPENED
    desk.statistics.show_table("lanes")
    assert not button.isVisible()
    desk.statistics.show_table("statistics")
    assert button.isVisible()
    desk.open(LINE)
    refilled(desk.statistics)
    assert not button.isVisible()  # it would save no row


def test_lanes_limit_groups(desk: Both) -> None:
    desk.panel.canvas.lanes_chosen.emit((1,), False)
    assert desk.names == ["relu", "0-3(matmul)"]
    desk.document.selection.set(Selection("slice", (3,), "elsewhere"))
    assert desk.names == ["matmul", "relu", "copy"]


def test_beside_a_baseline_each_name_is_compared_by_itself(desk: Both) -> None:
    before, after = (desk.document.add(profile(KERNELS), number) for number in (2, 3))
    for entry in (before, after):
        desk.document.finish(entry)
    desk.document.baselines.set(after, before)
    desk.settle()
    desk.panel._refresh.now()
    desk.qtbot.waitUntil(lambda: desk.panel.comparing.below is not None)
    refilled(desk.statistics)
    desk.qtbot.waitUntil(lambda: desk.statistics._shown.changed_only.isVisible() and not desk.statistics.busy)
    desk.statistics._shown.changed_only.setChecked(False)
    desk.qtbot.waitUntil(lambda: not desk.statistics.busy and len(desk.items.rows) == 6)
    assert desk.items.parents is None
    assert desk.statistics.grouped.isHidden()


def test_each_profile_remembers_the_choice(desk: Both) -> None:
    states = desk.document.states
    assert states.view(desk.first, "statistics") is None
    desk.statistics.grouped.click()
    second = desk.open(KERNELS)
    refilled(desk.statistics)
    assert desk.names == ["matmul", "relu", "copy"]
    assert states.view(second, "statistics") is None
    desk.document.show(desk.first)
    refilled(desk.statistics)
    assert len(desk.names) == 6
    states.restore(second, FileState(views={"statistics": {"grouped": False}}))
    desk.document.show(second)
    refilled(desk.statistics)
    assert len(desk.names) == 6
    desk.statistics.grouped.click()
    assert desk.names == ["matmul", "relu", "copy"]
    assert states.view(second, "statistics") == {}
