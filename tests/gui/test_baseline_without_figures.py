"""Panels of Poplar reports beside a baseline that has nothing of what they show: the comparison is shown alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document.background import Background
from app.panels.exchanges.panel import ExchangesPanel
from app.panels.heat_table.panel import HeatPanel
from app.panels.liveness.panel import LivenessPanel
from app.panels.panel import Panel
from app.panels.program_tree import ProgramTree
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.vertex_types.panel import VertexTypesPanel
from app.profile.profile import Origin, Profile
from app.widgets.context import Context
from fakes.panels import Opened
from fakes.pictures import heat_shown, plot_shown
from fakes.poplar_pairs import compare, end, profile_of, settle, tree_of
from generators import poplar

BARE = Profile(name="bare", origin=Origin("poplar", (Path("graph.json"),)))
PANELS = (TileMemoryPanel, LivenessPanel, ProgramTree, HeatPanel, VertexTypesPanel, ExchangesPanel)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    scale = poplar.Scale(tiles_per_ipu=8, compute_sets=4, loops=2, estimates=True, live_variables="records")
    return profile_of(tmp_path_factory.mktemp("alone"), tree_of(scale))


def rested(qtbot: QtBot, panel: Panel) -> None:
    qtbot.waitUntil(lambda: not any(each.busy for each in panel.findChildren(Background)))
    settle(panel)
    QApplication.processEvents()


@pytest.mark.parametrize("kind", PANELS)
def test_a_baseline_without_the_figures_leaves_the_comparison_alone(
    qtbot: QtBot, context: Context, opened: Opened, profile: Profile, kind: type[Panel]
) -> None:
    panel = opened(kind, profile)
    compare(context.document, panel, BARE)
    rested(qtbot, panel)
    if isinstance(panel, TileMemoryPanel):
        assert plot_shown(panel.canvas).sides is None
        assert panel.readout.text.startswith("The baseline has no such figures")
        assert not panel.bar.sides.isVisible()
    elif isinstance(panel, LivenessPanel):
        assert plot_shown(panel.canvas).sides is None
        assert not panel.sides.isVisible()
    elif isinstance(panel, ProgramTree):
        table = panel.tree.view.items.table
        assert {table.columns[2].value(row) for row in range(table.rows)} == {"only in the comparison"}
    elif isinstance(panel, HeatPanel):
        assert not heat_shown(panel.canvas).scale.signed
        assert panel.readout.text.startswith("The baseline has no such figures")
    elif isinstance(panel, ExchangesPanel):
        assert plot_shown(panel.plot.canvas).sides is None
        assert "the baseline has no such figures" in panel.plot.readout.text
    panel.grab()
    end(context.document, panel)
    rested(qtbot, panel)
