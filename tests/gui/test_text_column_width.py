"""A column of long texts takes the width that the other columns leave."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings
from app.widgets.display import Display
from app.widgets.table.view import ENOUGH, LEAST_REST, TableView

LINES = 300


@pytest.fixture
def view(qtbot: QtBot) -> TableView:
    texts = [f"    const auto tile_{line} = tiling_.TileOf(step, left_, right_, bias_);" for line in range(LINES)]
    number, cycles = np.arange(LINES), np.arange(LINES) * 12_345.0
    columns = (
        Column("line", "Line", number),
        Column("cycles", "Cycles", cycles, "cycles"),
        Column("text", "Source", Coded(number, Strings.of(texts)), role="code"),
        Column("instructions", "Instructions", number),
        Column("bytes", "Process bytes", cycles, "B"),
    )
    made = TableView(Display())
    qtbot.addWidget(made)
    made.resize(800, 300)
    made.show()
    made.set_table(Table("source", "Source", columns, "line"))
    return made


def widths(view: TableView, size: int) -> list[int]:
    view.resize(size, 300)
    QApplication.processEvents()
    return [view.columnWidth(place) for place in range(5)]


def test_the_source_takes_what_is_left(view: TableView) -> None:
    for size in (900, 1400, 1900, 1000):
        assert sum(widths(view, size)) == view.viewport().width()
    figures = widths(view, 1900)
    assert figures[2] > 3 * ENOUGH
    assert widths(view, 1000)[:2] == figures[:2]


def test_in_a_narrow_view_it_fills_the_view_and_the_rest_is_scrolled_to(view: TableView) -> None:
    for size in (420, 520, 560):
        line, cycles, text, *_ = widths(view, size)
        assert line + cycles + text == view.viewport().width()
    assert widths(view, 150)[2] == LEAST_REST


def test_a_width_that_somebody_chose_stays(view: TableView) -> None:
    widths(view, 900)
    view.setColumnWidth(2, 250)
    assert widths(view, 1500)[2] == 250


def test_an_elided_column_gives_way_so_that_nothing_is_scrolled_to(view: TableView) -> None:
    rows = 3
    columns = (
        Column("kind", "Kind", ("warning",) * rows, role="kind"),
        Column("title", "Title", ("Transfers and computing do not overlap on core 1",) * rows, role="name"),
        Column("rule", "Rule", ("ascend.no-overlap",) * rows, role="code"),
    )
    view.least_rest, view.elided = 64, "title"
    view.set_table(Table("findings", "Findings", columns))

    def at(size: int) -> list[int]:
        view.resize(size, 300)
        QApplication.processEvents()
        return [view.columnWidth(place) for place in range(3)]

    kind, title, _ = at(900)
    assert sum(at(900)) == view.viewport().width()
    assert at(380) == [kind, view.viewport().width() - kind - 64, 64]
    assert view.wanted_width(1) == title
    assert at(900)[1] == title
    view.setColumnWidth(1, 500)
    assert at(380)[1] == 500
