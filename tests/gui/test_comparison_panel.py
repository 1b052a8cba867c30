"""The Comparison panel: what was planted is its first row, and rows lead to their evidence."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.analysis.compare.keeping import kept_of, of_runs
from app.analysis.compare.matched import RULES
from app.analysis.compare.names import DEFAULT, TITLES
from app.analysis.lookup.hit import Target
from app.analysis.tables import by_id
from app.document.baselines import BaselineDocument
from app.formats.collect import read
from app.formats.popef import FORMAT as POPEF
from app.formats.poplar import FORMAT as POPLAR
from app.panels.comparison.panel import ComparisonPanel, ShareCell, SignedModel, signed_colours
from app.profile.profile import Profile
from app.profile.profile import Target as Chip
from app.profile.selection import Selection
from app.views.colours import legible
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.widget import TableWidget
from fakes.panels import Opened
from fakes.shell import ascend
from generators import popef, poplar
from generators.popef import guide_blobs

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (made,) = read(POPLAR, poplar.write_pair(tmp_path_factory.mktemp("pair"), SCALE))
    return made


SAME = {"0", "0 %", "0.0 %", "0 B", "0 cycles", "0 s", "0 ns", "0 Hz", "–"}


def slower(profile: Profile, compute_set: int = 2) -> Profile:
    """Each run of a compute set takes 100 cycles more."""
    steps = profile.steps
    assert steps is not None
    cycles = steps.cycles.copy()
    cycles[steps.compute_set == compute_set] += 100
    assert profile.execution is not None
    late = int((cycles - steps.cycles).sum())
    run = replace(profile.execution, cycles=(profile.execution.cycles or 0) + late)
    return replace(profile, name="slower", steps=replace(steps, cycles=cycles), execution=run)


def texts(table: TableWidget, row: int = 0) -> dict[str, str]:
    """A row as it is shown."""
    items = table.view.items
    columns = items.table.columns
    shown = {column.key: items.index(row, place).data() for place, column in enumerate(columns)}
    return {key: str(text) for key, text in shown.items()}


def is_empty(panel: ComparisonPanel) -> bool:
    return panel.stack.is_empty


def front(panel: ComparisonPanel) -> str:
    return panel.page


def is_busy(panel: ComparisonPanel) -> bool:
    return panel.busy


def panel_profile(context: Context) -> Profile:
    assert context.document.profile is not None
    return context.document.profile


class Compared:
    """The panel with a profile and its baseline."""

    def __init__(self, qtbot: QtBot, context: Context, opened: Opened) -> None:
        self._qtbot, self._context, self._opened = qtbot, context, opened

    def show(self, after: Profile, before: Profile) -> ComparisonPanel:
        panel: ComparisonPanel = self._opened(ComparisonPanel, after)
        document = self._context.document
        entry = document.current_id
        assert entry is not None
        baseline = document.add(before, job=2, show=False)
        document.finish(baseline)
        document.baselines.set(entry, baseline)
        self.settle(panel)
        return panel

    def show_document(self, after: Profile, document: BaselineDocument) -> ComparisonPanel:
        panel: ComparisonPanel = self._opened(ComparisonPanel, after)
        entry = self._context.document.current_id
        assert entry is not None
        self._context.document.baselines.set_document(entry, document)
        self.settle(panel)
        return panel

    def settle(self, panel: ComparisonPanel) -> None:
        for refresh in panel.findChildren(Refresh):
            refresh.now()
        self._qtbot.waitUntil(lambda: not panel.busy)


@pytest.fixture
def compared(qtbot: QtBot, context: Context, opened: Opened) -> Compared:
    return Compared(qtbot, context, opened)


def kept_of_runs(*runs: Profile) -> BaselineDocument:
    kept = kept_of(runs[0]) if len(runs) == 1 else of_runs([kept_of(run) for run in runs])
    path = Path("/data/small.json")
    return BaselineDocument(path, kept, kept.profile(path))


def test_a_baseline_document_is_compared_as_the_command_line_does(
    compared: Compared, context: Context, profile: Profile
) -> None:
    panel = compared.show_document(slower(profile), kept_of_runs(profile))
    assert panel.page == "causes"  # rows of tables: a document has no steps, of which causes are made
    assert texts(panel.totals)["difference"] == "+200 cycles"
    assert profile.compute_sets is not None
    causes = panel.pages["causes"]
    names = {texts(causes, row)["name"] for row in range(causes.view.items.table.rows)}
    assert profile.compute_sets.names[2] in names
    assert "The baseline is a document of 1 run." in texts(panel.pages["limits"])["why"]
    assert context.document.baselines.comparison is None  # other panels show the profile alone
    panel.pages["causes"].view.selectRow(0)
    assert panel.can_show_evidence
    entry = context.document.current_id
    assert entry is not None
    context.document.baselines.end(entry)
    compared.settle(panel)
    assert is_empty(panel)


def test_the_spread_of_runs_is_said_in_words(compared: Compared, profile: Profile) -> None:
    runs = [profile, slower(profile), slower(slower(profile))]
    inside = compared.show_document(profile, kept_of_runs(*runs))
    assert "The figures of the baseline are medians of 3 runs." in str(inside.headline.text)
    assert texts(inside.totals)["spread"] == "within the spread of 3 runs"
    assert texts(inside.pages["figures"])["spread"] == "within the spread of 3 runs"
    outside = compared.show_document(slower(slower(runs[2])), kept_of_runs(*runs))
    assert texts(outside.totals)["spread"] == "outside the spread of 3 runs"


def test_what_was_planted_is_the_first_row_and_leads_to_its_evidence(
    compared: Compared, context: Context, profile: Profile
) -> None:
    panel = compared.show(slower(profile), profile)
    explained = panel.pages["causes"]
    assert panel.page == "causes"
    assert profile.compute_sets is not None
    first = texts(explained)
    assert first["name"] == profile.compute_sets.names[2]
    assert first["difference"] == "+200 cycles"
    assert first["total"] == "Run"
    told: list[Target] = []
    context.document.target_wanted.connect(told.append)
    assert not panel.show_row.isEnabled()
    explained.view.selectRow(0)
    chosen = context.document.selection.value
    assert chosen is not None
    assert (chosen.kind, chosen.source) == ("program", "comparison")
    panel.show_row.click()
    assert panel.pages["matched"].note.text() == TITLES[DEFAULT]
    (target,) = told
    assert (target.panel, target.table, target.of_baseline) == ("tables", "programs", False)
    table = by_id(panel_profile(context), "programs")
    assert table is not None
    assert table.key(target.row) == chosen.first
    explained.view.clearSelection()
    context.document.selection.set(Selection("program", chosen.indices, "tables"))
    names = explained.view.items.table.columns[0]
    marked = {names.value(row) for row in explained.selected_rows().tolist()}
    assert marked == {first["name"]}


def test_a_row_that_is_chosen_stays_chosen_although_others_say_the_same(
    compared: Compared, context: Context, profile: Profile
) -> None:
    panel = compared.show(slower(profile), slower(profile, 1))
    assert panel._shown is not None
    first, second, *rest = panel._shown.places
    panel._shown = replace(panel._shown, places=(first, replace(second, kind=first.kind, item=first.item), *rest))
    view = panel.pages["causes"].view
    view.selectRow(1)
    assert panel.pages["causes"].selected_rows().tolist() == [1]
    assert context.document.selection.value is not None


def test_a_profile_against_itself_has_no_difference(compared: Compared, profile: Profile) -> None:
    panel = compared.show(profile, replace(profile, name="twin"))
    assert "No difference." in panel.headline.text
    assert panel.share.text() == "100.0 % of the rows are matched."
    assert "Hashes" in panel.matching.toolTip()
    assert {row: texts(panel.totals, row)["difference"] for row in range(panel.totals.view.items.rowCount())} == {
        0: "0 cycles",
        1: "0 B",
    }
    assert {texts(panel.pages["figures"], row)["difference"] for row in range(30)} <= SAME
    for page in ("causes", "changed", "limits"):
        table = panel.pages[page]
        assert table.view.items.rowCount() == 0, page
    matched = panel.pages["matched"]
    assert {texts(matched, row)["rows"] for row in range(matched.view.items.rowCount())} == {"100.0"}


def test_rows_of_a_total_that_stays_the_same_are_causes_without_shares(compared: Compared, profile: Profile) -> None:
    panel = compared.show(slower(profile), slower(profile, 1))
    causes = panel.pages["causes"]
    shown = [texts(causes, row) for row in range(2)]
    assert {row["difference"] for row in shown} == {"+200 cycles", "−200 cycles"}
    assert {row["share"] for row in shown} == {"–"}
    assert {row["total"] for row in shown} == {"Run"}
    assert all(row["parts"].startswith("row of the table ") for row in shown)
    causes.view.selectRow(0)
    assert panel.can_show_evidence


def test_the_header_tells_profiles_of_one_name_apart(compared: Compared, profile: Profile) -> None:
    def at(folder: str, made: Profile) -> Profile:
        paths = (Path("/runs", folder, "out", "trace.json"),)
        return replace(made, name="trace.json", origin=replace(made.origin, paths=paths))

    panel = compared.show(at("new", slower(profile)), at("old", profile))
    assert panel.headline.text == "A: new · trace.json   B: old · trace.json (baseline)"


def test_a_button_shows_how_rows_were_matched_and_what_cannot_be_compared(compared: Compared, profile: Profile) -> None:
    panel = compared.show(slower(profile), profile)
    panel.matching.click()
    assert front(panel) == "matched"
    assert panel.pages["matched"].isVisibleTo(panel)
    assert panel.pages["limits"].isVisibleTo(panel)
    panel.tabs.tabBarClicked.emit(panel.tabs.currentIndex())  # as a click on the tab in front
    assert front(panel) == "causes"
    assert not panel.pages["limits"].isVisibleTo(panel)


def test_stored_data_that_differs_is_a_change(compared: Compared, tmp_path: Path) -> None:
    def model(name: str, value: int) -> Profile:
        tensor = popef.tensor("planted", (4,), 3, bytes([0, 0, value, 66] * 4))
        (made,) = read(POPEF, [popef.write(tmp_path / name, [*guide_blobs(), tensor])])
        return made

    panel = compared.show(model("after.popef", 40), model("before.popef", 32))
    assert panel.page == "changed"
    first = texts(panel.pages["changed"])
    assert (first["name"].split(" · ")[0], first["column"]) == ("planted", "Data")
    assert first["after"].startswith("4 of 4 elements differ; largest difference ")


def test_without_a_baseline_it_says_how_to_begin_and_asks_for_one(
    qtbot: QtBot, context: Context, opened: Opened
) -> None:
    panel: ComparisonPanel = opened(ComparisonPanel, ascend())
    assert panel.stack.is_empty
    wanted: list[str] = []
    panel.commands_wanted.connect(lambda place, _: wanted.append(place))
    panel.stack.empty._button.click()
    assert wanted == ["baseline"]


def test_results_are_kept_until_a_profile_changes(
    qtbot: QtBot, compared: Compared, context: Context, profile: Profile
) -> None:
    panel = compared.show(slower(profile), profile)
    document, shown = context.document, panel._shown
    after, baseline = (entry.id for entry in document.entries)
    document.show(baseline)
    compared.settle(panel)
    assert is_empty(panel)
    document.show(after)
    compared.settle(panel)
    assert panel._shown is shown
    assert not is_empty(panel)
    document.replace(baseline, slower(profile, 1), job=3)
    compared.settle(panel)
    assert panel._shown is not shown
    assert {texts(panel.pages["causes"], row)["difference"] for row in range(2)} == {"+200 cycles", "−200 cycles"}
    document.close(baseline)
    compared.settle(panel)
    assert is_empty(panel)
    assert panel._shown is None


def test_a_comparison_is_cancelled_and_begun_again(
    qtbot: QtBot, context: Context, opened: Opened, profile: Profile
) -> None:
    panel: ComparisonPanel = opened(ComparisonPanel, slower(profile))
    document = context.document
    entry, baseline = document.current_id, document.add(profile, job=2, show=False)
    assert entry is not None
    document.baselines.set(entry, baseline)
    for refresh in panel.findChildren(Refresh):
        refresh.now()
    assert panel.busy
    assert panel.progress.isVisible()
    panel.progress.button.click()
    assert not is_busy(panel)
    assert panel.stack.empty.text == "The comparison was cancelled."
    panel.stack.empty._button.click()
    for refresh in panel.findChildren(Refresh):
        refresh.now()
    qtbot.waitUntil(lambda: not is_busy(panel))
    assert not is_empty(panel)


def test_other_clocks_and_numbers_of_tiles_are_said(compared: Compared, profile: Profile) -> None:
    assert profile.target is not None
    chip: Chip = replace(profile.target, clock_hz=2.0e9)
    faster = replace(slower(profile), target=chip)
    panel = compared.show(faster, replace(profile, target=replace(chip, clock_hz=1.0e9)))
    names = [texts(panel.totals, row)["total"] for row in range(panel.totals.view.items.rowCount())]
    assert any("as time" in name for name in names)
    assert "Hz" in texts(panel.pages["limits"])["why"]


def test_tool_tips_say_all_matching_rules(compared: Compared, profile: Profile) -> None:
    panel = compared.show(slower(profile), profile)
    items = panel.pages["matched"].view.items
    head = items.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    for rule in RULES:
        assert html.escape(rule.help) in head
    key = next(row for row in range(items.rowCount()) if texts(panel.pages["matched"], row)["rule"] == "same key")
    assert "the same tile, block, core or line" in items.index(key, 1).data(Qt.ItemDataRole.ToolTipRole)


def test_shares_are_bars_on_both_sides_of_zero(compared: Compared, profile: Profile) -> None:
    panel = compared.show(slower(profile), profile)
    view = panel.pages["causes"].view
    (place,) = (n for n, column in enumerate(view.items.table.columns) if column.key == "share")
    drawing = view.cell_delegate.drawn[place]
    assert isinstance(drawing, ShareCell)
    model = view.items
    assert isinstance(model, SignedModel)
    assert model.ink(place, 0) in {legible(*signed_colours(model.theme, sign)) for sign in (-1.0, 1.0)}
    assert np.isfinite(float(texts(panel.pages["causes"])["share"].strip("+% ").replace("−", "-").replace(",", "")))
