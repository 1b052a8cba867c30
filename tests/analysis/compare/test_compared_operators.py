"""What panels show of two operators, against the plainest way to compute it."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.ascend.cores import METRICS, sub_core_name, values
from app.analysis.ascend.launch import block_names, of_blocks, sub_block_names
from app.analysis.ascend.workload import block_shares, blocks
from app.analysis.compare.codes import pairs_by_name
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators import (
    BIT_AFTER,
    BIT_BEFORE,
    BIT_BOTH,
    before_of_cores,
    compared_cells,
    compared_durations,
    compared_facts,
    compared_figures,
    compared_shares,
    compared_stalls,
    merged_accesses,
)
from app.analysis.compare.plans import plan_of
from app.analysis.compare.ranking import SUBJECTS, subject_amounts
from app.analysis.compare.sources import stops
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE
from app.profile.ascend import MemoryAccesses, StallReasons
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from fakes.operators import read, whole
from generators.ascend_details import Shape

NAMES = st.lists(st.sampled_from("abcd"), max_size=12)
EMPTY = Profile(name="", origin=Origin("", ()))


@pytest.fixture(scope="module")
def pair() -> Comparison:
    """Two operators with all figures different, of which one has a block more."""
    return Comparison(read(whole(Shape(blocks=3))), read(whole(Shape(blocks=4, seed=5))))


@given(NAMES, NAMES)
def test_names_are_paired_in_order_of_appearance(before: list[str], after: list[str]) -> None:
    left, right = pairs_by_name(before, after)
    ordinals = [defaultdict[str, int](int), defaultdict[str, int](int)]
    named: list[dict[tuple[str, int], int]] = [{}, {}]
    for side, names in enumerate((before, after)):
        for place, name in enumerate(names):
            named[side][name, ordinals[side][name]] = place
            ordinals[side][name] += 1
    expected = [(named[0].get(key, -1), place) for key, place in named[1].items()]
    expected += [(place, -1) for key, place in named[0].items() if key not in named[1]]
    assert sorted(zip(left.tolist(), right.tolist(), strict=True)) == sorted(expected)
    assert right[: len(after)].tolist() == list(range(len(after)))


@given(st.lists(st.tuples(st.sampled_from((BOTH, ONLY_BEFORE, ONLY_AFTER)), st.booleans()), max_size=20))
def test_a_difference_begins_at_each_changed_row_and_at_each_run_of_one_side(rows: list[tuple[int, bool]]) -> None:
    status = np.array([one for one, _ in rows], np.uint8)
    changed = np.array([one == BOTH and differs for one, differs in rows], np.bool_)
    expected = [
        row
        for row, (one, differs) in enumerate(rows)
        if (one == BOTH and differs) or (one != BOTH and (row == 0 or rows[row - 1][0] != one))
    ]
    assert stops(status, changed).tolist() == expected


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 9)),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 9)),
)
def test_stall_reasons_are_those_of_both_the_most_frequent_first(before: dict[str, int], after: dict[str, int]) -> None:
    one, other = (StallReasons(Strings.of(side), np.array(list(side.values()), np.float64)) for side in (before, after))
    made = compared_stalls(one, other)
    assert set(made.reasons) == {*before, *after}
    shown = zip(made.reasons, made.before.tolist(), made.after.tolist(), strict=True)
    for name, old, new in shown:
        assert (None if math.isnan(old) else old) == before.get(name)
        assert (None if math.isnan(new) else new) == after.get(name)
    sizes = [max(before.get(name, -1), after.get(name, -1)) for name in made.reasons]
    assert sizes == sorted(sizes, reverse=True)


def accesses(sizes: list[int]) -> MemoryAccesses:
    count = len(sizes)
    zeros = np.zeros(count, np.int32)
    numbers = np.arange(count)
    return MemoryAccesses(
        np.full(count, 3, np.uint8),
        zeros,
        zeros + 1,
        np.zeros(count, np.uint8),
        numbers + 7,
        (numbers * 64).astype(np.uint64),
        np.array(sizes, np.uint64),
        np.zeros(count, np.uint64),
    )


@settings(deadline=None)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=15), st.lists(st.integers(1, 3), min_size=1, max_size=15))
def test_accesses_of_both_are_there_once_and_in_their_order(before: list[int], after: list[int]) -> None:
    profiles = [replace(EMPTY, memory_accesses=accesses(side)) for side in (before, after)]
    made = merged_accesses(Comparison(profiles[0], profiles[1]))
    assert made is not None
    rows = made.rows_before, made.rows_after
    assert rows[1][rows[1] >= 0].tolist() == list(range(len(after)))
    assert sorted(rows[0][rows[0] >= 0].tolist()) == list(range(len(before)))
    for kind, there in (
        (BIT_BOTH, (rows[0] >= 0) & (rows[1] >= 0)),
        (BIT_AFTER, rows[0] < 0),
        (BIT_BEFORE, rows[1] < 0),
    ):
        assert ((made.kind == kind) == there).all()
    own = [after[new] if new >= 0 else before[old] for old, new in zip(*(side.tolist() for side in rows), strict=True)]
    assert made.section.size.tolist() == own
    assert made.section.record.tolist() == list(range(len(own)))


def test_cells_are_lines_of_the_same_number(pair: Comparison) -> None:
    cells = compared_cells(pair, "cache-lines")
    own, other = (
        side.cache.lines.line.tolist() for side in (pair.before, pair.after) if side.cache and side.cache.lines
    )
    assert cells.after.tolist() == list(range(len(other)))
    assert [own[row] for row in cells.before.tolist()] == other
    first, second = cells.of_sides(np.array(own, np.float64), np.array(other, np.float64))
    assert (first == second).all()


def test_durations_are_those_of_the_block_of_the_same_name(pair: Comparison) -> None:
    made = compared_durations(pair)
    assert made is not None
    sides = []
    for operator in (pair.before.operator, pair.after.operator):
        assert operator is not None
        stored, names = of_blocks(operator), block_names(operator)
        sides.append(
            {
                (name, sub): float(stored[row, place])
                for row, name in enumerate(names)
                for place, sub in enumerate(sub_block_names(operator))
            }
        )
    assert made.names == ("0", "1", "2", "3")
    for row, name in enumerate(made.names):
        for place, sub in enumerate(made.sub_blocks):
            for shown, known in ((made.before, sides[0]), (made.after, sides[1])):
                amount = float(shown[row, place])
                assert (None if math.isnan(amount) else amount) == known.get((name, sub))


def test_a_block_explains_by_its_longest_core(pair: Comparison) -> None:
    """Its cores work side by side: their durations do not add up."""
    table = pair.table("block-details")
    assert table is not None
    subject = next(subject for subject in SUBJECTS if subject.id == "time")
    own = subject_amounts(table, subject, plan_of(table.id, table.after, table.before), (pair.before, pair.after))
    assert own is not None
    for profile, shown, rows in (
        (pair.before, own.before, table.rows_before),
        (pair.after, own.after, table.rows_after),
    ):
        assert profile.operator is not None
        longest = of_blocks(profile.operator).max(axis=1)
        assert np.array_equal(shown[rows >= 0], longest[rows[rows >= 0]])
    assert np.array_equal(own.difference, np.nan_to_num(own.after) - np.nan_to_num(own.before))


def test_facts_have_the_difference_of_what_both_know(pair: Comparison) -> None:
    facts = {fact.shown.label: fact for fact in compared_facts(pair)}
    assert facts["Blocks launched"].difference == 1
    assert facts["Chip"].difference is None
    assert facts["Duration"].difference == 0


def test_each_sub_core_has_the_figure_of_its_own(pair: Comparison) -> None:
    load, baseline = pair.after.core_load, pair.before.core_load
    assert load is not None
    assert baseline is not None
    for metric in METRICS[:3]:
        known = {
            (int(baseline.core[row]), sub_core_name(baseline, row)): float(values(baseline, metric)[row])
            for row in range(len(baseline.core))
        }
        for row, amount in enumerate(before_of_cores(pair, metric).tolist()):
            expected = known.get((int(load.core[row]), sub_core_name(load, row)))
            assert (None if math.isnan(amount) else amount) == expected


def test_shares_and_paths_of_a_block_are_those_of_the_same_block(pair: Comparison) -> None:
    assert blocks(pair.after) == ["0", "1", "2", "3"]
    for block in blocks(pair.after):
        known = {(share.sub_block, share.name): share for share in block_shares(pair.before, block)}
        for share in compared_shares(pair.before, pair.after, block):
            assert share.after is not None
            assert share.before == known.get((share.after.sub_block, share.after.name))
    paths = pair.after.memory_paths
    assert paths is not None
    for entry in range(4):
        figures = compared_figures(pair.before.memory_paths, paths, entry)
        assert figures.baseline is not None
        assert (figures.baseline.block == figures.block) == (entry < 3)
        own = compared_figures(paths, paths, entry)
        assert own.baseline is not None
        assert all(own.baseline.paths[path] == figure for path, figure in own.shown.items())
