"""Which rows belong together, rule by rule, on small tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from app.analysis.compare.matched import Matches
from app.analysis.compare.matching import Pair, Trees, match
from app.analysis.compare.names import without_hashes, without_numbers
from app.analysis.compare.plans import Plan, Tree, plan_of
from app.analysis.table import Column, Table


def named(*names: str) -> Table:
    return Table("t", "T", (Column("name", "Name", names, role="name"), Column("n", "N", np.arange(len(names)), "B")))


def partners(matches: Matches) -> list[int]:
    return [int(row) for row in matches.of_before]


BY_NAME = Plan(names=("name",))
LANE = Plan(names=("name",), sequence=True)


def test_rows_of_a_key_belong_together_wherever_they_are() -> None:
    sides = [
        Table("t", "T", (Column("tile", "Tile", np.array(tiles), role="key"),)) for tiles in ([0, 1, 2], [2, 3, 0])
    ]
    made = match(sides[0], sides[1], Plan(key=("tile",)))
    assert partners(made) == [2, -1, 0]
    assert made.counts() == {"key": 2}
    assert made.only_after.tolist() == [1]


def test_rows_of_a_table_without_the_columns_of_its_plan_are_matched_by_those_that_it_has() -> None:
    durations = Column("column_2", "column 2", np.array([2.5, 2.0]), "µs")
    table = Table("block-details", "T", (Column("column_1", "column 1", np.arange(2)), durations))
    assert partners(match(table, table, plan_of(table.id, table, table))) == [0, 1]


def test_rows_of_the_same_name_belong_together_in_order_of_appearance() -> None:
    made = match(named("a", "b", "a", "c"), named("b", "a", "a", "a"), BY_NAME)
    assert partners(made) == [1, 0, 2, -1]
    assert made.counts() == {"name": 3}


def test_names_with_other_hashes_are_similar_and_a_setting_decides_what_is_ignored() -> None:
    before, after = named("conv_0a4ecf73240c8db0_mix", "add_1"), named("add_2", "conv_ffe41273240c8dbb_mix")
    assert partners(match(before, after, BY_NAME, names="exact")) == [-1, -1]
    assert partners(match(before, after, BY_NAME)) == [1, -1]
    made = match(before, after, BY_NAME, names="numbers")
    assert partners(made) == [1, 0]
    assert made.counts() == {"similar-name": 2}


@pytest.mark.parametrize(
    ("name", "hashes", "numbers"),
    [
        ("matmul_0a4ecf73240c8db04ac5059db7c787a7_2", "matmul_#_2", "matmul_#_#"),
        ("0xdeadbeef1 end", "# end", "# end"),
        ("conv2d/layer12", "conv2d/layer12", "conv#d/layer#"),
        ("accelerated", "accelerated", "accelerated"),
        ("12345678", "12345678", "#"),
    ],
)
def test_what_is_ignored_in_names(name: str, hashes: str, numbers: str) -> None:
    assert without_hashes(name) == hashes
    assert without_numbers(name) == numbers


def test_the_rows_of_a_lane_are_aligned_and_moved_ones_matched_by_name() -> None:
    made = match(named("a", "b", "c", "d", "b"), named("a", "x", "c", "d", "b", "a"), LANE)
    assert partners(made) == [0, -1, 2, 3, 4]
    assert made.counts() == {"sequence": 4}
    moved = match(named("m", "a", "b", "c"), named("a", "b", "c", "m"), LANE)
    assert partners(moved) == [3, 0, 1, 2]
    assert moved.counts() == {"name": 1, "sequence": 3}


def test_rows_at_the_same_place_of_the_same_lane_are_the_same() -> None:
    plan = Plan(within=("lane",), names=("name",), sequence=True)
    sides = [
        Table("t", "T", (Column("name", "Name", names), Column("lane", "Lane", lanes)))
        for names, lanes in ((("a", "a", "b"), ("x", "y", "x")), (("a", "b", "a"), ("x", "x", "z")))
    ]
    made = match(sides[0], sides[1], plan)
    assert partners(made) == [0, -1, 1]
    assert made.counts() == {"key": 2}


def tree(*parents: int) -> Tree:
    return Tree(np.array(parents), np.arange(len(parents)))


def in_trees(before: Sequence[str], first: Tree, after: Sequence[str], second: Tree) -> Matches:
    return match(named(*before), named(*after), BY_NAME, trees=Trees(first, second))


def test_rows_of_the_same_path_are_matched_though_others_have_their_names() -> None:
    made = in_trees(["root", "left", "x", "right", "x"], tree(-1, 0, 1, 0, 3), ["root", "right", "x"], tree(-1, 0, 1))
    assert partners(made) == [0, -1, -1, 1, 2]


def test_an_inserted_row_does_not_shift_its_siblings() -> None:
    made = in_trees(
        ["root", "", "a", "", "b"], tree(-1, 0, 0, 0, 0), ["root", "", "", "a", "", "b"], tree(-1, *[0] * 5)
    )
    assert partners(made)[2:] == [3, 4, 5]
    assert len(made.only_after) == 1


def test_a_renamed_row_is_matched_at_its_ancestor_and_what_is_below_it_by_path() -> None:
    made = in_trees(
        ["root", "a", "old", "kid", "b"], tree(-1, 0, 0, 2, 0), ["root", "a", "new", "kid", "b"], tree(-1, 0, 0, 2, 0)
    )
    assert partners(made) == [0, 1, 2, 3, 4]
    assert made.counts() == {"path": 1, "name": 1, "sequence": 2, "ancestor": 1}


def test_different_numbers_of_unknown_rows_are_not_guessed() -> None:
    made = in_trees(["root", "a", "x"], tree(-1, 0, 0), ["root", "a", "y", "z"], tree(-1, 0, 0, 0))
    assert partners(made) == [0, 1, -1]


def test_a_moved_row_is_matched_by_its_name() -> None:
    made = in_trees(["r", "a", "b", "m"], tree(-1, 0, 0, 1), ["r", "a", "b", "m"], tree(-1, 0, 0, 2))
    assert partners(made) == [0, 1, 2, 3]
    assert made.counts() == {"path": 3, "name": 1}


def test_pairs_made_by_hand_override_every_rule() -> None:
    pairs = [Pair("t", 0, 1), Pair("t", 1, None), Pair("t", None, 2), Pair("t", 9, 0)]
    made = match(named("a", "b", "c"), named("a", "b", "c"), BY_NAME, pairs=pairs)
    assert partners(made) == [1, -1, -1]
    assert made.counts() == {"hand": 1}
    again = match(named("a"), named("a", "b"), BY_NAME, pairs=[Pair("t", 0, None), Pair("t", 0, 1)])
    assert partners(again) == [1]


def test_a_match_takes_four_bytes_and_its_rule_one() -> None:
    made = match(named("a", "b"), named("b"), BY_NAME)
    assert made.of_before.dtype == np.int32
    assert made.rule.dtype == np.uint8


def test_rows_without_names_are_matched_by_what_else_they_have() -> None:
    blank = named("", "")
    assert partners(match(blank, blank, BY_NAME)) == [0, 1]
    assert partners(match(blank, blank, Plan(names=("name",), arguments=("n",)))) == [0, 1]
    numbered = Plan(names=("name",), key=("n",))
    assert match(blank, blank, numbered).counts() == {"key": 2}
