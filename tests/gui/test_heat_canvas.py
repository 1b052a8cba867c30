"""The heat map as a person meets it: pointing, choosing, zooming and going back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.profile.arrays import I64
from app.views.axis import TileAxis
from app.views.look import DARK
from app.widgets.display import Display
from app.widgets.heat.layout import HeatLayout
from app.widgets.heat.picture import HeatPicture, heat_picture
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


def picture(rows: int = 40, columns: int = 3000) -> HeatPicture:
    values = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    values[3] = -1
    values[4] = 0
    return heat_picture(
        "Cycles", values, "cycles", "Compute set", lambda row: f"set {row}", TileAxis(columns, group=1472)
    )


@pytest.fixture
def canvas(qtbot: QtBot) -> PlaneCanvas[HeatScene]:
    canvas: PlaneCanvas[HeatScene] = PlaneCanvas(Display())
    qtbot.addWidget(canvas)
    canvas.resize(700, 400)
    canvas.set_scene(HeatScene(picture()))
    canvas.show()
    return canvas


def layout(canvas: PlaneCanvas[HeatScene]) -> HeatLayout:
    made: HeatLayout = canvas.layout_now()
    return made


def items(canvas: PlaneCanvas[HeatScene], rows: list[int], columns: object = ()) -> I64:
    assert canvas.scene is not None
    return canvas.scene.items(np.array(rows, np.int64), np.array(columns, np.int64))


def at(canvas: PlaneCanvas[HeatScene], row: float, column: float) -> QPoint:
    return QPoint(round(layout(canvas).x_of(column)), round(layout(canvas).y_of(row)))


def test_pointing_tells_the_exact_figure_and_how_many_cells_a_pixel_holds(
    qtbot: QtBot, canvas: PlaneCanvas[HeatScene]
) -> None:
    with qtbot.waitSignal(canvas.pointed) as told:
        QTest.mouseMove(canvas, at(canvas, 10.5, 1600))
    row, text = told.args
    assert row == 10
    column = int(text.split("tile ")[1].split(" ")[0].replace(",", ""))
    assert abs(column - 1600) < 10
    assert f"set 10 · tile {column:,} (IPU 1): {10 * 3000 + column:,} cycles" in text
    assert "cells here" in text
    canvas._zoom_about(200, QPointF(at(canvas, 10.5, 1600)), "")
    with qtbot.waitSignal(canvas.pointed) as told:
        QTest.mouseMove(canvas, at(canvas, 10.5, 1600.5))
    assert told.args == [10, "set 10 · tile 1,600 (IPU 1): 31,600 cycles"]


def test_a_row_without_data_says_so(qtbot: QtBot, canvas: PlaneCanvas[HeatScene]) -> None:
    with qtbot.waitSignal(canvas.pointed) as told:
        QTest.mouseMove(canvas, at(canvas, 3.5, 100))
    assert "no data" in told.args[1]


def test_a_click_chooses_the_row_and_a_drag_the_tiles(qtbot: QtBot, canvas: PlaneCanvas[HeatScene]) -> None:
    with qtbot.waitSignal(canvas.chosen) as row:
        QTest.mouseClick(canvas, LEFT, PLAIN, at(canvas, 7.5, 500))
    assert row.args[0].tolist() == [7]
    with qtbot.waitSignal(canvas.chosen) as row:
        QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(20, at(canvas, 9.5, 0).y()))
    assert row.args[0].tolist() == [9]
    with qtbot.waitSignal(canvas.chosen) as columns:
        QTest.mousePress(canvas, LEFT, PLAIN, at(canvas, 7.5, 500))
        QTest.mouseMove(canvas, at(canvas, 7.5, 900))
        QTest.mouseRelease(canvas, LEFT, PLAIN, at(canvas, 7.5, 900))
    assert columns.args[0][0] - 40 == pytest.approx(500, abs=8)
    assert columns.args[0][-1] - 40 == pytest.approx(900, abs=8)


def test_focus_shows_the_selection_then_everything(canvas: PlaneCanvas[HeatScene]) -> None:
    assert canvas.history is not None
    whole = canvas.history.view
    canvas.mark(items(canvas, [20], np.arange(1000, 1010)))
    canvas.focus_selection()
    assert canvas.history.view.x.start == pytest.approx(995)
    assert canvas.history.view.x.end == pytest.approx(1015)
    canvas.focus_selection()
    assert canvas.history.view == whole


def test_a_selection_from_elsewhere_is_brought_to_view(canvas: PlaneCanvas[HeatScene]) -> None:
    assert canvas.history is not None
    canvas.zoom(20)
    canvas.mark(items(canvas, [39], np.array([2999])), reveal=True)
    view = canvas.history.view
    assert view.y.start <= 39 < view.y.end
    assert view.x.start <= 2999 < view.x.end


def test_steps_and_ranges(qtbot: QtBot, canvas: PlaneCanvas[HeatScene]) -> None:
    canvas.mark(items(canvas, [20], np.arange(5, 9)))
    with qtbot.waitSignal(canvas.chosen) as row:
        canvas.step_item(1)
    assert row.args[0].tolist() == [21]
    with qtbot.waitSignal(canvas.range_wanted) as wanted:
        canvas.selection_to_range()
    assert wanted.args == [5, 8]


def test_what_is_drawn(canvas: PlaneCanvas[HeatScene]) -> None:
    """Zero, no data and amounts differ on the screen; selection, range and hover change the picture."""
    image = canvas.grab().toImage()
    tones = {
        name: image.pixelColor(at(canvas, row, 2000)).name()
        for name, row in (("gap", 3.5), ("zero", 4.5), ("some", 30.5))
    }
    assert len(set(tones.values())) == 3
    before = image.copy()
    canvas.mark(items(canvas, [20], np.arange(100, 400)))
    assert canvas.grab().toImage() != before
    canvas.set_range(np.arange(0, 1000))
    veiled = canvas.grab().toImage().pixelColor(at(canvas, 30.5, 2000))
    assert veiled.name() != tones["some"]


def test_the_same_code_draws_the_export(canvas: PlaneCanvas[HeatScene]) -> None:
    image = QImage(600, 300, QImage.Format.Format_RGB32)
    image.fill(QColor(DARK.surface))
    with QPainter(image) as painter:
        canvas.draw_picture(painter, QRectF(0, 0, 600, 300), DARK)
    assert len({image.pixel(x, 150) for x in range(0, 600, 7)}) > 10


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (0, 5), (5, 0), (3, 1), (1, 100_000)])
def test_odd_shapes(canvas: PlaneCanvas[HeatScene], rows: int, columns: int) -> None:
    canvas.set_scene(HeatScene(picture(5, 5)) if not rows * columns else None)
    values = np.zeros((rows, columns), np.int64)
    canvas.set_scene(HeatScene(heat_picture("Odd", values, "B", "Row", str, TileAxis(columns))))
    canvas.grab()
    canvas.zoom(3)
    canvas.scroll_rows(1)
    canvas.step_item(1)
    canvas.fit()
    assert not canvas.grab().isNull()
