"""Tables of instructions that several processes decode are those of one reader, with the same issues, even if
damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.ascend_bin import FORMAT, instructions
from app.formats.pool import ALONE
from fakes.damage import Damage, damages, failing_calls
from fakes.pools import PackingPool, check_same, make_pieces_small, profile_by
from generators.ascend_bin import Program, block

CELLS: tuple[Any, ...] = (7, -1, 300, 2.5, 2**40, "NA", "12", "text", None, True, [1, 2, 3], [1, 2], [], [4.5, "NA", 7],
                          {"Percent": 0.25, "Details": {"Wait": 3, "Busy": 1}}, [{"Percent": "0.5", "Details": {}}],
                          [{"X0": 1}], {"a": [1]}, "", 10**30)  # fmt: skip


def instruction(dice: random.Random, at: int) -> dict[str, Any]:
    made = {"Address": hex(4096 + 4 * at), "Pipe": dice.choice(("MTE1", "CUBE", "")), "Source": f"MOV X{at % 9}"}
    cells = {f"column {number}": [at, at * number, 5] for number in range(3)}
    odd = {f"odd {dice.randrange(9)}": dice.choice(CELLS) for _ in range(dice.randrange(3))}
    place = {"AscendC Inner Code": f"/src/k.cpp:{at % 30}"} if dice.random() < 0.8 else {}
    return made | cells | odd | place


def table(seed: int, indent: int | None = None) -> bytes:
    """A table of some hundred instructions, with types declared or not."""
    dice = random.Random(seed)
    rows = [instruction(dice, at) for at in range(250)]
    types = {f"column {number}": 1 for number in range(3)} | {f"odd {number}": number % 6 for number in range(9)}
    declared = {"Instructions Dtype": {"Instructions": types | {"odd 8": 100}}} if seed % 2 else {}
    return json.dumps({"Cores": ["a", "b", "c"], "Instructions": rows, **declared}, indent=indent).encode()


TABLES = [
    table(1),
    table(2),
    table(3, 0),
    b"".join(Program(("core0.veccore0", "core0.cubecore0"), 60).instruction_json()),
]
TOKENS = [b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\xff", b"NaN", b"1e999", b"null", b"]}", b"{oops},", b"{},",
          b'{"a":1,"a":2},', b"5,", b'"},{"']  # fmt: skip


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    make_pieces_small(monkeypatch)
    monkeypatch.setattr(instructions, "_BATCH", 40)


def check(tmp_path: Path, text: bytes, failing: frozenset[int] = frozenset()) -> int:
    """Compares both ways to read the table; returns how many stretches were given to other processes."""
    content, pool = block(0x04, text, version=0), PackingPool(tmp_path, failing)
    one, several = (profile_by(each, FORMAT, content, "visualize_data.bin") for each in (ALONE, pool))
    check_same(one, several)
    return pool.calls


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TABLES), damages(TOKENS), failing_calls)
def test_mutated(tmp_path: Path, text: bytes, damage: Damage, failing: frozenset[int]) -> None:
    text = damage.of(text)
    check(tmp_path, text or b" ", failing)


@pytest.mark.parametrize("text", TABLES)
def test_helpers_are_used(tmp_path: Path, text: bytes) -> None:
    assert check(tmp_path, text) >= 3


def test_rows_with_too_many_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which columns there are depends on all rows before, so they are sent as they are."""
    monkeypatch.setattr(instructions, "MAX_COLUMNS", 5)
    assert check(tmp_path, TABLES[0]) > 3


def test_columns_that_hardly_any_row_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "_SPARSE", 4)
    monkeypatch.setattr(instructions, "_SPARSE_ROWS", 20)
    assert check(tmp_path, TABLES[1]) > 3
