"""One selection in the real window: whatever it is made with, every other panel shows what belongs to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.analysis import relations
from app.analysis.relations import translate
from app.profile.poplar import Programs
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.window.main_window import MainWindow
from fakes.opened_window import opened_window
from fakes.pictures import rows_marked
from generators import poplar
from generators.poplar_network import Scale

SCALE = Scale(seed=4, mode="COMPUTE_SETS", estimates=True, tiles_per_ipu=48, compute_sets=20, spread=0.4, loops=3)


@dataclass(slots=True)
class Desk:
    window: MainWindow
    profile: Profile
    settle: Callable[[], None]

    def panel(self, name: str) -> Any:
        """A panel, in front and filled."""
        self.window.show_panel(name)
        self.settle()
        return self.window.prepare().docks[name].widget()

    @property
    def programs(self) -> Programs:
        assert self.profile.programs is not None
        return self.profile.programs

    @property
    def selection(self) -> Selection | None:
        return self.window.document.selection.value

    def linked(self, kind: Kind, to: Kind, *indices: int) -> list[int]:
        found: list[int] = translate(self.profile, Selection(kind, indices), to).tolist()
        return found

    def shown(self) -> dict[str, list[int]]:
        """What each panel marks, in its own terms."""
        timeline, bars, heat = self.panel("timeline"), self.panel("tile_memory"), self.panel("heat")
        assert heat.matrix.rows == "compute_set"  # its rows stand in the file's order
        chosen = self.panel("tree").tree.view.items.chosen
        return {
            "slices": sorted(timeline.canvas.selected.tolist()),
            "tiles": bars.canvas.marks.selected.tolist(),
            "sets": rows_marked(heat.canvas),
            "programs": [] if chosen is None else np.flatnonzero(chosen).tolist(),
        }

    def details(self) -> str:
        panel = self.panel("details")
        assert not panel._links.isActive()
        return str(panel.copy_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pair") / "resnet"
    folder.mkdir()
    poplar.write_pair(folder, SCALE)
    return folder


@pytest.fixture(params=["at once", "by a thread"])
def desk(qtbot: QtBot, folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Links of large profiles are looked up by a thread."""
    monkeypatch.setattr(relations, "slow", lambda _: request.param == "by a thread")
    with opened_window(qtbot, [folder]) as (window, settle):
        assert window.document.profile is not None
        yield Desk(window, window.document.profile, settle)


def click(desk: Desk, program: int) -> None:
    """On its row in the tree."""
    view = desk.panel("tree").tree.view
    assert view.reveal(program)
    view.mark(np.empty(0, np.int64))
    desk.settle()
    place = view.visualRect(view.currentIndex())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.center())
    assert desk.selection == Selection("program", (program,), "tree")


def test_a_program_of_the_tree_drives_all_panels(desk: Desk) -> None:
    own = desk.programs
    for program in (int(np.flatnonzero(own.compute_set == 5)[0]), int(own.of_type("DoExchange")[3])):
        click(desk, program)
        shown = desk.shown()
        assert shown["slices"] == sorted(desk.linked("program", "slice", program)) != []
        assert shown["tiles"] == desk.linked("program", "tile", program) != []
        assert 0 < len(shown["tiles"]) < SCALE.tiles
        assert shown["sets"] == desk.linked("program", "compute_set", program)
        assert f"Program {program}\n" in desk.details()
        assert "Steps that ran it" in desk.details()


def test_a_program_with_others_below_it_stands_for_all_of_them(desk: Desk) -> None:
    call = int(desk.programs.of_type("Call")[0])
    click(desk, call)
    shown = desk.shown()
    assert len(shown["sets"]) > 1
    assert shown["sets"] == desk.linked("program", "compute_set", call)
    assert shown["tiles"] == desk.linked("program", "tile", call)
    assert shown["slices"] == desk.linked("program", "slice", call) != []


def test_a_slice_of_the_timeline_leads_to_its_program(desk: Desk) -> None:
    canvas = desk.panel("timeline").canvas
    slice_ = desk.linked("program", "slice", int(np.flatnonzero(desk.programs.compute_set == 7)[0]))[1]
    canvas.chosen.emit(slice_)
    assert desk.selection == Selection("slice", (slice_,), "timeline")
    shown = desk.shown()
    (program,) = desk.linked("slice", "program", slice_)
    assert shown["programs"] == [program]
    view = desk.panel("tree").tree.view
    assert view.items.item(view.currentIndex()) == program
    assert shown["tiles"] == desk.linked("slice", "tile", slice_) != []
    assert shown["sets"] == [7]
    assert "Vertices by type" in desk.details()


def test_tiles_and_rows_of_the_heat_table_lead_back_to_programs(desk: Desk) -> None:
    heat = desk.panel("heat")
    heat.canvas.chosen.emit(np.array([4]), False)
    assert desk.selection is not None
    assert desk.selection.kind == "compute_set"
    shown = desk.shown()
    assert shown["programs"] == desk.linked("compute_set", "program", 4) != []
    assert shown["slices"] == sorted(desk.linked("compute_set", "slice", 4)) != []
    desk.panel("tile_memory").canvas.chosen.emit(np.array([2, 3]), False)
    shown = desk.shown()
    assert shown["tiles"] == [2, 3]
    assert shown["programs"] == desk.linked("tile", "program", 2, 3) != []
    assert shown["slices"] == sorted(desk.linked("tile", "slice", 2, 3)) != []
    assert len(shown["programs"]) < len(desk.programs)
    desk.window.document.selection.clear()
    shown = desk.shown()
    assert shown == {"slices": [], "tiles": [], "sets": [], "programs": []}
