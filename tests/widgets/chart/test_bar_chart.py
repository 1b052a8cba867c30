"""Horizontal bars: what is drawn, and how a person meets it."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.colours import TEAL, fitted
from app.views.look import DARK, LIGHT, Look, Theme
from app.widgets.chart.canvas import ScrolledBars
from app.widgets.chart.scene import MOST_ROW, ChartPainter, ChartScene
from app.widgets.chart.seen import Seen
from app.widgets.display import Display

BARS = (
    NamedBar("Cube Wait", "cube0", 75.0, TEAL, "three quarters"),
    NamedBar("Cube INT", "cube0", 0.0, TEAL),
    NamedBar("Vector All Active", "", math.nan, TEAL),
)


def picture() -> BarsPicture:
    return bars_picture("Pipe utilisation", "%", BARS, 100.0)


def seen_of(shown: BarsPicture, width: float, height: float) -> Seen:
    scene = ChartScene(shown.chart(Look()), ChartPainter())
    place = QRectF(0, 0, width, height)
    return Seen(scene.chart, scene.lay_out(place, scene.whole(), Look(), QFontMetricsF(QFont())))


@pytest.fixture
def bars(qtbot: QtBot) -> ScrolledBars[BarsPicture]:
    bars: ScrolledBars[BarsPicture] = ScrolledBars(Display())
    qtbot.addWidget(bars)
    bars.canvas.show_picture(picture())
    bars.resize(500, 200)
    bars.show()
    return bars


def at(bars: ScrolledBars[BarsPicture], row: int) -> QPoint:
    chart, layout = bars.canvas.chart, bars.canvas.layout_now()
    assert chart is not None
    return Seen(chart, layout).column_box(chart.columns[row]).center().toPoint()


def test_figures_are_in_one_scale_and_no_data_is_not_zero() -> None:
    assert picture().texts(Look()) == ["75.0 %", "0.0 %", "–"]
    chart = picture().chart(Look())
    assert [(tick.label, tick.quiet) for tick in chart.figures] == [("75.0 %", ""), ("0.0 %", ""), ("", "–")]
    assert [note.text for note in chart.notes] == ["no data"]
    assert [(tick.label, tick.quiet) for tick in reversed(chart.y.named)] == [(bar.name, bar.part) for bar in BARS]


def test_a_bar_beyond_the_scale_widens_it() -> None:
    assert bars_picture("a", "%", (NamedBar("b", "", 140.0, TEAL),), 100.0).full == 140.0
    assert bars_picture("a", "", (), 0.0).full == 1.0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_widths_are_shares_of_the_track(qapp: object, theme: Theme) -> None:
    image = QImage(600, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    look, place = Look(theme=theme), QRectF(0, 0, 600, 200)
    with QPainter(image) as painter:
        ChartPainter().draw_whole(painter, picture().chart(look), place, look)
        scene = ChartScene(picture().chart(look), ChartPainter())
        layout = scene.lay_out(place, scene.whole(), look, QFontMetricsF(painter.font(), image))

    def colour(share: float, row: int) -> str:
        x, y = layout.x_of(100 * share), layout.y_of(len(BARS) - row - 0.5)
        return image.pixelColor(round(x), round(y)).name().upper()

    fill = fitted(TEAL, theme)
    assert colour(0.02, 0) == colour(0.74, 0) == fill
    assert colour(0.77, 0) == colour(0.02, 1) != fill
    assert colour(0.9, 2) == theme.no_data


def test_rows_are_no_higher_than_they_need(qapp: object) -> None:
    seen = seen_of(picture(), 600, 800)
    assert seen.layout.plot.height() == pytest.approx(len(BARS) * MOST_ROW, abs=1)
    assert seen.layout.place.bottom() < 200


def test_pointer_click_and_keys(qtbot: QtBot, bars: ScrolledBars[BarsPicture]) -> None:
    canvas = bars.canvas
    QTest.mouseMove(canvas, at(bars, 1))
    assert canvas.marks.item == 1
    with qtbot.waitSignal(canvas.chosen) as chosen:
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(bars, 1))
    assert chosen.args is not None
    assert chosen.args[0].tolist() == [1]
    canvas.walk(0, 0)
    for _ in range(2):
        canvas.walk(0, -1)
        canvas.choose(adding=False)
        assert canvas.selected == {0}
    assert canvas.accessibleName() == "Chart: Pipe utilisation"
    assert canvas.describe(QPointF(at(bars, 0))) == "three quarters"
    QTest.mouseMove(canvas, QPoint(5, 1))
    assert canvas.marks.item == -1


def test_a_long_chart_scrolls_and_an_empty_one_is_quiet(qtbot: QtBot) -> None:
    scrolled: ScrolledBars[BarsPicture] = ScrolledBars(Display())
    qtbot.addWidget(scrolled)
    scrolled.resize(300, 120)
    scrolled.canvas.show_picture(bars_picture("many", "cycles", BARS * 30))
    scrolled.show()
    assert scrolled.verticalScrollBar().maximum() > 0
    layout = scrolled.canvas.layout_now()
    assert layout.plot.height() / len(BARS * 30) >= layout.line
    for _ in range(20):
        scrolled.canvas.walk(0, 1)
    assert scrolled.verticalScrollBar().value() > 0
    assert at(scrolled, 19).y() < scrolled.verticalScrollBar().value() + scrolled.viewport().height()
    scrolled.canvas.show_picture(None)
    scrolled.canvas.scroll_rows(1)
    assert scrolled.canvas.selected == frozenset()
    assert not scrolled.grab().isNull()


def test_of_very_many_bars_the_first_are_drawn_and_the_title_says_so(qtbot: QtBot) -> None:
    many = bars_picture("Samples", "", tuple(NamedBar(f"r{number}", "", number, TEAL) for number in range(2000)))
    assert [bar.name for bar in many.bars] == [f"r{number}" for number in range(MOST_BARS)]
    assert many.title == "Samples (the first 500 of 2,000)"
    assert many.full == 1999.0
    bars: ScrolledBars[BarsPicture] = ScrolledBars(Display())
    qtbot.addWidget(bars)
    bars.canvas.show_picture(many)
    bars.canvas.mark(np.array([1500]))
    assert not bars.canvas.grab().isNull()


def test_names_that_would_touch_are_left_out_of_small_pictures(qapp: object) -> None:
    """A picture file has the size that was asked for, however many rows there are."""
    many = bars_picture("Samples", "", tuple(NamedBar(f"r{number}", "", number, TEAL) for number in range(400)))
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        ChartPainter().draw_whole(painter, many.chart(Look()), QRectF(0, 0, 300, 200), Look())
    inked = [any(image.pixelColor(x, y).lightness() < 200 for x in range(8, 30)) for y in range(30, 170)]
    assert sum(first and not second for first, second in pairwise(inked)) >= 5
