"""The program tree beside a baseline: differences in place, the largest first, rows of one side, and how that ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.program_tree import ProgramTree
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from fakes.panels import Opened
from fakes.poplar_pairs import Tree, changed, compare, end, profile_of, tree_of
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=8, compute_sets=6, loops=3, estimates=True)


def plant(made: Tree) -> None:
    """A program is inserted, and a compute set is slower."""
    made["programs"].append({"type": "WriteUndef", "name": "planted/by/hand"})
    parent = next(program for program in made["programs"] if len(program.get("children", ())) >= 3)
    parent["children"].insert(1, len(made["programs"]) - 1)
    for step in made["simulation"]["steps"]:
        if step.get("computeSet") == 3:
            step["cycles"] += 100


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Profile, Profile]:
    folder: Path = tmp_path_factory.mktemp("programs")
    tree = tree_of(SCALE)
    return profile_of(folder, tree), profile_of(folder, changed(tree, plant))


def keys(panel: ProgramTree) -> list[str]:
    return [column.key for column in panel.tree.view.items.table.columns]


def names(panel: ProgramTree) -> list[str]:
    """The names of all rows, expanded."""
    view = panel.tree.view
    view.expandAll()
    made, index = [], view.items.index(0, 0)
    while index.isValid():
        made.append(view.items.label(index.internalId()))
        index = view.indexBelow(index)
    return made


def test_the_tree_shows_what_differs_and_selects_programs(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(ProgramTree, pair[1])
    alone, opened_rows = keys(panel), names(panel)
    assert not panel.compared.measure.isVisible()
    compare(context.document, panel, pair[0])
    qtbot.waitUntil(lambda: panel.compared.active)
    assert keys(panel)[:3] == ["name", "total_cycles_difference", "status"]
    view = panel.tree.view
    shown = [column.key for place, column in enumerate(view.items.table.columns) if not view.isColumnHidden(place)]
    figures = [f"total_cycles_{side}" for side in ("difference", "percent", "before", "after")]
    assert shown == ["name", figures[0], "status", *figures[1:], "type"]
    few = names(panel)
    assert "planted/by/hand" in few
    assert len(few) < len(opened_rows)
    panel.compared.changed_only.setChecked(False)
    assert names(panel) == opened_rows

    table = view.items.table
    planted = next(row for row in range(table.rows) if table.columns[0].value(row) == "planted/by/hand")
    program = int(panel.compared.keys_of(np.array([planted]))[0])
    assert panel.compared.items_of(np.array([program])).tolist() == [planted]
    assert view.reveal(planted)
    panel._choose_item(planted)
    assert context.document.selection.value == Selection("program", (program,), "tree")
    context.document.selection.set(Selection("program", (0,), "elsewhere"))
    assert view.items.chosen is not None
    assert panel.compared.keys_of(np.flatnonzero(view.items.chosen)).tolist() == [0]

    panel.compared.measure.setCurrentIndex(panel.compared.measure.place_of("cycles"))
    panel.compared.order.setCurrentIndex(1)
    assert keys(panel)[1] == "cycles_difference"
    end(context.document, panel)
    QApplication.processEvents()
    assert not panel.compared.measure.isVisible()
    assert keys(panel) == alone
    assert names(panel) == opened_rows
    assert not any(view.isColumnHidden(place) for place in range(len(alone)))


def test_a_program_of_the_baseline_selects_nothing(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(ProgramTree, pair[0])
    compare(context.document, panel, pair[1])
    qtbot.waitUntil(lambda: panel.compared.active)
    table = panel.tree.view.items.table
    planted = next(row for row in range(table.rows) if table.columns[0].value(row) == "planted/by/hand")
    assert table.columns[2].value(planted) == "only in the baseline"
    panel._choose_item(planted)
    assert context.document.selection.value is None
    assert panel.compared.keys_of(np.array([planted])).tolist() == []


def test_a_profile_against_itself_says_that_nothing_differs(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(ProgramTree, pair[0])
    compare(context.document, panel, pair[0])
    qtbot.waitUntil(lambda: panel.compared.active)
    assert panel.tree.stack.is_empty
    panel.compared.changed_only.setChecked(False)
    assert not panel.tree.stack.is_empty
