"""The plot per tile as a person meets it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.views.axis import TileAxis
from app.views.look import DARK, LIGHT, Look
from app.views.plot import Limit, PlotPicture, plot_picture
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import draw_whole
from app.widgets.plot import legend
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.scene import PlotScene

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


def picture(size: int = 3000) -> PlotPicture:
    amounts = np.full(size, 1000, np.int64)
    amounts[size // 2] = 5000
    return plot_picture(
        *("Memory", "B", TileAxis(size, group=1472)),
        [("code", amounts), ("data", amounts // 2)],
        limit=Limit(10_000, "tile memory"),
    )


@pytest.fixture
def canvas(qtbot: QtBot) -> PlaneCanvas[PlotScene]:
    canvas: PlaneCanvas[PlotScene] = PlaneCanvas(Display())
    qtbot.addWidget(canvas)
    canvas.resize(700, 300)
    canvas.set_scene(PlotScene(picture()))
    canvas.show()
    return canvas


def layout(canvas: PlaneCanvas[PlotScene]) -> PlotLayout:
    made: PlotLayout = canvas.layout_now()
    return made


def at(canvas: PlaneCanvas[PlotScene], place: float, amount: float = 500) -> QPoint:
    return QPoint(int(layout(canvas).x_of(place)), round(layout(canvas).y_of(amount)))


def test_pointing_tells_the_worst_tile_of_the_column(qtbot: QtBot, canvas: PlaneCanvas[PlotScene]) -> None:
    with qtbot.waitSignal(canvas.pointed) as told:
        QTest.mouseMove(canvas, at(canvas, 1500.5))
    place, text = told.args
    assert place == 1500
    assert text.startswith("tile 1,500 (IPU 1): 7.32 KiB (7,500 B), 75.0 % of tile memory · max of ")
    assert "code 4.88 KiB, data 2.44 KiB" in text


def test_a_click_chooses_a_tile_and_a_drag_several(qtbot: QtBot, canvas: PlaneCanvas[PlotScene]) -> None:
    QTest.mouseMove(canvas, at(canvas, 1500.5))
    with qtbot.waitSignal(canvas.chosen) as chosen:
        QTest.mouseClick(canvas, LEFT, PLAIN, at(canvas, 1500.5))
    assert [chosen.args[0].tolist(), chosen.args[1]] == [[1500], False]
    with qtbot.waitSignal(canvas.chosen) as chosen:
        QTest.mousePress(canvas, LEFT, Qt.KeyboardModifier.ShiftModifier, at(canvas, 100))
        QTest.mouseMove(canvas, at(canvas, 900))
        QTest.mouseRelease(canvas, LEFT, Qt.KeyboardModifier.ShiftModifier, at(canvas, 900))
    places, adding = chosen.args
    assert [places[0], places[-1], adding] == [pytest.approx(100, abs=8), pytest.approx(900, abs=8), True]


def test_selection_range_and_steps(qtbot: QtBot, canvas: PlaneCanvas[PlotScene]) -> None:
    assert canvas.history is not None
    canvas.zoom(50)
    canvas.mark(np.array([10, 11]), reveal=True)
    assert canvas.history.view.x.start <= 10 < canvas.history.view.x.end
    with qtbot.waitSignal(canvas.range_wanted) as wanted:
        canvas.selection_to_range()
    assert wanted.args == [10, 11]
    with qtbot.waitSignal(canvas.chosen) as chosen:
        canvas.step_item(1)
    assert chosen.args[0].tolist() == [11]
    canvas.focus_selection()
    assert canvas.history.view.x.width < 20
    canvas.focus_selection()
    assert canvas.history.view.x.width == canvas.history.view.x.size


def test_the_worst_tile_is_seen_however_narrow_the_plot(canvas: PlaneCanvas[PlotScene]) -> None:
    canvas.resize(300, 300)
    image = canvas.grab().toImage()
    x = at(canvas, 1500.5).x()
    high = at(canvas, 0, 7000).y()
    ground = QColor(LIGHT.surface).name()
    assert any(image.pixelColor(x + dx, high).name() != ground for dx in (-2, -1, 0, 1))
    assert image.pixelColor(at(canvas, 700).x(), high).name() == ground


def test_the_limit_is_seen_with_its_name(canvas: PlaneCanvas[PlotScene]) -> None:
    y = at(canvas, 0, 10_000).y()
    image = canvas.grab().toImage()
    line = [image.pixelColor(round(layout(canvas).plot.left()) + 40, y + dy).name() for dy in (-1, 0, 1)]
    assert QColor(LIGHT.error).name() in line


def test_places_without_data_differ_from_empty_ones() -> None:
    amounts = np.array([0.0, np.nan, 3.0])
    shown = plot_picture("X", "B", TileAxis(3), [("x", amounts)])
    assert shown.describe(1, 2, 1, Look()) == "tile 1: no data"
    assert shown.describe(0, 1, 0, Look()) == "tile 0: 0 B"
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    canvas: PlaneCanvas[PlotScene] = PlaneCanvas(Display())
    canvas.resize(300, 200)
    canvas.set_scene(PlotScene(shown))
    with QPainter(image) as painter:
        canvas.draw_picture(painter, QRectF(0, 0, 300, 200), DARK)
    place = layout(canvas)
    tones = {
        image.pixelColor(QPointF(place.x_of(x), place.plot.center().y()).toPoint()).name() for x in (0.5, 1.5, 2.5)
    }
    assert len(tones) == 3


@pytest.mark.parametrize("size", [0, 1, 7, 100_000])
def test_odd_sizes(canvas: PlaneCanvas[PlotScene], size: int) -> None:
    canvas.set_scene(PlotScene(plot_picture("Odd", "cycles", TileAxis(size), [("x", np.zeros(size, np.int64))])))
    canvas.zoom(3)
    canvas.step_item(-1)
    assert not canvas.grab().isNull()


def test_what_lies_above_the_limit_is_of_the_colour_of_errors(qtbot: QtBot) -> None:
    amounts = np.array([500, 1500, 900], np.int64)
    shown = plot_picture("Memory", "B", TileAxis(3), [("x", amounts)], limit=Limit(1000, "Memory of a tile"))
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    with QPainter(image) as painter:
        place = draw_whole(painter, QRectF(0, 0, 300, 200), PlotScene(shown), Look(theme=LIGHT))

    def tone(x: float, amount: float) -> str:
        return image.pixelColor(QPointF(place.x_of(x), place.y_of(amount)).toPoint()).name().upper()

    assert tone(1.5, 1250) == LIGHT.error.upper()
    assert tone(1.5, 500) == tone(0.5, 250) == shown.fills(LIGHT)[0].upper()
    assert tone(0.5, 1250) == LIGHT.surface.upper()


def test_a_legend_without_room_names_the_largest_layers() -> None:
    layers = [(f"part {number}", np.full(4, amount)) for number, amount in enumerate((1, 50, 3, 40, 2, 60))]
    shown = plot_picture("Memory", "B", TileAxis(4), layers)
    metrics = QFontMetricsF(QFont())
    kept, hidden, _ = legend.shown(QRectF(0, 0, 100, 4.5 * (metrics.height() + 4)), shown, LIGHT, metrics)
    assert [entry.name for entry in kept] == ["part 5", "part 3", "part 1"]
    assert [entry.name for entry in hidden] == ["part 4", "part 2", "part 0"]
