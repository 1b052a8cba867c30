"""The variables beside the curve of live bytes follow the chosen program step."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.details import Described
from app.analysis.relations import translate
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.liveness.panel import NODES, VARIABLES, LivenessPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.display import Display
from generators import poplar
from generators.poplar_beside import variables as lowered
from generators.trees import plain, write_json
from oracles.poplar_live import Live, live

SCALE = poplar.Scale(tiles_per_ipu=4, compute_sets=12, loops=2, live_variables="records")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("variables")
    write_json(folder / "graph.json", plain(poplar.graph(SCALE)))
    parts = lowered(2)
    parts["vars"][0]["info"]["name"] = "weights#0"
    (folder / "vars.json").write_text(json.dumps(parts))
    return folder


@pytest.fixture(scope="module")
def profile(files: Path) -> Profile:
    (profile,) = read(FORMAT, [files / "graph.json", files / "vars.json"])
    return profile


@pytest.fixture(scope="module")
def wanted(files: Path) -> Live:
    return live(json.loads((files / "graph.json").read_text())["memory"]["liveness"])


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.panel = LivenessPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(1200, 400)
        self.panel.show()
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    def select(self, kind: str, *items: int) -> None:
        self.document.selection.set(Selection(kind, items, "test"))  # type: ignore[arg-type]

    @property
    def listed(self) -> list[tuple[str, int]]:
        table = self.panel.shown_table()
        assert table is not None
        cells = {column.key: column for column in table.columns}
        return [(str(cells["name"].value(row)), int(cells["size"].value(row) or 0)) for row in range(table.rows)]


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile)


def of(wanted: Live, node: int, *, always: bool = True) -> list[tuple[str, int]]:
    listed = [*(wanted.always if always else []), *(wanted.at[node] or [])]
    return sorted(((name or "", size or 0) for name, _, size in listed), key=lambda entry: -entry[1])


def test_the_table_follows_the_step_and_begins_at_the_peak(desk: Desk, wanted: Live) -> None:
    assert desk.panel.tabs.currentIndex() == VARIABLES
    assert desk.listed == of(wanted, wanted.peak)
    assert desk.panel.tabs.tabText(VARIABLES).endswith("(peak)")
    for step in (0, 7):
        desk.select("liveness", wanted.steps[step])
        assert desk.listed == of(wanted, wanted.steps[step])
        assert desk.panel.tabs.tabText(VARIABLES) == f"Variables at step {step}"
    desk.panel.always.setChecked(False)
    assert desk.listed == of(wanted, wanted.steps[7], always=False)
    desk.panel.peak.click()
    assert desk.listed == of(wanted, wanted.peak, always=False)


def test_a_variable_shows_its_life_on_the_curve(desk: Desk, profile: Profile, wanted: Live) -> None:
    desk.select("liveness", wanted.steps[7])
    table = desk.panel.variables
    row = next(row for row, (name, _) in enumerate(desk.listed) if name not in ("weights", "constants"))
    name, size = desk.listed[row]
    table.choose_row(row)
    chosen = desk.document.selection.value
    assert chosen is not None
    assert chosen.kind == "live_variable"
    first, last, _ = wanted.life((name, None, size))
    assert first is not None
    assert last is not None
    assert desk.panel.canvas.marks.selected.tolist() == list(range(first, last + 1))
    assert desk.listed == of(wanted, wanted.steps[7])
    assert len(translate(profile, chosen, "program"))


def test_several_steps_and_inner_nodes(desk: Desk, wanted: Live) -> None:
    desk.panel.always.setChecked(False)
    some = wanted.steps[3:6]
    desk.select("liveness", *some)
    assert set(desk.listed) == {entry for node in some for entry in of(wanted, node, always=False)}
    desk.select("liveness", 0)  # lists none itself: those of all steps below
    assert set(desk.listed) == {entry for node in wanted.steps for entry in of(wanted, node, always=False)}


def test_the_tree_stays_one_click_away(desk: Desk) -> None:
    desk.panel.tabs.setCurrentIndex(NODES)
    table = desk.panel.shown_table()
    assert table is not None
    assert table.id == "liveness"
    assert desk.panel.pages.currentWidget() is desk.panel.tree


def test_no_list_is_said_to_be_no_data(qtbot: QtBot, tmp_path: Path) -> None:
    (bare,) = read(FORMAT, [write_json(tmp_path / "graph.json", poplar.graph(poplar.Scale(tiles_per_ipu=4)))])
    desk = Desk(qtbot, bare)
    assert desk.panel.tabs.currentIndex() == NODES
    desk.panel.tabs.setCurrentIndex(VARIABLES)
    assert desk.panel.shown_table() is None
    text = desk.panel.variables.stack.empty.text
    assert text.startswith("This file does not list the variables")
    assert "showVarStorage" in text


def test_details_of_a_program_list_what_is_live_at_its_fullest_step(profile: Profile, wanted: Live) -> None:
    described = Described(profile)
    program = int(translate(profile, Selection("liveness", (wanted.peak,)), "program")[0])
    for kind, index in (("liveness", 0), ("liveness", wanted.peak), ("program", program)):
        parts = {part.title: part for part in described.parts(Selection(kind, (index,)))}  # type: ignore[arg-type]
        said = parts["Live variables"]
        names = [str(pointer.text[0]) for pointer in said.pointers[1:]]
        assert names == [name for name, _ in of(wanted, wanted.peak, always=False)][:8]
        assert said.pointers[0].selection == Selection("liveness", (wanted.peak,), "details")


def test_lowered_variables_of_the_same_name_belong_to_it(profile: Profile) -> None:
    own = profile.live_variables
    assert own is not None
    assert profile.variables is not None
    (weights,) = [index for index in range(len(own)) if own.strings.get(int(own.name[index])) == "weights"]
    rows = translate(profile, Selection("live_variable", (weights,)), "variable")
    assert [profile.variables.strings.get(int(profile.variables.name[row])) for row in rows] == ["weights#0"]
    assert np.all(translate(profile, Selection("live_variable", (weights,)), "liveness") >= 0)
