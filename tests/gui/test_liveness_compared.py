"""Liveness beside a baseline: two curves over matched steps, both peaks, differences, variables, and the end of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.panels.liveness.panel import NODES, VARIABLES, LivenessPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.plot.scene import PlotScene
from fakes.panels import Opened
from fakes.pictures import plot_shown
from fakes.poplar_pairs import Tree, changed, compare, end, profile_of, settle, tree_of
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=8, compute_sets=4, loops=2, named_liveness=True, live_variables="records")
MORE, PLANTED = 4096, 12345


def plant(made: Tree) -> None:
    """A step is inserted, and more is always live."""
    node = made["memory"]["liveness"]["notAlwaysLive"]["byProgram"][0]
    while any(child["children"] for child in node["children"]):
        node = next(child for child in node["children"] if child["children"])
    node["children"].insert(1, {"bytes": PLANTED, "children": [], "name": "planted/by/hand"})
    made["memory"]["liveness"]["alwaysLive"]["bytesByTile"][3] += MORE


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Profile, Profile]:
    folder: Path = tmp_path_factory.mktemp("live")
    tree = tree_of(SCALE)
    return profile_of(folder, tree), profile_of(folder, changed(tree, plant))


def compared(qtbot: QtBot, context: Context, panel: LivenessPanel, baseline: Profile) -> None:
    compare(context.document, panel, baseline)
    qtbot.waitUntil(lambda: panel._aligned is not None and panel.compared.active)


def test_two_curves_over_matched_steps_with_both_peaks(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(LivenessPanel, pair[1])
    alone = plot_shown(panel.canvas)
    compared(qtbot, context, panel, pair[0])
    picture = plot_shown(panel.canvas)
    assert picture.sides is not None
    (planted,) = np.flatnonzero(picture.sides.only_after).tolist()
    assert picture.layers[1][planted] == PLANTED
    assert np.isnan(picture.sides.before[planted])
    assert picture.totals.tolist() == alone.totals.tolist()
    scene = panel.canvas.scene
    assert isinstance(scene, PlotScene)
    assert [flag.baseline for flag in scene.flags] == [True, False]
    assert scene.flags[0].amount == np.nanmax(picture.sides.before)
    assert scene.flags[1].amount == np.nanmax(picture.totals)
    assert "difference +4.00 KiB" in panel.peaks.text

    panel.sides.setCurrentIndex(1)
    picture = plot_shown(panel.canvas)
    assert picture.signed
    assert np.isnan(picture.totals[planted])
    assert set(picture.totals[~np.isnan(picture.totals)].tolist()) == {MORE}
    panel.canvas.chosen.emit(np.array([planted]), False)
    selected = context.document.selection.value
    assert selected is not None
    assert panel.canvas.marks.selected.tolist() == [planted]
    panel.show_peak()
    assert len(panel.canvas.marks.selected) == 1

    end(context.document, panel)
    assert plot_shown(panel.canvas).sides is None
    assert plot_shown(panel.canvas).title == alone.title
    assert not panel.sides.isVisible()
    assert not panel.compared.measure.isVisible()


def test_a_step_of_the_baseline_is_marked_and_selects_nothing(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(LivenessPanel, pair[0])
    compared(qtbot, context, panel, pair[1])
    picture = plot_shown(panel.canvas)
    assert picture.sides is not None
    (planted,) = np.flatnonzero(picture.sides.only_before).tolist()
    assert np.isnan(picture.totals[planted])
    look = panel.context.display.look
    assert "only in the baseline" in picture.describe(planted, planted + 1, planted, look)
    panel.canvas.chosen.emit(np.array([planted]), False)
    assert context.document.selection.value is None
    panel.tabs.setCurrentIndex(NODES)
    table = panel.tree.view.items.table
    rows = [row for row in range(table.rows) if table.columns[2].value(row) == "only in the baseline"]
    assert [table.columns[0].value(row) for row in rows] == ["planted/by/hand"]


def test_live_variables_are_compared_and_a_profile_against_itself_differs_nowhere(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(LivenessPanel, pair[0])
    compared(qtbot, context, panel, pair[0])
    assert not np.nan_to_num(plot_shown(panel.canvas).totals - plot_shown(panel.canvas).sides.before).any()  # type: ignore[union-attr]
    panel.sides.setCurrentIndex(1)
    assert not plot_shown(panel.canvas).totals.any()
    panel.tabs.setCurrentIndex(VARIABLES)
    settle(panel)
    view = panel.variables.view
    qtbot.waitUntil(lambda: "size_difference" in {column.key for column in view.items.table.columns})
    assert panel.variables.view.items.table.rows == 0
    panel.variables._rows.changed_only.setChecked(False)
    qtbot.waitUntil(lambda: panel.variables.view.items.table.rows > 0)
    node = int(panel.shown.curve.nodes[2])
    context.document.selection.set(Selection("liveness", (node,), "elsewhere"))
    settle(panel)
    assert panel.canvas.marks.selected.tolist() == [2]
