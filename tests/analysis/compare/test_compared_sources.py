"""Lines and instructions of two operators: what was planted is where it belongs, and nothing else differs."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.compare.codes import paired_paths
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.sources import (
    ComparedRows,
    ComparedSource,
    SourcePair,
    compared_instructions,
    compared_source,
    source_pairs,
    sources_not_compared,
)
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE
from app.profile.ascend import Sources
from app.profile.profile import Profile
from app.profile.strings import Strings
from fakes.operators import CORES, changed, read, shifted, whole
from generators.ascend_kernel import KERNEL, texts

ADDED = ["    // planted", "    Planted();"]
VECTOR = CORES[1]


@pytest.fixture(scope="module")
def content() -> bytes:
    return whole()


@pytest.fixture(scope="module")
def before(content: bytes) -> Profile:
    return read(content)


def source(before: Profile, after: Profile, *, largest_first: bool = False, core: str = CORES[0]) -> ComparedSource:
    pair = SourcePair(KERNEL, KERNEL)
    return compared_source(Comparison(before, after), pair, core, largest_first=largest_first)


def column(rows: ComparedRows, key: str) -> list[Any]:
    made = next(column for column in rows.table.columns if column.key == key)
    return [made.value(row) for row in range(rows.table.rows)]


def hotter(content: bytes, line: int, more: int) -> bytes:
    def change(tree: Any) -> None:
        for file in tree["Files"]:
            for own in file["Lines"] if file["Source"] == KERNEL else ():
                if own["Line"] == line:
                    own["Cycles"] = [cycles + more for cycles in own["Cycles"]]

    return changed(content, 0x03, change)


def test_a_source_against_itself_is_zero_everywhere(before: Profile) -> None:
    made = source(before, before)
    rows = made.rows
    assert not len(rows.stops)
    assert rows.largest == -1
    assert (rows.status == BOTH).all()
    assert column(rows, "text") == texts()[KERNEL].splitlines()
    assert rows.total is not None
    assert rows.total.difference == 0
    assert set(column(rows, "cycles_difference")) == {0, None}
    listing = compared_instructions(Comparison(before, before), CORES[0])
    assert listing is not None
    assert not len(listing.stops)
    assert (listing.status == BOTH).all()


def test_lines_that_are_inserted_are_in_their_place_and_nothing_else_differs(content: bytes, before: Profile) -> None:
    at = 45
    rows = source(before, read(shifted(content, at, ADDED))).rows
    assert np.flatnonzero(rows.status != BOTH).tolist() == [at, at + 1]
    assert (rows.status[at : at + 2] == ONLY_AFTER).all()
    assert rows.stops.tolist() == [at]
    assert column(rows, "change")[at : at + 2] == ["+", "+"]
    assert column(rows, "text")[at : at + 2] == ADDED
    numbers = list(zip(column(rows, "line_before"), column(rows, "line"), strict=True))
    assert numbers[at - 1 : at + 3] == [(at, at), (None, at + 1), (None, at + 2), (at + 1, at + 3)]
    back = source(read(shifted(content, at, ADDED)), before).rows
    assert np.flatnonzero(back.status == ONLY_BEFORE).tolist() == [at, at + 1]
    assert column(back, "change")[at : at + 2] == ["−", "−"]
    assert column(back, "text")[at : at + 2] == ADDED


def test_a_line_that_is_hotter_is_the_largest_difference(content: bytes, before: Profile) -> None:
    line, more = 60, 4321
    number = next(n for n in range(line, 100) if n in before.lines.line)  # type: ignore[union-attr]
    after = read(shifted(hotter(content, number, more), 45, ADDED))
    rows = source(before, after).rows
    row = number - 1 + len(ADDED)
    assert rows.largest == row
    assert column(rows, "cycles_difference")[row] == more
    assert column(rows, "cycles_after")[row] == column(rows, "cycles_before")[row] + more
    assert rows.stops.tolist() == [45, row]
    assert rows.total is not None
    assert rows.total.difference == more
    first = source(before, after, largest_first=True).rows
    assert column(first, "line") == [number + len(ADDED)]
    keys = first.table.keys
    assert keys is not None
    assert after.lines is not None
    assert after.lines.line[keys].tolist() == [number + len(ADDED)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=14), st.lists(st.integers(0, 5), max_size=14))
def test_texts_without_figures_are_aligned_as_by_a_textbook(one: list[int], other: list[int]) -> None:
    sides = [[f"line {number}" for number in numbers] for numbers in (one, other)]
    profiles = [
        replace(EMPTY, sources=Sources(Strings.of(["a.cpp"]), Strings.of(["".join(f"{line}\n" for line in lines)])))
        for lines in sides
    ]
    made = compared_source(Comparison(profiles[0], profiles[1]), SourcePair("a.cpp", "a.cpp"), "")
    rows = made.rows
    left = [sides[0][row] for row in rows.rows_before.tolist() if row >= 0]
    right = [sides[1][row] for row in rows.rows_after.tolist() if row >= 0]
    assert (left, right) == (sides[0], sides[1])
    both = rows.status == BOTH
    assert [sides[0][row] for row in rows.rows_before[both]] == [sides[1][row] for row in rows.rows_after[both]]
    assert int(both.sum()) >= sum(
        size for *_, size in difflib.SequenceMatcher(None, sides[0], sides[1]).get_matching_blocks()
    )


def test_instructions_that_only_one_side_has_and_costs_that_changed(content: bytes, before: Profile) -> None:
    def change(tree: Any) -> None:
        records = tree["Instructions"]
        records[10]["Cycles"] = [cycles + 500 for cycles in records[10]["Cycles"]]
        del records[40:43]

    after = read(changed(content, 0x04, change))
    listing = compared_instructions(Comparison(before, after), CORES[0])
    assert listing is not None
    assert np.flatnonzero(listing.status == ONLY_BEFORE).tolist() == [40, 41, 42]
    assert listing.stops.tolist() == [10, 40]
    assert listing.largest in (10, 40, 41, 42)
    assert column(listing, "cycles_difference")[10] == 500
    assert listing.table.keys is not None
    assert listing.table.keys[38:46].tolist() == [38, 39, -1, -1, -1, 40, 41, 42]


def test_a_core_that_the_baseline_lacks_has_no_costs_there_and_that_is_said(content: bytes, before: Profile) -> None:
    def renamed(tree: Any) -> None:
        tree["Cores"] = ["core7.cubecore0", *tree["Cores"][1:]]

    after = read(changed(changed(content, 0x04, renamed), 0x03, renamed))
    reasons = sources_not_compared(before, after, "core7.cubecore0")
    assert [text.split(" ")[0] for text in reasons] == ["Core", "Cores"]
    assert "core7.cubecore0" in reasons[0]
    assert CORES[0] in reasons[1]
    rows = source(before, after, core="core7.cubecore0").rows
    assert set(column(rows, "text")) == set(texts()[KERNEL].splitlines())
    assert not any(key.key == "cycles_before" and not key.missing.all() for key in rows.table.columns)  # type: ignore[union-attr]
    assert sources_not_compared(before, after, VECTOR)[0].startswith("Cores only in the baseline")
    assert sources_not_compared(before, before, VECTOR) == []


def test_sources_in_other_folders_belong_together(content: bytes, before: Profile) -> None:
    moved = read(content.replace(b"/src/matmul_leaky/", b"/tmp/matmul_leaky/"))
    pairs = source_pairs(before, moved)
    assert [pair.before.replace("/src/", "/tmp/") for pair in pairs] == [pair.after for pair in pairs]
    made = compared_source(Comparison(before, moved), pairs[0], CORES[0])
    assert not len(made.rows.stops)
    assert (made.rows.status == BOTH).all()


def test_paths_are_paired_by_path_then_name_then_what_is_left() -> None:
    assert paired_paths(["/a/x.h", "/a/y.h"], ["/b/y.h", "/a/x.h"]) == {"/a/x.h": "/a/x.h", "/a/y.h": "/b/y.h"}
    assert paired_paths(["/a/old.cpp"], ["/a/new.cpp"]) == {"/a/old.cpp": "/a/new.cpp"}
    assert paired_paths(["/a/x.h", "/c/x.h"], ["/b/x.h", "/d/x.h"]) == {}
    assert paired_paths(["C:\\k\\x.h", "z"], ["/b/x.h", "p", "q"]) == {"C:\\k\\x.h": "/b/x.h"}
    assert paired_paths([], ["p"]) == {}


EMPTY = read(b"")
