"""Bars that stand side by side."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.views.axis import Span, TileAxis
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.plot import PlotPicture, plot_picture
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.legend import MARK, laid_out
from app.widgets.plot.scene import PlotScene

RED, BLUE = "#C00000", "#0000C0"


def picture(*layers: list[float]) -> PlotPicture:
    named = [(f"unit {number}", np.array(layer)) for number, layer in enumerate(layers)]
    return plot_picture("Durations", "µs", TileAxis(len(layers[0]), "Block"), named, colours=(RED, BLUE), grouped=True)


def test_totals_are_the_largest_and_nothing_only_where_all_are_missing() -> None:
    found = picture([1.0, np.nan, np.nan], [3.0, 2.0, np.nan])
    assert found.totals[:2].tolist() == [3.0, 2.0]
    assert np.isnan(found.totals[2])
    assert found.top == 3.0


def test_each_layer_has_its_own_place_inside_the_group() -> None:
    found = list(laid_out(picture([1.0, 2.0], [3.0, 4.0]), Span.whole(2), 10.0, 80.0))
    assert [(bar.layer, bar.amount) for bar in found] == [(0, 1.0), (1, 3.0), (0, 2.0), (1, 4.0)]
    assert [(bar.left, bar.right) for bar in found] == [(15, 29), (30, 44), (55, 69), (70, 84)]


def test_what_is_too_narrow_is_folded_to_the_most_of_each_layer() -> None:
    amounts = np.array([np.full(1000, 5.0), np.ones(1000)])
    amounts[0, 300], amounts[1, 700] = 7.0, 9.0
    bars = list(laid_out(picture(*amounts.tolist()), Span.whole(1000), 0.0, 100.0))
    whole, marks = ([bar for bar in bars if bar.mark is mark] for mark in (False, True))
    assert {bar.layer for bar in whole} == {0}
    assert {bar.layer for bar in marks} == {1}
    assert [(bar.left, bar.amount) for bar in whole if bar.amount != 5.0] == [(30, 7.0)]
    assert [(bar.left, bar.amount) for bar in marks if bar.amount != 1.0] == [(70, 9.0)]
    assert len(whole) == len(marks) == 100


def test_a_folded_column_is_without_data_only_where_no_layer_has_any() -> None:
    first, second = np.full(100, np.nan), np.full(100, np.nan)
    second[:50] = 2.0
    bars = list(laid_out(picture(first.tolist(), second.tolist()), Span.whole(100), 0.0, 50.0))
    assert sorted(bar.left for bar in bars if np.isnan(bar.amount)) == list(range(25, 50))
    assert sorted(bar.left for bar in bars if bar.mark) == list(range(25))


def test_folded_layers_are_both_seen_wherever_they_differ(qapp: object) -> None:
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    shown = picture([4.0] * 800 + [1.0] * 800, [2.0] * 800 + [3.0] * 800)
    with QPainter(image) as painter:
        layout = draw_whole(painter, QRectF(0, 0, 300, 200), PlotScene(shown), Look(theme=LIGHT))
    for place in (400, 1200):
        column = [image.pixelColor(round(layout.x_of(place)), y).name().upper() for y in range(200)]
        assert {RED, BLUE} <= set(column)
        assert column.count(BLUE) == MARK


def test_the_words_name_every_layer_even_the_missing_one() -> None:
    found = picture([1.5, 2.0], [np.nan, 4.0])
    assert found.describe(0, 1, 0, Look()) == "block 0: unit 0 1.50 µs, unit 1 –"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_bars_are_drawn_and_no_data_differs_from_zero(qapp: object, theme: Theme) -> None:
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    shown = picture([4.0, 0.0, 4.0], [2.0, np.nan, 4.0])
    with QPainter(image) as painter:
        layout = draw_whole(painter, QRectF(0, 0, 400, 200), PlotScene(shown), Look(theme=theme))

    def at(place: float, amount: float) -> str:
        return image.pixelColor(round(layout.x_of(place)), round(layout.y_of(amount))).name().upper()

    assert at(0.3, 3.5) == RED
    assert at(0.7, 3.5) == theme.surface
    assert at(0.7, 1.5) == BLUE
    assert at(1.3, 1.5) == theme.surface
    assert at(1.7, 3.5) == theme.no_data
