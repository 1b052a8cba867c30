"""Rooflines: lines over decades, labels that never touch, verdicts and ratios as the format page has them."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF

from app.formats.ascend_bin import FORMAT
from app.panels.roofline.charts import split
from app.profile.ascend import Roofline
from app.views.look import Look
from app.views.roofline import (
    MOST_CHARTS,
    MOST_ROOFS,
    RoofChart,
    about,
    charts_of,
    decades,
    described,
    remarks,
    standing,
    verdict_of_file,
)
from app.widgets.chart.overlay import entries, place_labels
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.chart.seen import Seen
from generators.ascend_bin import block
from generators.reading import profile_of

pytestmark = pytest.mark.usefixtures("qapp")
Line = dict[str, object]


def line(
    bw: float, compute: float, x: float, y: float, ratio: object = "NA", name: str = "GM", unit: str = "FP16"
) -> Line:
    found = {"bw": bw, "bw_name": name, "computility": compute, "computility_name": unit}
    return {**found, "point": [x, y], "ratio": ratio}


def section(charts: dict[str, list[Line]], advice: str = "") -> Roofline:
    made = [{"title": title, "rooflines": lines} for title, lines in charts.items()]
    content = orjson.dumps({"advice": advice, "multiple_rooflines": made})
    found = profile_of(FORMAT, block(0x0D, content)).roofline
    assert found is not None
    return found


def chart(*lines: Line, title: str = "GM/L2") -> RoofChart:
    (made,) = charts_of(section({title: list(lines)}))
    return made


def seen_of(shown: RoofChart, width: float = 900, height: float = 400) -> Seen:
    scene = ChartScene(described(shown), ChartPainter())
    layout = scene.lay_out(QRectF(0, 0, width, height), scene.whole(), Look(), QFontMetricsF(QFont()))
    return Seen(scene.chart, layout)


def test_the_ratio_is_recomputed_and_the_file_s_own_kept() -> None:
    (roof,) = chart(line(0.8, 280, 100, 40, "0.4")).roofs
    assert roof.ratio == pytest.approx(40 / 80)
    assert roof.stored == 0.4
    assert roof.differs
    assert roof.ridge == pytest.approx(350)
    assert "Ratio in the file: 40 %, different" in about(roof)
    assert "Ratio: 50 % = 100 · performance / min(intensity · bandwidth, compute)" in about(roof)
    assert standing(roof) == "50.0 % (in the file: 40.0 %) · latency bound"
    (same,) = chart(line(0.8, 280, 100, 40, "0.500001")).roofs
    assert not same.differs
    (silent,) = chart(line(0.8, 280, 100, 40)).roofs
    assert silent.stored is None
    assert "contains no ratio" in about(silent)


@pytest.mark.parametrize(
    ("x", "y", "verdict"), [(100, 70, "memory bound"), (1000, 270, "compute bound"), (100, 40, "latency bound")]
)
def test_a_point_near_its_roof_is_bound_by_it(x: float, y: float, verdict: str) -> None:
    (roof,) = chart(line(0.8, 280, x, y)).roofs
    assert roof.verdict == verdict
    assert verdict.capitalize() in about(roof)


def test_lines_that_cannot_be_drawn_are_counted() -> None:
    shown = chart(line(0.8, 280, 100, 40), line(0, 280, 100, 40), line(0.8, 280, 100, -1), line(0.8, 280, 1e300, 1))
    assert (len(shown.roofs), shown.left_out) == (1, 3)
    assert "3 not drawn" in remarks((shown,), "")


def test_charts_go_under_the_vendor_s_tabs_and_unknown_ones_under_other() -> None:
    titles = ["GM/L2", "HBM/L2", "Memory Pipe Cube", "Memory Transfer(Vector)", "Pipeline(Cube)", "Something new"]
    found = charts_of(section({title: [line(1, 1, 1, 1)] for title in titles}))
    groups = [made.group for made in found]
    expected = ["Memory unit", "Memory unit", "Memory transfer", "Memory transfer", "Pipeline", "Other"]
    assert groups == expected


def test_what_holds_for_all_is_said_in_one_line() -> None:
    found = charts_of(section({"GM/L2": [line(0.8, 280, 100, 40, "0.5"), line(0.8, 280, 100, 40, "0.1")]}))
    said = remarks(found, "latency bound:memory caused")
    assert said == (
        "The file's verdict: latency bound, memory caused · 1 of 2 ratios in the file differ from recomputation"
    )
    assert verdict_of_file("compute bound") == "compute bound"


@given(st.lists(st.floats(1e-12, 1e12), min_size=1, max_size=9))
@settings(max_examples=200)
def test_the_decades_hold_every_place_with_room(places: list[float]) -> None:
    low, high = decades(places)
    assert high - low >= 2
    assert all(low + 0.1 < math.log10(place) < high - 0.1 for place in places)


@given(
    st.lists(
        st.tuples(st.floats(0.01, 100), st.floats(0.5, 500), st.floats(0.01, 1e4), st.floats(0.01, 1.2)),
        min_size=1,
        max_size=12,
    ),
    st.floats(260, 1400),
    st.floats(140, 700),
)
@settings(max_examples=60)
def test_labels_never_touch_one_another_nor_points_and_stay_inside(
    roofs: list[tuple[float, float, float, float]], width: float, height: float
) -> None:
    lines = [
        line(bw, compute, x, share * min(x * bw, compute), name=f"M{place}", unit=f"unit {place % 3}")
        for place, (bw, compute, x, share) in enumerate(roofs)
    ]
    seen = seen_of(chart(*lines), width, height)
    layout = seen.layout
    labels = place_labels(seen, QFontMetricsF(QFont()))
    for label in labels:
        assert layout.plot.contains(label.outline.boundingRect())
        assert not any(label.outline.containsPoint(spot, Qt.FillRule.WindingFill) for _, spot in seen.spots)
    for one, other in combinations(labels, 2):
        assert not one.outline.intersects(other.outline)
    places = entries(layout, seen.chart)
    assert all(first.bottom() <= second.top() + 1e-6 for first, second in pairwise(places))
    assert all(place.bottom() <= layout.side.bottom() + 1e-6 for place in places)


def test_with_room_every_roof_and_point_has_its_name() -> None:
    shown = chart(line(0.8, 280, 60, 20, name="GM"), line(2.4, 280, 200, 100, name="L2"))
    texts = {label.text for label in place_labels(seen_of(shown, 1200, 600), QFontMetricsF(QFont()))}
    assert texts == {"FP16 280 TOps/s", "GM 0.800 TB/s", "L2 2.40 TB/s", "GM", "L2"}


def test_slope_ridge_and_roof_lie_where_the_formulas_say() -> None:
    shown = chart(line(0.8, 280, 100, 40))
    (roof,) = shown.roofs
    made = described(shown)
    (series,) = made.series
    start, ridge, end = series.line
    assert ridge[0] == pytest.approx(350)
    assert [ridge[1], *end] == [280, made.x.high, 280]
    assert start[1] == pytest.approx(roof.ceiling(start[0]))
    assert start[0] == pytest.approx(made.x.low) or start[1] == pytest.approx(made.y.low)
    assert roof.ceiling(1e6) == 280
    seen = seen_of(shown)
    assert seen.layout.at(dict(seen.spots)[roof.row]) == pytest.approx((2 - shown.x[0], math.log10(40) - shown.y[0]))


def test_points_roofs_and_the_legend_can_be_hit() -> None:
    shown = chart(line(0.8, 280, 60, 20, name="GM"), line(2.4, 280, 200, 100, name="L2"))
    seen = seen_of(shown)
    layout, scene = seen.layout, ChartScene(seen.chart, ChartPainter())
    for row, spot in seen.spots:
        assert scene.item_at(layout, spot + QPointF(3, -3)) == row
        assert shown.roofs[row].title in scene.describe(layout, spot, Look())
    for row, one in enumerate(seen.series):
        slope = one.stretches[0]
        assert slope is not None
        assert scene.item_at(layout, (slope[0] + slope[1]) / 2 + QPointF(1, 1)) == row
        place = entries(layout, seen.chart)[row]
        assert scene.legend_at(layout, place.center()) == row
        assert scene.item_at(layout, place.center()) == row
    assert scene.item_at(layout, layout.plot.bottomRight() - QPointF(9, 9)) == -1
    assert ChartScene(described(shown, frozenset({0})), ChartPainter()).step(-1, 1) == 1


@given(st.integers(1, 9), st.floats(100, 2000), st.floats(100, 2000))
@settings(max_examples=50)
def test_charts_of_a_picture_stand_apart(count: int, width: float, height: float) -> None:
    place = QRectF(0, 0, width, height)
    parts = split(place, count)
    assert len(parts) == count
    assert all(place.adjusted(-0.01, -0.01, 0.01, 0.01).contains(part) for part in parts)
    for first, second in combinations(parts, 2):
        assert not first.adjusted(0.01, 0.01, -0.01, -0.01).intersects(second.adjusted(0.01, 0.01, -0.01, -0.01))


def test_25_of_25_ratios_of_a_made_file_come_out_the_same() -> None:
    rng = np.random.RandomState(3)
    lines = []
    for _ in range(25):
        bw, compute, x, ratio = rng.uniform(0.1, 20), rng.uniform(1, 300), rng.uniform(0.1, 500), rng.uniform(0.01, 1)
        lines.append(line(bw, compute, x, ratio * min(x * bw, compute), f"{ratio:.6f}"))
    assert not any(roof.differs for roof in chart(*lines).roofs)


def test_a_chart_of_very_many_lines_draws_the_first_and_says_so() -> None:
    charts = charts_of(section({"GM/L2": [line(0.8 + n / 1000, 280, 100, 40) for n in range(1000)]}))
    (made,) = charts
    assert [roof.row for roof in made.roofs] == list(range(MOST_ROOFS))
    assert (made.beyond, made.left_out) == (900, 0)
    assert "900 more only in the table: a chart shows at most 100" in remarks(charts, "")


def test_very_many_charts_are_in_the_table_alone() -> None:
    """100,000 of them used to be made before the first was drawn."""
    many = section({f"t{number}": [line(1.0, 100, 50, 20)] for number in range(3 * MOST_CHARTS)})
    made = charts_of(many)
    assert [chart.title for chart in made] == [f"t{number}" for number in range(MOST_CHARTS)]
    assert f"{2 * MOST_CHARTS:,} more charts only in the table" in remarks(made, "", len(many.titles))
    assert "more charts" not in remarks(made, "", len(made))
