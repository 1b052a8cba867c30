"""Exchanges and vertex types beside a baseline: lists, bars per tile and histograms show what was planted alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.analysis.table import Table
from app.panels.exchanges.panel import ExchangesPanel
from app.panels.vertex_types.panel import VertexTypesPanel
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange, TimeRange
from app.widgets.context import Context
from app.widgets.table.widget import TableWidget
from fakes.panels import Opened
from fakes.pictures import plot_shown
from fakes.poplar_pairs import Tree, changed, compare, end, profile_of, settle, tree_of
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=16, compute_sets=5, loops=2, estimates=True)
EXCHANGE, SET, TILE, MORE = 2, 3, 7, 640


def plant(made: Tree) -> None:
    """An internal exchange sends more from one tile, and a compute set keeps its threads busier there."""
    made["exchanges"]["bytesSentByTile"][EXCHANGE][TILE] += MORE
    active = made["computeSets"]["cycleEstimates"]["activeCyclesByTile"][SET]
    active[TILE] = active[TILE] // 2


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Profile, Profile]:
    folder: Path = tmp_path_factory.mktemp("exchanges")
    tree = tree_of(SCALE)
    return profile_of(folder, tree), profile_of(folder, changed(tree, plant))


def shown(widget: TableWidget) -> Table:
    return widget.view.items.table


def keys(widget: TableWidget) -> list[str]:
    return [column.key for column in shown(widget).columns]


def test_exchanges_show_the_planted_bytes_on_their_tile(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(ExchangesPanel, pair[1])
    alone = plot_shown(panel.plot.canvas)
    assert not panel.sides.isVisible()
    compare(context.document, panel, pair[0])
    qtbot.waitUntil(lambda: "sent_difference" in keys(panel.list))
    assert shown(panel.list).rows == 1
    row = {column.key: column.value(0) for column in shown(panel.list).columns}
    assert (row["number"], row["sent_difference"]) == (EXCHANGE, MORE)
    picture = plot_shown(panel.plot.canvas)
    assert picture.sides is not None
    assert picture.totals.tolist() == alone.totals.tolist()
    panel.sides.setCurrentIndex(1)
    picture = plot_shown(panel.plot.canvas)
    assert np.flatnonzero(picture.totals).tolist() == [TILE]
    assert picture.totals[TILE] == MORE
    assert f"most changed tile {TILE}: +640 B" in panel.plot.readout.text

    context.document.selection.set(Selection("exchange", (EXCHANGE + 1,), "elsewhere"))
    assert not plot_shown(panel.plot.canvas).totals.any()
    assert "no tile differs" in panel.plot.readout.text
    context.document.selection.set(Selection("exchange", (EXCHANGE,), "elsewhere"))
    assert plot_shown(panel.plot.canvas).totals[TILE] == MORE
    panel.as_table.setChecked(True)
    qtbot.waitUntil(lambda: "sent_difference" in keys(panel.plot.table))
    assert [column.value(0) for column in shown(panel.plot.table).columns if column.key == "tile"] == [TILE]

    panel.all_runs.setChecked(True)
    context.document.ranges.set(Ranges(TimeRange(0, 10**9)))
    settle(panel)
    assert plot_shown(panel.plot.canvas).sides is None
    assert "the baseline has no such figures" in panel.plot.readout.text
    context.document.ranges.set(Ranges(None, TileRange((1, 2))))
    end(context.document, panel)
    assert plot_shown(panel.plot.canvas).sides is None
    assert not panel.sides.isVisible()
    assert "sent" in keys(panel.list)


def test_thread_use_and_vertex_types_show_what_was_planted(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(VertexTypesPanel, pair[1])
    compare(context.document, panel, pair[0])
    qtbot.waitUntil(lambda: keys(panel.types)[:1] == ["status"])
    panel.chooser.setCurrentIndex(panel.chooser.place_of("threads"))
    picture = plot_shown(panel.threads.canvas)
    assert picture.sides is not None
    assert panel.sides.isVisible()
    panel.sides.setCurrentIndex(1)
    picture = plot_shown(panel.threads.canvas)
    assert np.flatnonzero(np.nan_to_num(picture.totals)).tolist() == [TILE]
    assert picture.totals[TILE] < 0
    assert "baseline" in panel.threads.readout.text
    context.document.selection.set(Selection("compute_set", (SET + 1,), "elsewhere"))
    assert not np.nan_to_num(plot_shown(panel.threads.canvas).totals).any()
    end(context.document, panel)
    assert plot_shown(panel.threads.canvas).sides is None


def test_cycles_of_vertices_have_the_outline_of_the_baseline(
    qtbot: QtBot, context: Context, opened: Opened, tmp_path: Path
) -> None:
    tree = tree_of(poplar.Scale(mode="VERTICES", tiles_per_ipu=4, compute_sets=3, loops=1))
    own = profile_of(tmp_path, tree)
    panel = opened(VertexTypesPanel, own)
    compare(context.document, panel, own)
    panel.chooser.setCurrentIndex(panel.chooser.place_of("vertices"))
    histogram = panel.vertices.histogram.picture
    assert histogram is not None
    assert histogram.baseline is not None
    assert histogram.baseline.tolist() == histogram.bins.counts.tolist()
    context.document.selection.set(Selection("compute_set", (1,), "elsewhere"))
    histogram = panel.vertices.histogram.picture
    assert histogram is not None
    assert histogram.baseline is not None
    assert histogram.baseline.tolist() == histogram.bins.counts.tolist()
    qtbot.waitUntil(lambda: keys(panel.vertices.table)[:1] == ["status"])
    assert shown(panel.vertices.table).rows == 0
