"""The summary of a Poplar profile: optimisation, sync delays as a plot, and what checks found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest

from app.analysis.checks import check
from app.analysis.figures import figures, sources
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.summary.panel import SummaryPanel
from app.panels.summary.sync_plot import SyncPlot
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.views.pages.figures import figure_sections
from app.widgets.context import Context
from app.widgets.texts import Readout
from fakes.panels import Opened
from generators import poplar
from generators.trees import plain, write_json

SCALE = poplar.Scale(ipus=2, tiles_per_ipu=16, over=2)


@pytest.fixture
def tree() -> Any:
    return {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}


def profile_of(folder: Path, tree: Any) -> Profile:
    (profile,) = read(FORMAT, [write_json(folder / "graph.json", tree)])
    return replace(profile, issues=(*profile.issues, *check(profile)))


def plot_of(panel: SummaryPanel) -> SyncPlot:
    (found,) = panel.sheet.findChildren(SyncPlot)
    return found


def test_optimisation_stands_in_the_summary(opened: Opened, tmp_path: Path, tree: Any) -> None:
    panel = opened(SummaryPanel, profile_of(tmp_path, tree))
    lines = [line.split("\t") for line in panel.copy_text().splitlines()]
    for key, value in tree["optimizationInfo"].items():
        assert [f"  {key}", f"{value:g}"] in lines
    assert ["Minimum sync delay", "113 cycles"] in lines
    assert ["Maximum sync delay", "128 cycles"] in lines


def test_sync_delays_are_a_plot_that_selects_tiles(opened: Opened, context: Context, tmp_path: Path, tree: Any) -> None:
    panel = opened(SummaryPanel, profile_of(tmp_path, tree))
    plot = plot_of(panel)
    assert plot.scene is not None
    delays = [113 + tile for tile in range(16)]
    assert plot.scene.picture.totals.tolist() == delays * 2
    assert plot.scene.picture.axis.name(17) == "tile 17 (IPU 1)"
    plot.chosen.emit(np.arange(3, 6), False)
    assert context.document.selection.value == Selection("tile", (3, 4, 5), "summary")
    assert plot.marks.selected.tolist() == [3, 4, 5]
    plot.chosen.emit(np.array([9]), True)
    assert plot.marks.selected.tolist() == [3, 4, 5, 9]
    context.document.selection.set(Selection("tile", (7, 4000), "test"))
    assert plot.marks.selected.tolist() == [7]
    plot.pointed.emit(4, "tile 4: 117 cycles")
    assert context.document.hover.value == Selection("tile", (4,), "summary")
    assert "117 cycles" in plot.toolTip()


def test_the_wheel_scrolls_the_page_and_zooms_with_ctrl(opened: Opened, tmp_path: Path, tree: Any) -> None:
    panel = opened(SummaryPanel, profile_of(tmp_path, tree))
    panel.resize(300, 240)
    plot = plot_of(panel)
    panel.page.ensureWidgetVisible(plot)
    place = QPoint(plot.width() // 2, plot.height() // 2)

    def turn(keys: Qt.KeyboardModifier) -> QWheelEvent:
        event = QWheelEvent(
            QPointF(place),
            QPointF(plot.mapToGlobal(place)),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            keys,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        plot.wheelEvent(event)
        return event

    assert not turn(Qt.KeyboardModifier.NoModifier).isAccepted()
    assert plot.history is not None
    before = plot.history.view.x.width
    assert turn(Qt.KeyboardModifier.ControlModifier).isAccepted()
    assert plot.history.view.x.width < before
    QTest.mouseMove(plot, place)


def test_long_names_of_categories_do_not_widen_the_page(opened: Opened, tmp_path: Path, tree: Any) -> None:
    panel = opened(SummaryPanel, profile_of(tmp_path, tree))
    panel.resize(300, 600)
    assert panel.sheet.minimumSizeHint().width() <= panel.page.viewport().width()
    assert "globalExchangePacketHeader\t0 B" in panel.copy_text()
    tips = [label.toolTip() for label in panel.sheet.findChildren(Readout) if label.text.startswith("globalExchangeP")]
    assert tips
    assert "globalExchangePacketHeader" in tips[0]


def test_memory_of_all_replicas_is_told_beside_that_of_one(opened: Opened, tmp_path: Path) -> None:
    scale = poplar.Scale(ipus=4, tiles_per_ipu=8, replicas=4)
    profile = profile_of(tmp_path, plain(poplar.graph(scale)))
    memory = profile.tile_memory
    assert memory is not None
    assert memory.total is not None
    found = {figure.name: figure for figure in figures(profile)}
    assert found["memory.replicas"].value == 4
    assert found["memory.all_replicas_bytes"].value == 4 * int(memory.total.sum())
    assert "one replica" in found["memory.all_replicas_bytes"].help
    assert "Memory used, all replicas" in opened(SummaryPanel, profile).copy_text()


def test_a_file_without_delays_has_no_plot(opened: Opened, tmp_path: Path, tree: Any) -> None:
    del tree["target"]["minSyncDelay"]
    panel = opened(SummaryPanel, profile_of(tmp_path, tree))
    assert not panel.sheet.findChildren(SyncPlot)
    assert "Sync delay" not in panel.copy_text()


def test_checks_that_failed_are_named(opened: Opened, tmp_path: Path, tree: Any) -> None:
    tree["target"]["totalMemory"] += 1
    for kind in ("total", "totalIncludingGaps"):
        tree["memory"]["byTile"][kind][0] -= 4000
    tree["graph"]["numVertices"] += 1
    tree["memory"]["byComputeSet"]["codeBytes"][1][5] += 4
    tree["controlPrograms"] = [0, 77_777]
    text = opened(SummaryPanel, profile_of(tmp_path, tree)).copy_text()
    assert "1 error while reading: see Issues\n  graph.json: controlPrograms[1]: " in text
    assert "warnings: see Issues\n  graph.json: " in text
    assert "target.totalMemory: " in text
    assert "\n  and " in text


def test_each_group_of_figures_is_built_in_a_piece_of_its_own(opened: Opened, tmp_path: Path, tree: Any) -> None:
    panel = opened(SummaryPanel, profile_of(tmp_path, tree))
    pieces = len(list(panel.fill(panel.profile)))
    parts = figure_sections(figures(panel.profile), Look(), None)
    assert len(parts) > 1
    assert (
        pieces == len(list(sources(panel.profile))) + 1 + 1 + len(parts) + 1
    )  # figures, statements, findings, groups, the end
