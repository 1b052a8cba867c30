"""Names that differ only in numbers and addresses are one row of statistics, above the rows of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from app.analysis.compare.names import stem
from app.analysis.table import GroupedTable, Table
from app.analysis.tables.timeline import GROUPED, grouped_statistics, statistics_table
from app.analysis.timeline.name_groups import NameGroups, stems
from app.analysis.timeline.statistics import by_name
from app.profile.arrays import sealed
from app.profile.selection import TimeRange
from app.profile.strings import Strings
from app.profile.timeline import Timeline
from generators.timelines import timeline

NAMES = ("0-1(matmul)", "0-22(matmul)", "op_1", "op_2", "op", "MTE1", "MTE2", "f(0x7f)", "f(0x7e)", "copy")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("0-0-98-13-2(matmul)", "matmul"),
        ("add_custom_0", "add_custom"),
        ("f(0x7ffe12)", "f"),
        ("foo(int, 3)", "foo(int, #)"),
        ("aten::add", "aten::add"),
        ("12", "12"),
        ("", ""),
    ],
)
def test_numbers_and_addresses_are_left_out(name: str, plain: str) -> None:
    assert stem(name) == plain


def test_a_lone_name_and_one_that_stays_apart_are_whole() -> None:
    strings = Strings.of(["op_1", "op_22", "MTE1", "MTE2", "conv2d_7", "é_1", "é_2", "other"])
    group, names, labels = stems(strings, np.arange(8), ("MTE1", "MTE2"))
    assert names[3] == "conv#d"
    assert [labels[number] for number in group.tolist()] == ["op", "op", "MTE1", "MTE2", "conv2d_7", "é", "é", "other"]


def made(slices: list[tuple[float, float, str]]) -> Timeline:
    row = sorted((start, length, name, "") for start, length, name in slices)
    return timeline([("core0", "a", [row[::2]]), ("core0", "b", [row[1::2]])])


def rows(table: Table) -> list[dict[str, Any]]:
    return [{column.key: column.value(row) for column in table.columns} for row in range(table.rows)]


SLICES = some.lists(
    some.tuples(some.integers(0, 40).map(float), some.integers(0, 9).map(float), some.sampled_from(NAMES)),
    min_size=1,
    max_size=30,
)


@settings(max_examples=40)
@given(SLICES, some.sampled_from((None, TimeRange(5.0, 25.0))), some.booleans())
def test_a_group_has_the_figures_of_its_slices(
    slices: list[tuple[float, float, str]], stretch: TimeRange | None, untimed: bool
) -> None:
    line = made(slices)
    if untimed:
        unknown = sealed(np.arange(len(slices)) % 3 == 0)
        known = sealed(np.where(unknown, 0.0, line.slices.duration))
        line = replace(line, slices=replace(line.slices, untimed=unknown, duration=known))
    single = by_name(line, stretch)
    flat = rows(statistics_table(line, single))
    table = grouped_statistics(NameGroups(line, ("MTE1", "MTE2")), single, stretch)
    if not isinstance(table, GroupedTable):
        assert rows(table) == flat
        return
    assert table.id == GROUPED
    own = rows(table)
    # the same slices, each called by its group
    called = replace(line, strings=Strings.of(name if name.startswith("MTE") else stem(name) for name in line.strings))
    merged: dict[str, list[int]] = {}
    for place, name in enumerate(called.strings):
        merged.setdefault(name, []).append(place)
    first = np.array([merged[name][0] for name in called.strings], np.int32)
    called = replace(called, slices=replace(called.slices, name=sealed(first[called.slices.name])))
    wanted = {row["name"]: row for row in rows(statistics_table(called, by_name(called, stretch)))}
    for row, parent, members in zip(own, table.parent.tolist(), table.members.tolist(), strict=True):
        if members:
            assert members >= 2
            assert row == pytest.approx(wanted[row["name"]], nan_ok=True)
        else:
            assert row in flat
            assert parent < 0 or table.parent[parent] < 0
    assert len(own) == len(flat) + int(np.count_nonzero(table.members))
    at_top = [row["total"] or 0.0 for row, parent in zip(own, table.parent.tolist(), strict=True) if parent < 0]
    assert at_top == sorted(at_top, reverse=True)


def test_the_names_in_a_group_and_the_groups_of_names() -> None:
    line = made([(0.0, 3.0, "op_1"), (4.0, 2.0, "op_2"), (8.0, 1.0, "copy")])
    table = grouped_statistics(NameGroups(line), by_name(line))
    assert isinstance(table, GroupedTable)
    assert [row["name"] for row in rows(table)] == ["op", "op_1", "op_2", "copy"]
    assert table.parent.tolist() == [-1, 0, 0, -1]
    assert table.opened(np.array([0, 3])).tolist() == [1, 2, 3]
    assert table.complete(np.array([False, True, True, False])).tolist() == [True, True, True, False]
    assert table.complete(np.array([False, True, False, True])).tolist() == [False, True, False, True]


def test_nothing_to_group() -> None:
    line = made([(0.0, 3.0, "op_1"), (4.0, 2.0, "copy")])
    groups = NameGroups(line)
    assert not groups.saves
    assert grouped_statistics(groups, by_name(line)).id == "slice-statistics"
    empty = made([])
    assert not NameGroups(empty).saves
    assert grouped_statistics(NameGroups(empty), by_name(empty)).rows == 0
