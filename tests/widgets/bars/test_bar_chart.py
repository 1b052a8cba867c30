"""Horizontal bars: what is drawn, and how a person meets it."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.widgets.bars import draw
from app.widgets.bars.chart import BarChart, ScrolledBars
from app.widgets.bars.draw import draw_bars
from app.widgets.bars.picture import MOST_BARS, Bar, BarsPicture, bars_picture
from app.widgets.colours import fitted
from app.widgets.display import Display, Look
from app.widgets.theme import DARK, LIGHT, Theme

TEAL = "#12A5A8"
BARS = (
    Bar("Cube Wait", "cube0", 75.0, TEAL, "three quarters"),
    Bar("Cube INT", "cube0", 0.0, TEAL),
    Bar("Vector All Active", "", math.nan, TEAL),
)


def picture() -> BarsPicture:
    return bars_picture("Pipe utilisation", "%", BARS, 100.0)


@pytest.fixture
def chart(qtbot: QtBot) -> BarChart:
    chart = BarChart(Display())
    qtbot.addWidget(chart)
    chart.set_picture(picture())
    chart.resize(500, 200)
    chart.show()
    return chart


def test_figures_are_in_one_scale_and_no_data_is_not_zero() -> None:
    assert picture().texts(Look()) == ["75.0 %", "0.0 %", "–"]


def test_a_bar_beyond_the_scale_widens_it() -> None:
    assert bars_picture("a", "%", (Bar("b", "", 140.0, TEAL),), 100.0).full == 140.0
    assert bars_picture("a", "", (), 0.0).full == 1.0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_widths_are_shares_of_the_track(qapp: object, theme: Theme) -> None:
    image = QImage(600, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        layout = draw_bars(painter, QRectF(0, 0, 600, 200), picture(), Look(theme=theme))
    track = layout.tracks

    def at(share: float, row: int) -> str:
        x = track.left() + share * track.width()
        return image.pixelColor(round(x), round(layout.row_rect(row).center().y())).name().upper()

    fill = fitted(TEAL, theme.surface, theme.dark)
    assert at(0.02, 0) == at(0.74, 0) == fill
    assert at(0.77, 0) == at(0.02, 1) != fill
    assert at(0.9, 2) == theme.no_data


def test_pointer_click_and_keys(qtbot: QtBot, chart: BarChart) -> None:
    layout = chart.layout_now()
    assert layout is not None
    spot = layout.row_rect(1).center().toPoint()
    QTest.mouseMove(chart, spot)
    assert chart.hovered == 1
    with qtbot.waitSignal(chart.chosen) as chosen:
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    assert chosen.args == [1]
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert chart.selected == 0
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert chart.selected == 0
    assert chart.accessibleName() == "Chart: Pipe utilisation"
    QTest.mouseMove(chart, QPoint(5, 1))
    assert chart.hovered == -1


def test_a_long_chart_scrolls_and_an_empty_one_is_quiet(qtbot: QtBot) -> None:
    scrolled = ScrolledBars(Display())
    qtbot.addWidget(scrolled)
    scrolled.resize(300, 120)
    scrolled.chart.set_picture(bars_picture("many", "cycles", BARS * 30))
    scrolled.show()
    assert scrolled.verticalScrollBar().maximum() > 0
    scrolled.chart.set_picture(None)
    QTest.keyClick(scrolled.chart, Qt.Key.Key_Down)
    assert scrolled.chart.selected == -1
    assert not scrolled.grab().isNull()


def test_of_very_many_bars_the_first_are_drawn_and_the_title_says_so(qtbot: QtBot) -> None:
    many = bars_picture("Samples", "", tuple(Bar(f"r{number}", "", number, TEAL) for number in range(2000)))
    assert [bar.name for bar in many.bars] == [f"r{number}" for number in range(MOST_BARS)]
    assert many.title == "Samples (the first 500 of 2,000)"
    assert many.full == 1999.0
    chart = BarChart(Display())
    qtbot.addWidget(chart)
    chart.set_picture(many)
    chart.mark(1500)
    assert chart.selected == -1
    chart.mark(499)
    assert chart.selected == 499


def test_only_what_is_seen_is_drawn(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(draw, "_draw_name", lambda _painter, _place, name, *_: drawn.append(name))
    scrolled = ScrolledBars(Display())
    qtbot.addWidget(scrolled)
    scrolled.chart.set_picture(bars_picture("Samples", "", tuple(Bar(f"r{n}", "", n, TEAL) for n in range(400))))
    scrolled.resize(400, 200)
    scrolled.show()
    qtbot.waitUntil(lambda: bool(drawn))
    assert drawn[0] == "r0"
    assert len(set(drawn)) < 20
    drawn.clear()
    scrolled.verticalScrollBar().setValue(scrolled.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: "r399" in drawn)
    assert len(set(drawn)) < 20
