"""Two trees as one: children in the order of the tree after, and rows of the baseline where they stood."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matching import match
from app.analysis.compare.plans import Plan
from app.analysis.compare.tables import BOTH, ONLY_BEFORE, compared
from app.analysis.compare.trees import MergedTree, TreeDifferences, changed_rows, merged_tree, tree_differences
from app.analysis.poplar.program_figures import ProgramFigures, program_figures
from app.analysis.table import Coded, Column, Table
from app.analysis.trees import Hierarchy, program_tree
from app.profile.arrays import Ragged
from app.profile.profile import Profile
from app.profile.strings import Strings
from fakes.poplar_pairs import Tree, changed, profile_of, tree_of
from generators import poplar

Children = dict[str, list[str]]
"""The children of each name, "" for the roots."""


def hierarchy(children: Children, sizes: dict[str, int]) -> Hierarchy:
    names = sorted(sizes)
    place = {name: number for number, name in enumerate(names)}
    rows = [[place[child] for child in children.get(name, [])] for name in names]
    below = Ragged.of(np.array([len(row) for row in rows], np.int64), np.array(list(chain(*rows)), np.int64))
    texts = Coded(np.arange(len(names)), Strings.of(names))
    size = Column("size", "Size", np.array([sizes[name] for name in names]), "B", inclusive=True)
    table = Table("t", "T", (Column("name", "Name", texts, role="name"), size))
    roots = np.array([place[name] for name in children[""]], np.int64)
    return Hierarchy(table, roots, tuple(f"root {name}" for name in children[""]), below)


def merged(before: Hierarchy, after: Hierarchy) -> tuple[MergedTree, TreeDifferences]:
    own = compared(before.table, after.table, match(before.table, after.table, Plan(names=("name",))))
    made = merged_tree(own, before, after)
    return made, TreeDifferences(own, made, before, after)


def listed(made: MergedTree, names: list[str]) -> Children:
    children = {
        names[row]: [names[int(item)] for item in made.below.row(row)]
        for row in range(len(names))
        if len(made.below.row(row))
    }
    return {"": [names[int(root)] for root in made.roots], **children}


def names_of(differences: TreeDifferences) -> list[str]:
    column = differences.table_of_all.columns[0]
    return [str(column.value(row)) for row in range(differences.compared.rows)]


def by_hand(before: Children, after: Children, only_before: set[str]) -> Children:
    """The same by walking over the children of each name."""
    made: Children = {}
    for name in {*before, *after}:
        old, new = before.get(name, []), after.get(name, [])
        whole = list(new)
        left = list(new)
        at = -1
        for child in old:
            if child in left:
                at = whole.index(child)
                left.remove(child)
            elif child in only_before or name in only_before:
                at += 1
                whole.insert(at, child)
        if whole:
            made[name] = whole
    return made


@st.composite
def trees(draw: st.DrawFn) -> Children:
    """A tree of distinct names."""
    names = draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True))
    made: Children = {"": []}
    for place, name in enumerate(names):
        parent = draw(st.sampled_from(["", *names[:place]]))
        made.setdefault(parent, []).append(name)
    return made


def sizes_of(children: Children, size: int) -> dict[str, int]:
    return {name: size for own in children.values() for name in own}


@given(trees(), trees())
def test_the_merged_tree_is_what_walking_over_both_gives(before: Children, after: Children) -> None:
    own, differences = merged(hierarchy(before, sizes_of(before, 1)), hierarchy(after, sizes_of(after, 1)))
    only_before = set(sizes_of(before, 1)) - set(sizes_of(after, 1))
    assert listed(own, names_of(differences)) == by_hand(before, after, only_before)
    assert [title.removeprefix("root ") for title in own.titles] == listed(own, names_of(differences))[""]


def test_figures_of_one_side_count_whole_and_the_largest_difference_is_first() -> None:
    before: Children = {"": ["a"], "a": ["b", "c", "d"]}
    after: Children = {"": ["a"], "a": ["b", "d", "e"]}
    old = hierarchy(before, {"a": 60, "b": 10, "c": 20, "d": 30})
    new = hierarchy(after, {"a": 85, "b": 10, "d": 35, "e": 40})
    _, made = merged(old, new)
    names = names_of(made)
    difference = dict(zip(names, made.difference("size").tolist(), strict=True))
    assert difference == {"a": 25, "b": 0, "c": -20, "d": 5, "e": 40}
    tree = made.tree("size", by_difference=True, changed_only=False)
    assert [names[int(item)] for item in tree.below.row(names.index("a"))] == ["e", "c", "d", "b"]
    tree = made.tree("size", by_difference=False, changed_only=True)
    assert [names[int(item)] for item in tree.below.row(names.index("a"))] == ["c", "d", "e"]
    assert [column.key for column in tree.table.columns[:6]] == [
        *("name", "size_difference", "status", "size_percent", "size_before", "size_after"),
    ]
    assert made.compared.status[names.index("c")] == ONLY_BEFORE


SCALE = poplar.Scale(tiles_per_ipu=8, compute_sets=6, loops=3, estimates=True)


@pytest.fixture(scope="module")
def tree() -> Tree:
    return tree_of(SCALE)


def differences(before: Profile, after: Profile) -> TreeDifferences:
    made = [program_tree(side, program_figures(side) or ProgramFigures()) for side in (before, after)]
    assert made[0] is not None
    assert made[1] is not None
    return tree_differences(Comparison(before, after), made[0], made[1])


def test_a_profile_against_itself_has_no_difference(tree: Tree, tmp_path: Path) -> None:
    own = profile_of(tmp_path, tree)
    made = differences(own, own)
    assert (made.compared.status == BOTH).all()
    assert not changed_rows(made.compared, made.merged).any()
    assert not made.changed.any()
    assert not len(made.tree(made.main, by_difference=False, changed_only=True).roots)
    for measure in made.measures:
        assert not np.nan_to_num(made.difference(measure.key)).any()


def test_a_planted_program_is_the_only_change_and_stands_in_its_place(tree: Tree, tmp_path: Path) -> None:
    parents: list[int] = []

    def plant(made: Tree) -> None:
        made["programs"].append({"type": "WriteUndef", "name": "planted/by/hand"})
        parents.append(next(n for n, program in enumerate(made["programs"]) if len(program.get("children", ())) >= 3))
        made["programs"][parents[0]]["children"].insert(1, len(made["programs"]) - 1)

    own, other = profile_of(tmp_path, tree), profile_of(tmp_path, changed(tree, plant))
    for before, after, status in ((own, other, "only in the comparison"), (other, own, "only in the baseline")):
        made = differences(before, after)
        table = made.table(made.main)
        cells = {column.key: column for column in table.columns}
        (planted,) = (row for row in range(table.rows) if cells["name"].value(row) == "planted/by/hand")
        assert cells["status"].value(planted) == status
        assert [row for row in range(table.rows) if cells["status"].value(row) != "in both"] == [planted]
        rows = made.compared.rows_after if after is other else made.compared.rows_before
        parent = int(np.flatnonzero(rows == parents[0])[0])
        assert int(made.merged.below.row(parent)[1]) == planted
        shown = made.tree(made.main, by_difference=False, changed_only=True)
        assert planted in shown.below.row(parent)


def test_programs_that_are_renamed_moved_or_no_longer_run_say_so(tree: Tree, tmp_path: Path) -> None:
    texts = [program.get("name", "") for program in tree["programs"]]
    sets = [n for n, program in enumerate(tree["programs"]) if program["type"] == "OnTileExecute"]
    parents = [n for n, program in enumerate(tree["programs"]) if len(program.get("children", ())) >= 3]
    gone = next(c for c in sets if c in tree["programs"][parents[0]]["children"] and texts.count(texts[c]) == 1)
    renamed = next(c for c in sets if c != gone)

    def change(made: Tree) -> None:
        made["programs"][parents[0]]["children"].remove(gone)
        made["programs"][renamed]["name"] = "another/name/altogether"

    made = differences(profile_of(tmp_path, tree), profile_of(tmp_path, changed(tree, change)))
    status = made.table(made.main).columns[2]
    rows = {int(row): place for place, row in enumerate(made.compared.rows_before.tolist())}
    assert status.value(rows[gone]) == "only in the baseline"
    assert rows[gone] in made.merged.below.row(rows[parents[0]])
    assert status.value(rows[renamed]) == "renamed"
    before = program_figures(made_profile := profile_of(tmp_path, tree))
    assert made_profile.programs is not None
    assert before is not None
    assert before.total_cycles is not None
    assert made.difference("total_cycles")[rows[gone]] == -before.total_cycles[gone]
    cells = {column.key: column.value(rows[gone]) for column in made.table("total_cycles").columns}
    assert cells["total_cycles_before"] == -cells["total_cycles_difference"]  # type: ignore[operator]
    assert cells["total_cycles_after"] is cells["total_cycles_percent"] is None


def test_cycles_are_summed_up_the_tree(tree: Tree, tmp_path: Path) -> None:
    def slow(made: Tree) -> None:
        for step in made["simulation"]["steps"]:
            if step.get("computeSet") == 3:
                step["cycles"] += 100

    own, other = profile_of(tmp_path, tree), profile_of(tmp_path, changed(tree, slow))
    made = differences(own, other)
    runs = sum(step.get("computeSet") == 3 for step in tree["simulation"]["steps"])
    total = made.difference("total_cycles")
    assert np.nanmax(total) == 100 * runs
    assert "total_cycles" in {measure.key for measure in made.measures}
    changed_names = np.flatnonzero(np.nan_to_num(made.difference("cycles")))
    assert len(changed_names) == 1
