"""A baseline that is closed is held by no panel of Poplar reports, whatever it showed of it."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox
from pytestqt.qtbot import QtBot

from app.document.background import Background
from app.panels.exchanges.panel import ExchangesPanel
from app.panels.heat_table.panel import HeatPanel
from app.panels.liveness.panel import LivenessPanel
from app.panels.panel import Panel
from app.panels.program_tree import ProgramTree
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.vertex_types.panel import VertexTypesPanel
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.tabs import Tabs
from fakes.panels import Opened
from fakes.poplar_pairs import Tree, compare, profile_of, settle, tree_of
from generators import poplar

PANELS = (TileMemoryPanel, LivenessPanel, ProgramTree, HeatPanel, VertexTypesPanel, ExchangesPanel)


@pytest.fixture(scope="module")
def tree() -> Tree:
    return tree_of(poplar.Scale(mode="VERTICES", tiles_per_ipu=4, compute_sets=3, loops=1, live_variables="records"))


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory, tree: Tree) -> Profile:
    return profile_of(tmp_path_factory.mktemp("after"), tree)


def rested(qtbot: QtBot, panel: Panel) -> None:
    settle(panel)
    qtbot.waitUntil(lambda: not any(each.busy for each in panel.findChildren(Background)))
    QApplication.processEvents()


def go_through(qtbot: QtBot, panel: Panel) -> None:
    """Every choice of the panel, one after the other."""
    if isinstance(panel, TileMemoryPanel):
        panel.strip.toggle.setChecked(True)
    for tabs in panel.findChildren(Tabs):
        for place in range(tabs.count()):
            tabs.setCurrentIndex(place)
            rested(qtbot, panel)
    for box in panel.findChildren(QCheckBox):
        if box.isEnabled() and box.text():
            box.setChecked(not box.isChecked())
            rested(qtbot, panel)
    for chooser in panel.findChildren(QComboBox):
        for place in range(min(chooser.count(), 4)):
            chooser.setCurrentIndex(place)
            rested(qtbot, panel)


@pytest.mark.parametrize("kind", PANELS)
def test_a_baseline_that_is_closed_is_not_held(
    qtbot: QtBot,
    context: Context,
    opened: Opened,
    profile: Profile,
    tree: Tree,
    tmp_path_factory: pytest.TempPathFactory,
    kind: type[Panel],
) -> None:
    before = profile_of(tmp_path_factory.mktemp("before"), tree)
    assert before.programs is not None
    assert before.tile_memory is not None
    assert before.liveness is not None
    assert before.exchanges is not None
    assert before.exchanges.internal is not None
    columns = (
        *(before.programs.type, before.tile_memory.total_with_gaps, before.liveness.bytes),
        before.exchanges.internal.sent,
    )
    held = [weakref.ref(column) for column in columns if column is not None]
    del columns
    panel = opened(kind, profile)
    compare(context.document, panel, before)
    del before
    rested(qtbot, panel)
    go_through(qtbot, panel)
    document = context.document
    (baseline,) = (entry.id for entry in document.entries if entry.id != document.current_id)
    document.close(baseline)
    rested(qtbot, panel)
    gc.collect()
    assert all(column() is None for column in held)
