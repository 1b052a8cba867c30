"""The histogram as a person meets it."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.bins import bins
from app.views.chart.histogram import HistogramPicture
from app.views.colours import QUIET, fitted
from app.views.look import DARK, LIGHT, Look
from app.views.plot import Limit
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.display import Display

Canvas: TypeAlias = ChartCanvas[HistogramPicture]
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def picture() -> HistogramPicture:
    found = bins(np.array([1, 1, 1, 2, 9], np.int64), top=12)
    assert found is not None
    return HistogramPicture("Spread", found, "cycles", "tiles", Limit(11, "Most"))


@pytest.fixture
def canvas(qtbot: QtBot) -> Canvas:
    canvas: Canvas = ChartCanvas(Display())
    qtbot.addWidget(canvas)
    canvas.resize(500, 240)
    canvas.show_picture(picture())
    canvas.show()
    return canvas


def items_of(signal: Any) -> list[int]:
    """The things that a signal carried."""
    items: list[int] = signal.args[0].tolist()
    return items


def at(canvas: Canvas, number: int) -> QPoint:
    layout = canvas.layout_now()
    assert layout is not None
    return QPoint(int(layout.x_of(number + 0.5)), int(layout.plot.bottom()) - 4)


def test_bars_are_as_high_as_their_counts(qapp: QApplication) -> None:
    for theme in (LIGHT, DARK):
        image = QImage(500, 240, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            look = Look(theme=theme)
            scene = ChartScene(picture().chart(look), ChartPainter())
            place, metrics = image.rect().toRectF(), QFontMetricsF(painter.font(), image)
            layout = scene.lay_out(place, scene.whole(), look, metrics)
            scene.draw(painter, layout, look)
        fill = fitted(QUIET, theme).lower()
        tall = []
        for number in range(len(picture().bins.counts)):
            x = int(layout.x_of(number + 0.5))
            rows = range(int(layout.plot.top()), int(layout.plot.bottom()))
            tall.append(sum(image.pixelColor(x, y).name() == fill for y in rows))
        want = [layout.plot.bottom() - layout.y_of(count) for count in picture().bins.counts.tolist()]
        assert tall == pytest.approx(want, abs=2)


def test_pointing_and_choosing(qtbot: QtBot, canvas: Canvas) -> None:
    with qtbot.waitSignal(canvas.pointed) as told:
        QTest.mouseMove(canvas, at(canvas, 1))
    assert told.args == [1, "3 tiles of 1 cycles to 2 cycles"]
    with qtbot.waitSignal(canvas.chosen) as chosen:
        QTest.mouseClick(canvas, LEFT, PLAIN, at(canvas, 9))
    assert items_of(chosen) == [9]
    with qtbot.waitSignal(canvas.chosen) as chosen:
        QTest.mousePress(canvas, LEFT, PLAIN, at(canvas, 5))
        QTest.mouseMove(canvas, at(canvas, 2))
        QTest.mouseRelease(canvas, LEFT, PLAIN, at(canvas, 2))
    assert items_of(chosen) == [2, 3, 4, 5]
    assert canvas.selected == {2, 3, 4, 5}


def test_keys_choose_the_next_bin(qtbot: QtBot, canvas: Canvas) -> None:
    for across in (1, -1):
        canvas.walk(across, 0)
        with qtbot.waitSignal(canvas.chosen) as chosen:
            canvas.choose(adding=False)
        assert items_of(chosen) == [0]


def test_without_a_picture_nothing_happens(canvas: Canvas) -> None:
    canvas.show_picture(None)
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(100, 100))
    canvas.pan(0.2)
    assert canvas.selected == frozenset()
    assert canvas.grab().toImage().pixelColor(3, 3).name().upper() == LIGHT.surface


def test_a_histogram_is_described_without_drawing() -> None:
    chart = picture().chart(Look())
    assert [(bar.left, bar.high) for bar in chart.bars] == [(1, 3), (2, 1), (9, 1)]
    assert chart.columns[1].about == "3 tiles of 1 cycles to 2 cycles"
    assert chart.x.title == "Tiles by amount"
    assert [tick.label for tick in chart.x.named[:3]] == ["0 cycles", "1 cycles", "2 cycles"]
    assert [(limit.at, limit.text) for limit in chart.references] == [(11, "Most: 11 cycles")]
