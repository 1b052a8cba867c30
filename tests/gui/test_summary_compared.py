"""Summary, issues and file blocks with a baseline: what differs stands beside, and ending restores the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.analysis.compare.matching import Pair
from app.formats.ascend_bin import FORMAT as OPERATOR
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.issues import IssuesPanel
from app.panels.raw_blocks import RawBlocksPanel
from app.panels.summary.panel import SummaryPanel
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.widgets.context import Context
from fakes.compared_panels import caught_up, cells, end_comparison
from fakes.panels import Opened
from generators import poplar
from generators.ascend_bin import block

COLUMNS = "\tA\tB\tΔ\tΔ (%)\n"
SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (made,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("pair"), SCALE))
    return made


def longer(profile: Profile) -> Profile:
    assert profile.execution is not None
    assert profile.execution.cycles is not None
    more = replace(profile.execution, cycles=profile.execution.cycles + 1000)
    return replace(profile, name="longer", execution=more)


def compare(context: Context, panel: QWidget, before: Profile) -> None:
    document = context.document
    assert document.current_id is not None
    document.baselines.set(document.current_id, document.add(before, job=2, show=False))
    caught_up(panel)


def test_figures_stand_in_columns_beside_those_of_the_baseline(
    qtbot: QtBot, context: Context, opened: Opened, profile: Profile
) -> None:
    panel = opened(SummaryPanel, longer(profile))
    caught_up(panel)
    qtbot.waitUntil(lambda: "Findings" in panel.sheet.text)
    alone = panel.sheet.text
    assert "baseline" not in alone
    compare(context, panel, profile)
    qtbot.waitUntil(lambda: COLUMNS in panel.sheet.text)
    caught_up(panel)
    differing = [line.split("\t") for line in panel.sheet.text.splitlines() if line.count("\t") == 4 and "+" in line]
    assert profile.execution is not None
    cycles = profile.execution.cycles or 0
    run = ["Run (cycles)", f"{cycles + 1000:,}", f"{cycles:,}", "+1,000", f"+{1000 / cycles * 100:.1f} %"]
    assert run in differing
    assert len(differing) < 4, differing
    assert f"A: longer\nB: {profile.name} (baseline)\n" in panel.sheet.text
    end_comparison(context.document, panel)
    qtbot.waitUntil(lambda: panel.sheet.text == alone)


def test_a_profile_beside_itself_says_nothing(qtbot: QtBot, context: Context, opened: Opened, profile: Profile) -> None:
    panel = opened(SummaryPanel, profile)
    compare(context, panel, replace(profile, name="again"))
    qtbot.waitUntil(lambda: "B: again (baseline)" in panel.sheet.text)
    columns = [line.split("\t") for line in panel.sheet.text.splitlines() if line.count("\t") == 4]
    assert columns[0] == ["", "A", "B", "Δ", "Δ (%)"]
    assert all(after == before and not difference for _, after, before, difference, _ in columns[1:])
    assert "only in" not in panel.sheet.text.lower()


def test_issues_that_only_one_side_has(qtbot: QtBot, context: Context, opened: Opened, profile: Profile) -> None:
    shared, new, gone = (Issue("warning", "a.json", text) for text in ("shared", "new one", "gone one"))
    panel = opened(IssuesPanel, replace(profile, issues=(shared, new)))
    compare(context, panel, replace(profile, issues=(shared, gone)))
    assert sorted(cells(panel.table, "status", "text")) == [
        ("in both", "shared"),
        ("only in the baseline", "gone one"),
        ("only in the comparison", "new one"),
    ]
    assert cells(panel.table, "text")[-1] == ("shared",)
    assert panel.buttons["warning"].text().startswith("▲ 3")
    document = context.document
    assert document.current_id is not None
    document.baselines.set_pairs(document.current_id, (Pair("issues", 1, 1),))
    caught_up(panel)
    assert sorted(cells(panel.table, "status", "text")) == [("in both", "shared"), ("paired manually", "new one")]
    end_comparison(context.document, panel)
    assert sorted(cells(panel.table, "text")) == [("new one",), ("shared",)]
    assert panel.buttons["warning"].text().startswith("▲ 2")


def test_blocks_of_two_files_and_the_content_of_the_comparison(
    qtbot: QtBot, context: Context, opened: Opened, tmp_path: Path
) -> None:
    base = b'{"name":"x","op_type":"cube"}'
    sides = []
    for name, parts in (
        ("before", [block(0x05, base), block(0x77, b"1")]),
        ("after", [block(0x05, base), block(0x01, b"int main;", path="/a.cpp"), block(0x77, b"1")]),
    ):
        path = tmp_path / f"{name}.bin"
        path.write_bytes(b"".join(parts))
        sides += read(OPERATOR, [path])
    panel = opened(RawBlocksPanel, sides[1])
    compare(context, panel, sides[0])
    qtbot.waitUntil(lambda: panel.table.view.items.table.columns[0].key == "status")
    rows = cells(panel.table, "status", "path")
    row = rows.index(("only in the comparison", "/a.cpp"))
    panel.table.view.selectRow(row)
    qtbot.waitUntil(lambda: not panel.busy)
    assert "int main" in panel.text.toPlainText()
    end_comparison(context.document, panel)
    assert panel.table.view.items.table.rows == 3
