"""What charts are made of, without drawing: axes, ticks, lines cut at the edges, colours, marks and dashes."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.views.chart.model import Axis, Chart, Column, Pair, Series
from app.views.chart.ticks import Box, cut_segment, log_ticks, runs_seen, widest_figures
from app.views.colours import colour, difference
from app.views.look import DARK, LIGHT, Look
from app.widgets.chart.overlay import divided
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.chart.seen import Seen
from app.widgets.chart.symbols import MARKS, ink, mark_path

LOG = Axis("Ops/Byte", 0.01, 1000, log=True)
numbers = st.floats(-50, 50)
pairs = st.tuples(numbers, numbers)


def chart_of(names: list[str]) -> Chart:
    series = tuple(Series(number, name, points=((1, 1),)) for number, name in enumerate(names))
    return Chart("Chart", "heading", LOG, LOG, series)


@given(st.floats(0.01, 1000))
def test_a_place_on_an_axis_is_its_value(value: float) -> None:
    for axis in (LOG, Axis("s", -3, 1000)):
        assert axis.value(axis.place(value)) == pytest.approx(value)
        assert axis.place(axis.low) == 0
    assert LOG.size == pytest.approx(5)


def test_ticks_are_powers_of_ten_and_more_where_few_are_seen() -> None:
    assert [tick.label for tick in log_ticks(LOG, 0, 5)] == ["0.01", "0.1", "1", "10", "100", "1,000"]
    close = log_ticks(Axis("", 1, 100, log=True), 0, 1)
    assert [tick.label for tick in close if tick.label] == ["1", "2", "5", "10"]
    assert len(close) == 10
    assert [tick.label for tick in log_ticks(Axis("", 1e6, 1e9, log=True), 0, 0.01)] == ["1e6"]


@given(st.floats(0, 4.9), st.floats(0.05, 0.1))
def test_an_axis_has_labels_however_far_it_is_zoomed_in(start: float, width: float) -> None:
    labels = [tick.label for tick in log_ticks(LOG, start, start + width, 300.0) if tick.label]
    assert len(labels) >= 2
    assert len(set(labels)) == len(labels)
    assert max(map(len, labels)) <= max(map(len, widest_figures(LOG)))


@pytest.mark.usefixtures("qapp")
def test_the_bar_of_a_column_ends_with_the_plot() -> None:
    """Zoomed in, a selected column reaches beyond what is seen; its mark does not cover the labels beside the plot."""
    chart = Chart("Chart", "heading", Axis("x", 0, 10), Axis("y", 0, 1), columns=(Column(2, 8),))
    scene = ChartScene(chart, ChartPainter())
    view = scene.whole().zoomed(8.0, 1.0, (5.0, 0.5))
    layout = scene.lay_out(QRectF(0, 0, 400, 300), view, Look(), QFontMetricsF(QFont()))
    assert Seen(chart, layout).column_box(chart.columns[0]) == layout.plot
    beside = scene.lay_out(QRectF(0, 0, 400, 300), view.moved(-9.0, 0.0), Look(), QFontMetricsF(QFont()))
    assert Seen(chart, beside).column_box(chart.columns[0]).isEmpty()


def test_an_axis_may_begin_between_powers_of_ten() -> None:
    ticks = log_ticks(Axis("", 50, 5000, log=True), 0, 2)
    labelled = {tick.label: tick.place for tick in ticks if tick.label}
    assert labelled["100"] == pytest.approx(math.log10(2))
    assert list(labelled) == ["50", "100", "200", "500", "1,000", "2,000", "5,000"]


@given(pairs, pairs, pairs, st.floats(0.5, 40), st.floats(0.5, 40))
def test_a_cut_segment_is_what_lies_inside(start: Pair, end: Pair, corner: Pair, width: float, height: float) -> None:
    box = Box(corner[0], corner[0] + width, corner[1], corner[1] + height)
    part = cut_segment(start, end, box)
    shares = np.linspace(0, 1, 101)
    across, up = start[0] + shares * (end[0] - start[0]), start[1] + shares * (end[1] - start[1])
    inside = (across > box.left) & (across < box.right) & (up > box.low) & (up < box.high)
    if part is None:
        assert not inside.any()
        return
    wide = Box(box.left - 1e-6, box.right + 1e-6, box.low - 1e-6, box.high + 1e-6)
    assert wide.holds(part[0])
    assert wide.holds(part[1])
    for x, y in zip(across[inside], up[inside], strict=True):
        assert min(part[0][0], part[1][0]) - 1e-6 <= x <= max(part[0][0], part[1][0]) + 1e-6
        assert min(part[0][1], part[1][1]) - 1e-6 <= y <= max(part[0][1], part[1][1]) + 1e-6


def test_a_line_that_leaves_and_comes_back_is_two_runs() -> None:
    box = Box(0, 10, 0, 10)
    assert runs_seen([(1, 1), (5, 5), (9, 1)], box) == [[(1, 1), (5, 5), (9, 1)]]
    assert runs_seen([(5, 5), (5, 15), (8, 15), (8, 5)], box) == [[(5, 5), (5, 10)], [(8, 10), (8, 5)]]
    assert runs_seen([(-5, -5), (-1, -1)], box) == []


def test_series_differ_in_colour_mark_and_dash_and_without_colour_too() -> None:
    """Series of one name used to share a colour, and the sixth mark was a circle like the first."""
    shown = chart_of([f"M{number % 4}" for number in range(100)])
    for theme in (LIGHT, DARK):
        looks = [ink(shown, series, theme) for series in shown.series]
        marks, strokes = [look.mark for look in looks], [look.dashes for look in looks]
        assert len(set(zip(marks, strokes, strict=True))) == 48
        assert len(set(zip(marks[:24], strokes[:24], strict=True))) == 24
        assert min(difference(one.colour, other.colour) for one, other in combinations(looks[:8], 2)) > 20
        assert len(set(marks[:8])) == 8
        assert len(set(strokes[:6])) == 6
        for kinds in (marks, strokes):
            assert all(one != other for one, other in pairwise(kinds))


def test_a_name_keeps_its_colour_of_other_panels_where_it_can() -> None:
    shown = chart_of(["MTE2", "MTE3", "MTE2"])
    for theme in (LIGHT, DARK):
        first, second, again = (ink(shown, series, theme).colour for series in shown.series)
        assert (first, second) == (colour("MTE2", theme), colour("MTE3", theme))
        assert difference(first, again) > 24


def test_marks_are_told_apart_by_their_shape() -> None:
    """Painted in one colour, any two differ in a seventh of what they cover."""
    painted = {}
    for name in MARKS:
        image = QImage(40, 40, QImage.Format.Format_Grayscale8)
        image.fill(0)
        with QPainter(image) as painter:
            painter.fillPath(mark_path(name, 12).translated(20, 20), Qt.GlobalColor.white)
        painted[name] = np.frombuffer(image.constBits(), np.uint8).reshape(40, 40) > 127
    for first, second in combinations(painted.values(), 2):
        assert 7 * (first ^ second).sum() > (first | second).sum()


def test_values_in_the_legend_are_divided_where_the_chart_is_narrow(qapp: QApplication) -> None:
    metrics = QFontMetricsF(qapp.font())
    text = "19.0 %, baseline 32.4 % · latency bound · not measured"
    assert divided(text, metrics, 10_000.0) == [text]
    assert divided(text, metrics, 1.0) == text.split(" · ")
    room = metrics.horizontalAdvance("19.0 %, baseline 32.4 % · latency bound") + 1
    assert divided(text, metrics, room) == ["19.0 %, baseline 32.4 % · latency bound", "not measured"]
