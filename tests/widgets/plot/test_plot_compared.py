"""A plot with a baseline: its outline over the bars, or differences up and down from zero, as a loop has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.views.axis import TileAxis
from app.views.differences import both_sides, compared_with
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.plot import Limit, PlotPicture, Sides, difference_plot, plot_picture
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.legend import entries
from app.widgets.plot.outline import LINE, ON, PERIOD, marked, outline_codes
from app.widgets.plot.scene import PlotScene, layer_at

CODE, DATA = "#0072b2", "#e69f00"


def sides(before: list[list[float]], after: list[list[float]]) -> Sides:
    layers = tuple((np.array(one, float), np.array(other, float)) for one, other in zip(before, after, strict=True))
    totals = [np.sum([layer[side] for layer in layers], axis=0) for side in (0, 1)]
    gone = [np.isnan(total) for total in totals]
    return Sides(totals[0], totals[1], gone[1] & ~gone[0], gone[0] & ~gone[1], layers)


def difference(before: list[list[float]], after: list[list[float]]) -> PlotPicture:
    own = sides(before, after)
    names = ("code", "data")[: len(before)]
    return difference_plot("Memory", "B", TileAxis(len(after[0])), names, own, colours=(CODE, DATA)[: len(before)])


def drawn(picture: PlotPicture, theme: Theme = LIGHT) -> tuple[QImage, PlotLayout]:
    image = QImage(640, 320, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        layout = draw_whole(painter, QRectF(0, 0, 640, 320), PlotScene(picture), Look(theme=theme))
    return image, layout


AMOUNTS = st.lists(st.lists(st.integers(0, 50).map(float), min_size=6, max_size=6), min_size=2, max_size=2)


@given(AMOUNTS, AMOUNTS)
def test_differences_are_stacked_on_both_sides_of_zero(before: list[list[float]], after: list[list[float]]) -> None:
    picture = difference(before, after)
    for place in range(6):
        parts = [other[place] - one[place] for one, other in zip(before, after, strict=True)]
        assert picture.totals[place] == sum(parts)
        assert picture.highs[place] == sum(part for part in parts if part > 0)
        assert picture.lows[place] == sum(part for part in parts if part < 0)
    assert picture.top == max(picture.highs)
    assert picture.bottom == min(picture.lows)
    reach = np.maximum(picture.highs, -picture.lows)
    assert picture.largest(range(6)) == int(np.argmax(reach))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_bars_go_up_for_more_and_down_for_less(qapp: QApplication, theme: Theme) -> None:
    picture = difference([[10, 50, 20, math.nan]], [[40, 30, 20, 10]])
    image, layout = drawn(picture, theme)

    def colour(place: int, amount: float) -> str:
        return image.pixelColor(int(layout.x_of(place + 0.5)), int(layout.y_of(amount))).name()

    assert colour(0, 15) == theme.more.lower()
    assert colour(0, -12) == theme.surface.lower()
    assert colour(1, -10) == theme.less.lower()
    assert colour(1, 12) == theme.surface.lower()
    assert colour(3, 15) == colour(3, -10) == theme.no_data.lower()
    assert [entry.shape for entry in entries(picture, theme)] == ["fill", "fill", "only_after"]


def test_layers_of_a_difference_are_found_where_they_are_drawn(qapp: QApplication) -> None:
    picture = difference([[10], [50]], [[30], [20]])
    image, layout = drawn(picture)
    for amount, colour, layer in ((10, CODE, 0), (-15, DATA, 1)):
        y = layout.y_of(amount)
        assert image.pixelColor(int(layout.x_of(0.5)), int(y)).name() == colour
        assert layer_at(layout, picture, 0, y) == layer
    assert layer_at(layout, picture, 0, layout.y_of(25)) is None
    assert layer_at(layout, picture, 0, layout.y_of(-32)) is None


def test_a_single_place_that_differs_is_seen_however_many_share_a_pixel(qapp: QApplication) -> None:
    before, after = [100.0] * 5000, [100.0] * 5000
    after[2000], after[2001] = 150.0, 60.0
    image, layout = drawn(difference([before], [after]))
    x = int(layout.x_of(2000.5))
    for amount in (45, -35):
        near = {image.pixelColor(x + shift, int(layout.y_of(amount))).name() for shift in (-1, 0, 1)}
        assert near != {LIGHT.surface.lower()}
    assert image.pixelColor(int(layout.x_of(4000)), int(layout.y_of(25))).name() == LIGHT.surface.lower()


def test_the_outline_of_the_baseline_is_as_high_as_its_total(qapp: QApplication) -> None:
    own = sides([[100.0, 300.0, math.nan]], [[200.0, 200.0, 200.0]])
    picture = plot_picture("Memory", "B", TileAxis(3), [("code", own.after)], sides=own)
    assert picture.top == 300
    image, layout = drawn(picture)

    def dashes(place: int, amount: float) -> int:
        """Pixels in the colour of the outline near an amount, in the middle half of a place."""
        left, right, y = layout.x_of(place + 0.25), layout.x_of(place + 0.75), round(layout.y_of(amount))
        seen = [image.pixelColor(x, y + down).name() for x in range(int(left), int(right)) for down in (-1, 0, 1, 2)]
        return seen.count(LIGHT.baseline.lower())

    assert dashes(0, 100) > 20
    assert dashes(1, 300) > 20
    assert [dashes(0, 300), dashes(1, 100), dashes(2, 300), dashes(2, 100)] == [0] * 4
    ((left, right),) = marked(layout, own.only_after)
    assert (round(left), round(right)) == (round(layout.x_of(2)), round(layout.x_of(3)))
    assert [entry.shape for entry in entries(picture, LIGHT)] == ["dashed", "only_after"]


@given(st.lists(st.integers(0, 19) | st.none(), min_size=1, max_size=30), st.integers(1, 3))
def test_the_line_of_an_outline_is_a_step_for_each_column(rows: list[int | None], thick: int) -> None:
    codes = outline_codes(np.array([math.nan if row is None else row for row in rows], float), 20, thick)
    for column, row in enumerate(rows):
        line = set(range(row, min(row + thick, 20))) if row is not None else set()
        ahead = rows[column - 1] if column else None
        rise = set(range(min(row, ahead), max(row, ahead) + 1)) if row is not None and ahead is not None else set()
        expected = {y for y in line if column % PERIOD < ON} | {y for y in rise | line & {row} if y % PERIOD < ON}
        assert set(np.flatnonzero(codes[:, column] == LINE).tolist()) == expected
        assert (codes[sorted(line | rise), column] > 0).all()


def test_what_is_said_of_a_place_has_both_amounts() -> None:
    own = sides([[1024.0, math.nan, 8.0]], [[2048.0, 512.0, math.nan]])
    bars = plot_picture("Memory", "B", TileAxis(3), [("code", own.after)], sides=own)
    look = Look(theme=LIGHT)
    assert bars.describe(0, 1, 0, look) == "tile 0: 2.00 KiB · baseline 1.00 KiB, difference +1.00 KiB (+100.0 %)"
    assert bars.describe(1, 2, 1, look) == "tile 1: only in the comparison: 512 B"
    signed = difference_plot("Memory", "B", TileAxis(3), ("code",), own)
    assert signed.describe(0, 1, 0, look) == "tile 0: +1.00 KiB (+100.0 %) · baseline 1.00 KiB, comparison 2.00 KiB"
    assert signed.describe(2, 3, 2, look) == "tile 2: only in the baseline: 8 B"
    assert "of 2 here" in signed.describe(0, 2, 0, look)


def test_no_data_is_no_difference() -> None:
    assert both_sides(None, 3, "B") == "baseline no data, comparison 3 B"
    assert both_sides(2, 2, "B") == "baseline 2 B, comparison 2 B, difference 0 B"
    assert both_sides(0, 2, "B") == "baseline 0 B, comparison 2 B, difference +2 B"
    assert compared_with(math.nan, 3, "B", Look(theme=LIGHT)) == "no data in the baseline"


def test_both_limits_are_lines(qapp: QApplication) -> None:
    own = sides([[100.0]], [[200.0]])
    limits = Limit(250, "Memory of a tile"), Limit(400, "Memory of a tile, baseline")
    picture = plot_picture(
        "Memory", "B", TileAxis(1), [("code", own.after)], limit=limits[0], sides=own, baseline_limit=limits[1]
    )
    assert picture.top == 400
    image, layout = drawn(picture)
    x = int(layout.plot.center().x())
    for limit, colour in zip(limits, (LIGHT.error, LIGHT.baseline), strict=True):
        y = int(layout.y_of(limit.value))
        seen = {image.pixelColor(x + across, y + down).name() for across in range(12) for down in (-1, 0, 1)}
        assert colour.lower() in seen


def test_nothing_differs_in_a_flat_picture(qapp: QApplication) -> None:
    picture = difference([[5.0, 6.0]], [[5.0, 6.0]])
    image, layout = drawn(picture)
    assert layout.bottom < 0 < layout.top
    assert image.pixelColor(QPointF(layout.x_of(0.5), layout.y_of(layout.top / 2)).toPoint()).name() == "#ffffff"
