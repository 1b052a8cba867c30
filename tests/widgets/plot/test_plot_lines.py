"""Lines over one another, and what a tool tip says at a place of a plot."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.views.axis import TileAxis
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.plot import Limit, PlotPicture, plot_picture
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.draw import stretches
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.legend import entries, entries_at
from app.widgets.plot.scene import PlotScene, layer_at, part_tip

LOW, HIGH = "#0072b2", "#e69f00"


def picture(*, lines: bool = True) -> PlotPicture:
    low, high = np.full(50, 100.0), np.full(50, 300.0)
    high[20:25] = np.nan
    return plot_picture(
        *("Memory", "B", TileAxis(50), [("code", low), ("data", high)]),
        colours=(LOW, HIGH),
        lines=lines,
        helps=("What runs", "What is stored"),
    )


def drawn(shown: PlotPicture, theme: Theme = LIGHT) -> tuple[QImage, PlotLayout, QFontMetricsF]:
    image = QImage(600, 300, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        layout = draw_whole(painter, QRectF(0, 0, 600, 300), PlotScene(shown), Look(theme=theme))
        metrics = QFontMetricsF(painter.font(), image)
    return image, layout, metrics


def away(image: QImage, x: float, y: float, colour: str) -> int:
    """How far the pixels at a place are from a colour; lines are smoothed."""
    wanted = QColor(colour)
    return min(
        max(abs(found.red() - wanted.red()), abs(found.green() - wanted.green()), abs(found.blue() - wanted.blue()))
        for found in (image.pixelColor(int(x), int(y) + shift) for shift in (-2, -1, 0, 1, 2))
    )


NEAR = 40


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_each_part_is_a_line_from_zero_and_so_is_the_sum(qapp: QApplication, theme: Theme) -> None:
    image, layout, _ = drawn(picture(), theme)
    x = layout.x_of(10.5)
    for amount, colour in ((100, LOW), (300, HIGH), (400, theme.text.lower())):
        assert away(image, x, layout.y_of(amount), colour) < NEAR
        assert away(image, x, layout.y_of(amount - 50), colour) > NEAR
    gap = layout.x_of(22.5)
    assert away(image, gap, layout.y_of(100), LOW) < NEAR
    assert away(image, gap, layout.y_of(300), HIGH) > NEAR


def test_a_single_place_with_data_is_seen_however_many_share_a_pixel(qapp: QApplication) -> None:
    amounts = np.full(4000, np.nan)
    amounts[[2000, 3999]] = 100.0, 200.0
    shown = plot_picture("Memory", "B", TileAxis(4000), [("code", amounts)], colours=(LOW,), lines=True)
    image, layout, _ = drawn(shown)
    assert away(image, layout.x_of(2000.5), layout.y_of(100), LOW) < NEAR
    assert away(image, layout.x_of(1900.5), layout.y_of(100), LOW) > NEAR


@pytest.mark.parametrize("lines", [False, True])
def test_a_part_without_data_hides_no_other(qapp: QApplication, lines: bool) -> None:
    known = np.full(4, 100.0)
    layers = [("none", np.full(4, np.nan)), ("some", known), ("more", 2 * known)]
    shown = plot_picture("x", "B", TileAxis(4), layers, limit=Limit(400.0, "all"), lines=lines)
    _, layout, _ = drawn(shown)
    assert layer_at(layout, shown, 2, layout.y_of(100)) == 1
    assert layer_at(layout, shown, 2, layout.y_of(200)) == 2
    assert layer_at(layout, shown, 2, layout.y_of(390)) is None


def test_stretches_with_data() -> None:
    nan = np.nan
    assert stretches(np.array([nan, 1, 2, nan, 3, nan])) == [(1, 3), (4, 5)]
    assert stretches(np.array([1.0, 2.0])) == [(0, 2)]
    assert stretches(np.array([nan])) == []


def test_the_legend_of_lines_names_the_sum() -> None:
    assert [entry.name for entry in entries(picture(), LIGHT)] == ["All parts", "code", "data"]
    assert [entry.name for entry in entries(picture(lines=False), LIGHT)] == ["data", "code"]
    assert entries(plot_picture("x", "B", TileAxis(3), [("a", np.ones(3))]), LIGHT) == []


def test_what_lies_under_the_pointer(qapp: QApplication) -> None:
    for shown, amounts in ((picture(lines=False), (50, 250)), (picture(), (100, 300))):
        _, layout, _ = drawn(shown)
        assert [layer_at(layout, shown, 10, layout.y_of(amount)) for amount in amounts] == [0, 1]
        place = QPointF(layout.x_of(10.5), layout.y_of(amounts[1]))
        text = part_tip(layout, shown, Look(), place)
        assert text.splitlines() == ["tile 10", "data: 300 B", "What is stored"]
        assert part_tip(layout, shown, Look(), QPointF(1, 1)) == ""
        over = QPointF(layout.x_of(10.5), layout.plot.top() + 1)
        assert part_tip(layout, shown, Look(), over) == ""


def test_names_that_have_no_room_are_told_together(qapp: QApplication) -> None:
    layers = [(f"part {number}", np.full(4, number + 1.0)) for number in range(40)]
    shown = plot_picture("x", "B", TileAxis(4), layers, helps=tuple(f"help {n}" for n in range(40)))
    _, layout, metrics = drawn(shown)
    line = metrics.height() + 4
    room = int(layout.legend.height() / line)
    rest = entries_at(layout, shown, LIGHT, layout.legend.topLeft() + QPointF(2, (room - 0.5) * line))
    assert len(rest) == 40 - (room - 1)
    text = part_tip(layout, shown, Look(), layout.legend.topLeft() + QPointF(2, (room - 0.5) * line))
    assert "part 0: help 0" in text.splitlines()


def test_a_layer_without_help_is_only_named(qapp: QApplication) -> None:
    shown = plot_picture("x", "B", TileAxis(4), [("a", np.ones(4)), ("b", np.ones(4))])
    assert shown.about(0) == shown.about(-1) == ""
    assert shown.layer_tip(2, 1, Look()).splitlines() == ["tile 2", "b: 1 B"]
    missing = plot_picture("x", "B", TileAxis(1), [("a", np.array([np.nan]))])
    assert missing.layer_tip(0, 0, Look()).splitlines() == ["tile 0", "a: no data"]
