"""Cache lines, accesses and instructions find one another."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.ascend.launch import block_number
from app.analysis.details import Described
from app.analysis.kinds import KINDS
from app.analysis.lookup.sources import sources
from app.analysis.relations import direct, translate
from app.analysis.table import Coded, Column, Table, subset
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from generators.ascend_bin import block, small
from generators.reading import profile_of


def rows(*values: int) -> Any:
    return np.array(values, np.int64)


def side(*ranges: tuple[int, int]) -> dict[str, Any]:
    return {"Value": [len(ranges), 0.5], "Address Range": [[hex(low), hex(high)] for low, high in ranges]}


def made(lines: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]], addresses: list[int]) -> Profile:
    records = [
        {"Cacheline Id": number, "Hit": side(*hit), "Miss": side(*miss)} for number, (hit, miss) in enumerate(lines)
    ]
    content = block(0x0E, orjson.dumps({"Cacheline Records": records}))
    instructions = [{"Address": hex(address)} for address in addresses]
    return profile_of(FORMAT, content + block(0x04, orjson.dumps({"Instructions": instructions})))


PROFILE = made([([(0x10, 0x14)], []), ([(0x14, 0x14), (0x30, 0x40)], [(0x10, 0x10)]), ([], [])], [0x14, 0x10, 0x38])


def test_hits_and_misses_lead_to_their_own_instructions() -> None:
    assert [direct(PROFILE, "cache_hit", "instruction", rows(n)).tolist() for n in range(3)] == [[0, 1], [0, 2], []]
    assert [direct(PROFILE, "cache_miss", "instruction", rows(n)).tolist() for n in range(3)] == [[], [1], []]
    assert direct(PROFILE, "cache_line", "instruction", rows(1)).tolist() == [0, 1, 2]
    assert direct(PROFILE, "cache_hit", "instruction", rows(-1, 7)).tolist() == []


def test_instructions_lead_to_the_lines_that_they_touch() -> None:
    assert [direct(PROFILE, "instruction", "cache_hit", rows(n)).tolist() for n in range(3)] == [[0, 1], [0], [1]]
    assert [direct(PROFILE, "instruction", "cache_miss", rows(n)).tolist() for n in range(3)] == [[], [1], []]
    assert direct(PROFILE, "instruction", "cache_line", rows(1)).tolist() == [0, 1]
    assert direct(PROFILE, "instruction", "cache_hit", rows(99, -1)).tolist() == []


def test_a_line_is_its_hits_and_its_misses() -> None:
    assert translate(PROFILE, Selection("cache_line", (2, 1)), "cache_hit").tolist() == [1, 2]
    assert translate(PROFILE, Selection("cache_miss", (2,)), "cache_line").tolist() == [2]
    assert translate(PROFILE, Selection("cache_miss", (1,)), "instruction").tolist() == [1]


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=6),
    st.lists(st.integers(0, 50), min_size=1, max_size=12, unique=True),
)
@settings(max_examples=60)
def test_both_ways_agree_with_looking_one_by_one(spans: list[tuple[int, int]], addresses: list[int]) -> None:
    ranges = [(low, low + length) for low, length in spans]
    profile = made([([one], []) for one in ranges], addresses)
    pairs = {
        (line, place)
        for line, (low, high) in enumerate(ranges)
        for place, address in enumerate(addresses)
        if low <= address <= high
    }
    there = {(n, p) for n in range(len(ranges)) for p in direct(profile, "cache_hit", "instruction", rows(n)).tolist()}
    back = {
        (n, p) for p in range(len(addresses)) for n in direct(profile, "instruction", "cache_hit", rows(p)).tolist()
    }
    assert there == back == pairs


def test_accesses_and_instructions_meet_at_the_program_counter() -> None:
    profile = profile_of(FORMAT, small())
    accesses, instructions = profile.memory_accesses, profile.instructions
    assert accesses is not None
    assert instructions is not None
    (instruction,) = direct(profile, "access", "instruction", rows(5)).tolist()
    assert int(instructions.address[instruction]) == int(accesses.pc[5])
    found = direct(profile, "instruction", "access", rows(instruction)).tolist()
    assert found == np.flatnonzero(accesses.pc == accesses.pc[5]).tolist()


def test_paths_roofs_and_buffers_have_names_to_search_for() -> None:
    profile = profile_of(FORMAT, small())
    hits = [hit for source in sources() for hit in source.find(profile, "l2 →", lambda: None).hits]
    assert {hit.text for hit in hits} >= {"L2 → UB", "L2 → L1"}
    assert {hit.kind for hit in hits} == {"memory_path"}
    assert KINDS["memory_path"].name(profile, 2) == "L2 → L1"
    assert KINDS["roof"].name(profile, 1) == "L2"


@pytest.mark.parametrize("kind", ["memory_path", "roof", "cache_line", "cache_hit", "cache_set", "access"])
def test_each_kind_has_a_row_of_its_table(kind: Any) -> None:
    profile = profile_of(FORMAT, small())
    (row,) = Described(profile).rows(kind, 1)
    assert row.row == 1


@pytest.mark.parametrize(("name", "number"), [("0", 0), ("17", 17), ("NA", -1), ("", -1), ("-1", -1), ("²", -1)])
def test_only_numbers_are_numbers_of_blocks(name: str, number: int) -> None:
    assert block_number(name) == number


def test_rows_of_a_table_keep_what_they_stand_for() -> None:
    columns = (
        Column("n", "N", np.array([3, 1, 2]), missing=np.array([False, True, False])),
        Column("t", "T", ("a", "b", "c")),
        Column("c", "C", Coded(np.array([0, -1, 1], np.int32), Strings.of(["x", "y"]))),
    )
    part = subset(Table("t", "T", columns, "tile", note="first"), rows(2, 1), "second")
    assert [[column.value(row) for column in part.columns] for row in range(2)] == [[2, "c", "y"], [None, "b", None]]
    assert [part.key(row) for row in range(2)] == [2, 1]
    assert part.note == "first second"
    again = subset(subset(Table("t", "T", columns, "tile", rows(7, 8, 9)), rows(2, 0)), rows(0))
    assert again.key(0) == 9
