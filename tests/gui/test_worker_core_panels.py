"""Panels of a Tenstorrent capture: what they draw, and what a click selects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT
from app.formats.ascend_trace import FORMAT as TRACE
from app.formats.collect import read
from app.formats.tenstorrent import FORMAT
from app.panels.tenstorrent import CoreMemoryPanel, FloorPlanPanel, NocPanel, OperationsPanel, ZonesPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from fakes.panels import Opened
from generators.aie_trace import write as write_tiles
from generators.tenstorrent import Run, write


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return read(FORMAT, write(tmp_path_factory.mktemp("run"), Run()))[0]


def test_a_click_on_the_floor_selects_the_core(opened: Opened, capture: Profile) -> None:
    panel = opened(FloorPlanPanel, capture)
    scene = panel.canvas.scene
    assert scene is not None
    assert (scene.picture.rows, scene.picture.columns) == (12, 10)
    assert scene.lines == ()
    cell = int(np.flatnonzero(panel.items >= 0)[0])
    panel.choose(np.array([cell]), adding=False)
    assert panel.shared.selection is not None
    assert panel.shared.selection.kind == "worker_core"
    assert panel.shared.selection.indices == (int(panel.items[cell]),)
    assert panel.marks_of(panel.shared.selection).tolist() == [cell]
    panel.choose(np.arange(len(panel.items)), adding=False)
    assert len(panel.shared.selection.indices) == int(np.count_nonzero(panel.items >= 0))


def test_bytes_have_lines_between_cores(opened: Opened, capture: Profile) -> None:
    panel = opened(FloorPlanPanel, capture)
    titles = [panel.figure.itemText(place) for place in range(panel.figure.count())]
    panel.figure.setCurrentIndex(titles.index("NoC bytes sent"))
    scene = panel.canvas.scene
    assert scene is not None
    assert len(scene.lines) > 3
    assert max(line.share for line in scene.lines) == 1.0


def test_a_click_on_a_tile_selects_its_lanes_and_rows(opened: Opened, tmp_path: Path) -> None:
    (trace,) = read(TRACE, [write_tiles(tmp_path / "trace.json")])
    panel = opened(FloorPlanPanel, trace)
    assert panel.figure.itemText(0) == "LOCK_STALL (core_trace)"
    panel.choose(np.array([4]), adding=False)  # row 2, column 0
    core = int(panel.items[4])
    assert panel.shared.selection == Selection("worker_core", (core,), panel.spec.id)
    table = panel.table_of(trace)
    assert table is not None
    marked = panel.marked_rows()
    assert {table.columns[0].value(row) for row in marked.tolist()} == {"tile (column 0, row 2)"}
    assert len(marked) == 9  # six events of the core, three of its memory
    panel.point(-1)
    assert str(panel.readout.text).startswith("Click a tile ")
    scene = panel.canvas.scene
    assert scene is not None
    assert (scene.picture.row_title, scene.picture.row_name(2)) == ("Row", "row 2")


def test_bars_and_tables_have_the_same_rows(opened: Opened, capture: Profile) -> None:
    for kind, rows in ((ZonesPanel, 14), (OperationsPanel, 5), (NocPanel, 12)):
        panel = opened(kind, capture)
        assert panel.table.shown_table().rows == rows
        assert panel.bars.canvas.picture is not None


def test_the_curve_of_l1_has_its_limit(opened: Opened, capture: Profile) -> None:
    panel = opened(CoreMemoryPanel, capture)
    picture = panel.canvas.picture
    assert picture is not None
    assert picture.limit == 1_499_136
    assert int(picture.used.argmax()) == 2


def test_each_rule_finds_what_is_planted(capture: Profile) -> None:
    found = {
        rule.id
        for rule in RULES
        if rule.id.startswith("tenstorrent.") and isinstance(result := rule.check(capture, DEFAULT), tuple) and result
    }
    assert found == {rule.id for rule in RULES if rule.id.startswith("tenstorrent.")}
