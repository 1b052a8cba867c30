"""Figures of whole rows and columns beside the heat map, and every order of both."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.analysis.matrix import Order, column_figures, row_figures
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.heat_table.panel import HeatPanel
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.views.axis import TileAxis
from app.views.look import DARK, LIGHT, Look, Theme
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.heat.layout import HeatLayout
from app.widgets.heat.picture import HeatPicture, Margins, heat_picture
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.scene import draw_whole
from fakes.matrices import by_id
from fakes.pictures import block_hovered, choose_columns, columns_marked, heat_shown, rows_marked
from generators import poplar

SCALE = poplar.Scale(ipus=2, tiles_per_ipu=16, compute_sets=20, mode="COMPUTE_SETS", estimates=True)
SUMS, LARGEST = "compute-set-cycles", "compute-set-code-bytes"
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("margins"), SCALE))
    return profile


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.profile = profile
        self.panel = HeatPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 460)
        self.panel.show()
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    def show(self, matrix: str, rows: Order = "file", columns: Order = "file") -> np.ndarray:
        ids = [entry.id for entry in self.panel._matrices]
        self.panel.chooser.setCurrentIndex(ids.index(matrix))
        self.panel.row_order.choose(rows)
        self.panel.column_order.choose(columns)
        found = by_id(self.profile, matrix)
        assert found is not None
        return found.values.astype(np.int64)

    def select(self, kind: str, *items: int) -> None:
        self.document.selection.set(Selection(kind, items, "test"))  # type: ignore[arg-type]

    @property
    def picture(self) -> HeatPicture:
        return heat_shown(self.panel.canvas)

    @property
    def layout(self) -> HeatLayout:
        made: HeatLayout = self.panel.canvas.layout_now()
        return made

    def shown(self) -> np.ndarray:
        return np.asarray(self.picture.pyramid.values[:], np.int64)


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile)


@pytest.mark.parametrize(("matrix_id", "what"), [(SUMS, "Sum"), (LARGEST, "Max")])
def test_rows_and_columns_have_their_figures(desk: Desk, matrix_id: str, what: str) -> None:
    values = desk.show(matrix_id)
    margins = desk.picture.margins
    assert margins is not None
    figure = np.sum if what == "Sum" else np.max
    assert (margins.row_word, margins.column_word) == ("Sum", what)
    assert margins.rows.tolist() == values.sum(axis=1).tolist()
    assert margins.columns.tolist() == figure(values, axis=0).tolist()
    desk.panel.row_order.choose("largest")
    desk.panel.column_order.choose("largest")
    assert desk.picture.margins is not None
    for figures in (desk.picture.margins.rows, desk.picture.margins.columns):
        assert figures.tolist() == sorted(figures.tolist(), reverse=True)


def order_by(figures: np.ndarray) -> np.ndarray:
    return np.argsort(-figures, kind="stable")


@pytest.mark.parametrize("matrix_id", [SUMS, LARGEST, "internal-exchange-sent", "compute-set-type-cycles"])
def test_every_order_of_rows_and_columns(desk: Desk, matrix_id: str) -> None:
    values = desk.show(matrix_id)
    matrix = desk.panel.matrix
    assert matrix is not None
    wanted_rows = order_by(row_figures(matrix))
    wanted_columns = order_by(column_figures(matrix))
    desk.show(matrix_id, "largest", "largest")
    assert np.array_equal(desk.shown(), values[wanted_rows][:, wanted_columns])
    desk.show(matrix_id, "name")
    names = [desk.picture.row_name(row) for row in range(desk.picture.rows)]
    assert names == sorted(names, key=str.casefold)
    desk.show(matrix_id, "chosen", "chosen")
    assert np.array_equal(desk.shown(), values)  # nothing is selected yet
    desk.select(matrix.columns, 3, 5)
    wanted_rows = order_by(values[:, [3, 5]].sum(axis=1))
    assert np.array_equal(desk.shown(), values[wanted_rows])
    desk.select(matrix.rows, matrix.item(2))
    assert np.array_equal(desk.shown(), values[wanted_rows][:, order_by(values[2])])
    place = int(np.flatnonzero(wanted_rows == 2)[0])
    assert rows_marked(desk.panel.canvas) == [place]
    assert desk.panel.selected_rows().tolist() == [2]


def test_sorted_columns_keep_what_they_are(desk: Desk) -> None:
    values = desk.show(SUMS, columns="largest")
    order = order_by(values.sum(axis=0))
    first = int(order[0])
    assert desk.picture.axis.name(0) == f"tile {first} (IPU {first // 16}), rank 1"
    assert not desk.picture.axis.borders()
    choose_columns(desk.panel.canvas, 0, 2)
    assert desk.document.selection.value == Selection("tile", tuple(sorted(order[:3].tolist())), "heat")
    assert columns_marked(desk.panel.canvas) == [0, 1, 2]
    desk.panel.canvas.range_wanted.emit(1, 1)
    assert desk.document.ranges.value.tiles == TileRange((int(order[1]),))
    assert desk.panel.canvas.marks.within is not None
    assert desk.panel.canvas.marks.within.tolist() == [1]
    desk.document.ranges.set(Ranges(tiles=TileRange((int(order[4]), 4000))))
    assert desk.panel.canvas.marks.within.tolist() == [4]
    desk.document.hover.set(Selection("tile", (int(order[7]),), "test"))
    assert block_hovered(desk.panel.canvas) == (range(desk.picture.rows), range(7, 8))


def test_pointing_beside_the_cells_tells_the_figure_of_all(desk: Desk) -> None:
    values = desk.show(SUMS)
    layout, canvas = desk.layout, desk.panel.canvas
    y, x = round(layout.y_of(4.5)), round(layout.x_of(9.5))
    for left in (layout.names.left() + 4, layout.beside.left() + 8):
        QTest.mouseMove(canvas, QPoint(2, 2))
        QTest.mouseMove(canvas, QPoint(int(left), y))
        told = desk.panel.readout.text.replace("\u00a0", " ")
        assert told == f"{desk.picture.row_name(4)}: sum {int(values[4].sum()):,} cycles"
        assert desk.document.hover.value == Selection("compute_set", (4,), "heat")
    for top in (layout.axis.top() + 4, layout.above.top() + 4):
        QTest.mouseMove(canvas, QPoint(2, 2))
        QTest.mouseMove(canvas, QPoint(x, int(top)))
        assert desk.panel.readout.text.startswith(f"tile 9 (IPU 0): sum {int(values[:, 9].sum()):,}")
        assert desk.document.hover.value == Selection("tile", (9,), "heat")
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(int(layout.beside.left()) + 8, y))
    assert desk.document.selection.value == Selection("compute_set", (4,), "heat")
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(x, int(layout.above.top()) + 4))
    assert desk.document.selection.value == Selection("tile", (9,), "heat")


def test_the_tool_tip_says_why_code_is_not_added(desk: Desk, qtbot: QtBot) -> None:
    def told(point: QPointF) -> str:
        QToolTip.hideText()
        place = point.toPoint()
        canvas = desk.panel.canvas
        QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, place, canvas.mapToGlobal(place)))
        qtbot.waitUntil(QToolTip.isVisible)
        return html.unescape(re.sub("<[^>]*>", "", QToolTip.text()))

    desk.show(LARGEST)
    for place in (desk.layout.beside.center(), desk.layout.above.center()):
        text = told(place)
        assert "For each tile: maximum over compute sets." in text
        assert "counted in each of them" in text
    desk.show(SUMS)
    said = "For each compute set: sum over tiles. For each tile: sum over compute sets."
    assert told(desk.layout.beside.center()).startswith(said)
    QToolTip.hideText()


def drawn(picture: HeatPicture, width: int, theme: Theme) -> tuple[QImage, HeatLayout]:
    image = QImage(width, 400, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        return image, draw_whole(painter, QRectF(0, 0, width, 400), HeatScene(picture), Look(theme=theme))


def test_a_narrow_picture_has_room_for_cells_only(desk: Desk) -> None:
    desk.show(SUMS)
    assert not drawn(desk.picture, 900, LIGHT)[1].beside.isEmpty()
    assert drawn(desk.picture, 400, LIGHT)[1].beside.isEmpty()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_bars_are_as_long_as_their_figures(desk: Desk, theme: Theme) -> None:
    desk.show(SUMS, "largest", "largest")
    image, layout = drawn(desk.picture, 900, theme)
    surface = QColor(theme.surface).rgb()
    y = round(layout.y_of(desk.picture.rows - 0.9))
    beside = [
        image.pixel(x, y) != surface for x in range(round(layout.beside.left()) + 4, round(layout.beside.right()))
    ]
    y = round(layout.y_of(0.1))
    first = [image.pixel(x, y) != surface for x in range(round(layout.beside.left()) + 4, round(layout.beside.right()))]
    assert sum(first) > sum(beside) > 0
    heights = [
        sum(image.pixel(x, y) != surface for y in range(round(layout.above.top()), round(layout.above.bottom()) - 4))
        for x in (round(layout.x_of(0.5)), round(layout.x_of(20.5)))
    ]
    assert heights[0] > heights[1] > 0


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_cells_that_are_large_enough_tell_their_figures(qapp: QApplication, theme: Theme) -> None:
    """Seen as ink of another colour inside the cells; far out there is none."""
    values = np.array([[1000, 1000, 0], [1000, 250_000, -1]], np.int32)
    shown = heat_picture("x", values, "cycles", "Set", lambda row: f"set {row}", TileAxis(3))
    image, layout = drawn(shown, 900, theme)

    def colours(row: int, column: int) -> set[int]:
        left, top = layout.x_of(column) + 6, layout.y_of(row) + 4
        wide, high = layout.x_of(column + 1) - 6, layout.y_of(row + 1) - 4
        return {image.pixel(x, y) for x in range(round(left), round(wide)) for y in range(round(top), round(high))}

    cells = {(row, column): colours(row, column) for row in range(2) for column in range(3)}
    for place, found in cells.items():
        assert len(found) > 1, place
    assert cells[0, 0] == cells[0, 1]
    many = heat_picture("x", np.full((2, 900), 1000), "cycles", "Set", lambda row: f"set {row}", TileAxis(900))
    image, layout = drawn(many, 900, theme)
    y = round(layout.y_of(0.5))
    assert len({image.pixel(x, y) for x in range(round(layout.plot.left()) + 2, round(layout.plot.right()) - 2)}) == 1


def test_sums_over_tiles_are_no_durations() -> None:
    margins = Margins(np.array([4000]), np.array([1000]), "cycles", "", 1e6, parallel=True)
    look = Look(cycles_as="time")
    assert margins.title(look) == "Sum (cycles)"
    assert margins.describe("conv", 4000, None, look, across=False) == "conv: sum 4,000 cycles"
    assert margins.describe("tile 1", 1000, None, look, across=True) == "tile 1: sum 1.00 ms (1,000 cycles)"
