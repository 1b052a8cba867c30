"""The panel of findings: what the rules say, and the way to the evidence."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.analysis.findings import ranked
from app.analysis.findings.finding import Outcome
from app.analysis.findings.thresholds import LIMITS, Thresholds
from app.analysis.lookup.hit import Target
from app.formats.ascend_bin import FORMAT
from app.formats.ascend_capture import FORMAT as CAPTURE
from app.formats.collect import read
from app.panels.findings.panel import WAITING, FindingsPanel
from app.panels.findings.thresholds_dialog import ThresholdsDialog
from app.panels.summary.panel import SummaryPanel
from app.panels.tables import TablesPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.store.findings import outcomes
from app.widgets.context import Context
from app.widgets.sheet import Link
from fakes.panels import Opened
from generators.ascend_database import Rank

TIP = Qt.ItemDataRole.ToolTipRole
SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "matmul_leakyrelu.bin"


@pytest.fixture(scope="module")
def profile() -> Profile:
    (made,) = read(FORMAT, [SAMPLE])
    return made


@pytest.fixture
def panel(qtbot: QtBot, opened: Opened, profile: Profile) -> FindingsPanel:
    panel = opened(FindingsPanel, profile)
    assert isinstance(panel, FindingsPanel)
    qtbot.waitUntil(lambda: panel.table.view.items.table.rows > 0)
    return panel


def titles(panel: FindingsPanel) -> list[str]:
    items = panel.table.view.items
    return [str(items.table.columns[1].value(int(row))) for row in items.rows]


def test_the_first_finding_is_explained(panel: FindingsPanel) -> None:
    assert titles(panel)[0] == "2 of 20 AI cores of the chip have a block"
    text = panel.copy_text()
    assert "2 of 20 AI cores of the chip have a block" in text
    assert "Saves at most 5.34 µs (operator)" in text
    assert "blocks launched" in text
    assert "An estimate" in text


def test_a_click_on_evidence_selects_it(panel: FindingsPanel, context: Context) -> None:
    row = next(row for row, title in enumerate(titles(panel)) if title.startswith("Block "))
    panel.table.choose_row(int(panel.table.view.items.rows[row]))
    link = next(link for link in panel.page.sheet.findChildren(Link) if link.text().endswith("µs"))
    link.click()
    assert context.document.selection.value == Selection("block", (1,))


def test_a_click_on_evidence_in_a_table_goes_to_its_row(
    qtbot: QtBot, opened: Opened, context: Context, tmp_path: Path
) -> None:
    paths = Rank(steps=3, kernels=4).write(tmp_path)
    (capture,) = read(CAPTURE, paths)
    panel, tables = opened(FindingsPanel, capture), opened(TablesPanel, capture)
    assert isinstance(panel, FindingsPanel)
    assert isinstance(tables, TablesPanel)
    context.document.target_wanted.connect(lambda target: tables.show_table(target.table, target.row))
    wanted: list[Target] = []
    context.document.target_wanted.connect(wanted.append)
    qtbot.waitUntil(lambda: "Stages of a pipeline wait" in titles(panel))
    panel.table.choose_row(int(panel.table.view.items.rows[titles(panel).index("Stages of a pipeline wait")]))
    link = next(link for link in panel.page.sheet.findChildren(Link) if "step" in link.text())
    link.click()
    (target,) = wanted
    assert (target.table, target.row) == ("steps-of-training", 1)
    qtbot.waitUntil(lambda: tables.table.view.items.table.id == "steps-of-training")
    qtbot.waitUntil(lambda: tables.table.view.currentIndex().row() == 1)


def test_a_profile_that_is_still_read_is_not_judged(
    qtbot: QtBot, opened: Opened, profile: Profile, context: Context
) -> None:
    panel = opened(FindingsPanel, profile)
    entry = context.document.add(replace(profile, name="late"), 9)
    qtbot.waitUntil(lambda: panel.table.stack.empty.text == WAITING)
    assert titles(panel) == []
    context.document.finish(entry)
    qtbot.waitUntil(lambda: len(titles(panel)) > 0)


def test_the_way_of_the_checks_is_shown_and_can_be_ended(
    qtbot: QtBot, panel: FindingsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = threading.Event(), threading.Event()

    def slow(*arguments: object, progress: Callable[[int, int], object], **options: object) -> list[Outcome]:
        progress(3, 10)
        begun.set()
        go.wait(5)
        return []

    monkeypatch.setattr("app.panels.findings.panel.outcomes", slow)
    panel.clear()
    panel.refill()
    qtbot.waitUntil(lambda: (panel.progress.bar.value(), panel.progress.bar.maximum()) == (3, 10))
    assert panel.progress.isVisible()
    panel.progress.button.click()
    assert panel.stack.empty.text == "The rules were not checked."
    monkeypatch.undo()
    go.set()
    panel.stack.empty._run()
    qtbot.waitUntil(lambda: len(titles(panel)) > 0)
    assert not panel.progress.isVisible()


def test_names_of_rules_are_hidden_and_in_every_copy(panel: FindingsPanel) -> None:
    keys = [column.key for column in panel.table.view.items.table.columns]
    assert panel.table.view.isColumnHidden(keys.index("rule"))
    assert "ascend." in panel.table.copy_text()
    panel.table.show_columns()
    assert not panel.table.view.isColumnHidden(keys.index("rule"))


def test_a_severity_can_be_hidden(panel: FindingsPanel) -> None:
    before = titles(panel)
    panel._severities.buttons["warning"].setChecked(False)
    assert 0 < len(titles(panel)) < len(before)


def test_another_profile_has_findings_of_its_own(panel: FindingsPanel, context: Context, qtbot: QtBot) -> None:
    bare = Profile(name="bare", origin=panel.context.document.profile.origin)  # type: ignore[union-attr]
    context.document.add(bare, 9)
    qtbot.waitUntil(lambda: titles(panel) == [])
    assert panel.table.stack.is_empty


def test_thresholds_are_changed_in_a_window_and_reset(
    panel: FindingsPanel, context: Context, qtbot: QtBot, profile: Profile
) -> None:
    items = panel.table.view.items
    assert "\nRule: ascend." in items.data(items.index(row_of(panel, "L2"), 1), TIP)
    assert "L2 hit rate, 50 %. " in items.data(items.index(row_of(panel, "L2"), 1), TIP)
    for _ in range(2):
        panel.thresholds.click()
    (dialog,) = panel.findChildren(ThresholdsDialog)  # the second click shows the same one
    assert tuple(dialog.boxes) == tuple(LIMITS)
    assert not dialog.reset.isEnabled()
    assert dialog.boxes["l2_hits"].accessibleName() == "L2 hit rate"
    shown = {name for name, box in dialog.boxes.items() if box.isVisibleTo(dialog)}
    assert {"l2_hits", "frequency", "regression"} <= shown
    assert not {"compute_imbalance", "compiling", "launch_gaps"} & shown
    assert dialog.focusWidget() is next(box for name, box in dialog.boxes.items() if name in shown)
    for every in (True, False):
        dialog.show_all.setChecked(every)
        assert dialog.boxes["compiling"].isVisibleTo(dialog) == every
    dialog.boxes["l2_hits"].setValue(20.0)
    dialog.boxes["frequency"].setValue(50.0)
    assert context.document.thresholds.values == {"l2_hits": 20.0, "frequency": 50.0}
    qtbot.waitUntil(lambda: not any("L2" in title or "rated" in title for title in titles(panel)))
    same = ranked(outcomes(profile, Thresholds(l2_hits=20.0, frequency=50.0)))
    assert titles(panel) == [finding.title for _, finding in same]
    dialog.reset.click()
    assert context.document.thresholds.values == {}
    assert dialog.boxes["l2_hits"].value() == 50.0
    qtbot.waitUntil(lambda: any("L2" in title for title in titles(panel)))
    dialog.close()


def row_of(panel: FindingsPanel, word: str) -> int:
    return next(row for row, title in enumerate(titles(panel)) if word in title)


def test_the_summary_names_what_costs_most(qtbot: QtBot, opened: Opened, profile: Profile, context: Context) -> None:
    summary = opened(SummaryPanel, profile)
    entry = context.document.add(replace(profile, name="late"), 9)
    qtbot.waitUntil(lambda: summary.copy_text().startswith("late"))
    assert "Findings" not in summary.copy_text()  # not everything has been read
    context.document.finish(entry)
    qtbot.waitUntil(lambda: "2 of 20 AI cores of the chip have a block: at most 5.34 µs" in summary.copy_text())
    link = next(link for link in summary.page.sheet.findChildren(Link) if "Block 1 takes longer" in link.text())
    link.click()
    assert context.document.selection.value == Selection("block", (1,), "summary")
