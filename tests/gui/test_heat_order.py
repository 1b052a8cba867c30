"""The heat table with its largest rows first, and its table by tile."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.matrices import column_figures, row_figures
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.heat_table.panel import HeatPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.display import Display
from fakes.matrices import by_id
from fakes.pictures import block_hovered, columns_marked, heat_shown, rows_marked
from generators import poplar


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("heat"), poplar.Scale(compute_sets=20)))
    return profile


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.panel = HeatPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 400)
        self.panel.show()
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    def show(self, matrix: str) -> None:
        ids = [entry.id for entry in self.panel._matrices]
        self.panel.chooser.setCurrentIndex(ids.index(matrix))


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile)


@pytest.mark.parametrize("matrix_id", ["compute-set-cycles", "compute-set-code-bytes"])
def test_largest_rows_stand_first_and_keep_what_they_are(desk: Desk, profile: Profile, matrix_id: str) -> None:
    desk.show(matrix_id)
    matrix = by_id(profile, matrix_id)
    assert matrix is not None
    desk.panel.row_order.choose("largest")
    picture = heat_shown(desk.panel.canvas)
    figures = row_figures(matrix)
    order = np.argsort(-figures, kind="stable")
    assert np.array_equal(picture.pyramid.values[:], matrix.values[order])
    assert picture.row_name(0) == matrix.row_names[int(order[0])]
    desk.document.selection.set(Selection("compute_set", (int(order[4]),), "test"))
    assert rows_marked(desk.panel.canvas) == [4]
    assert desk.panel.selected_rows().tolist() == [order[4]]
    layout = desk.panel.canvas.layout_now()
    assert layout is not None
    QTest.mouseClick(
        desk.panel.canvas,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(int(layout.names.left()) + 3, round(layout.y_of(2.5))),
    )
    assert desk.document.selection.value == Selection("compute_set", (int(order[2]),), "heat")
    desk.document.hover.set(Selection("compute_set", (int(order[6]),), "test"))
    assert block_hovered(desk.panel.canvas) == (range(6, 7), range(picture.columns))


def test_what_was_selected_in_another_profile_orders_nothing(desk: Desk, profile: Profile) -> None:
    def ordered() -> bool:
        desk.panel._refresh.now()
        return desk.panel._arranged is not None and desk.panel._arranged.rows is not None

    desk.show("compute-set-cycles")
    desk.panel.row_order.choose("chosen")
    desk.document.selection.set(Selection("tile", (3,), "test"))
    assert ordered()
    desk.document.show(desk.document.add(profile, 2))
    assert not ordered()
    assert desk.panel.row_order.order == "chosen"
    desk.document.show(desk.document.entries[0].id)
    assert ordered()


def test_code_is_added_over_tiles_alone_and_the_tooltip_says_why(desk: Desk, profile: Profile) -> None:
    for kind in ("compute-set-code-bytes", "compute-set-total-bytes", "vertex-type-code-bytes"):
        matrix = by_id(profile, kind)
        assert matrix is not None
        assert matrix.column_summary == "maximum"
        assert row_figures(matrix).tolist() == matrix.values.sum(axis=1).tolist()
        assert column_figures(matrix).tolist() == matrix.values.max(axis=0).tolist()
        desk.show(kind)
        assert "counted in each" in desk.panel.row_order.toolTip()
        assert "counted in each" in desk.panel.chooser.toolTip()
        desk.panel.as_table.setChecked(True)
        table = desk.panel.shown_table()
        assert table is not None
        assert not next(column for column in table.columns if column.key == "sum").adds_up
        desk.panel.as_table.setChecked(False)
    padding = by_id(profile, "compute-set-padding-bytes")
    assert padding is not None
    assert row_figures(padding).tolist() == padding.values.sum(axis=1).tolist()


def test_the_table_by_tile(desk: Desk, profile: Profile) -> None:
    desk.show("compute-set-cycles")
    assert desk.panel.by_column.isHidden()
    desk.panel.as_table.setChecked(True)
    assert not desk.panel.by_column.isHidden()
    assert desk.panel.row_order.isHidden()
    desk.panel.by_column.setChecked(True)
    matrix = by_id(profile, "compute-set-cycles")
    assert matrix is not None
    table = desk.panel.shown_table()
    assert table is not None
    assert table.selects == "tile"
    figures = [int(table.columns[1].value(row) or 0) for row in range(table.rows)]
    assert figures == matrix.values.sum(axis=0, dtype=np.int64).tolist()


def test_active_cycles_by_vertex_type(desk: Desk, profile: Profile) -> None:
    """Compute sets by vertex types: each cell, and that a row adds up to the active cycles of all tiles."""
    desk.show("compute-set-type-cycles")
    matrix = desk.panel.matrix
    assert matrix is not None
    assert (matrix.rows, matrix.columns) == ("compute_set", "vertex_type")
    assert profile.compute_sets is not None
    assert profile.compute_sets.active_cycles is not None
    assert row_figures(matrix).tolist() == profile.compute_sets.active_cycles.sum(axis=1, dtype=np.int64).tolist()
    assert desk.panel.by_column.text() == "One row per vertex type"
    desk.document.selection.set(Selection("vertex_type", (1,), "test"))
    assert columns_marked(desk.panel.canvas) == [1]
