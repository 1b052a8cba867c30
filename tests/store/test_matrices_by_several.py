"""Matrices that several processes parse are those of one reader, with the same issues, even if damaged."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.integers import Flat
from app.formats.json import numbers
from app.formats.json.numbers import Rows, Run, parse
from app.formats.pool import ALONE
from app.formats.poplar import FORMAT
from app.profile.arrays import I64
from app.profile.poplar import BYTE_KINDS, TOTAL_BYTES
from fakes.damage import Damage, damages, failing_calls
from fakes.pools import PackingPool, check_same, make_pieces_small, profile_by

KINDS = (*BYTE_KINDS[:3], TOTAL_BYTES)
BETWEEN = (b",", b", ", b" ,\n  ")


def number(dice: random.Random, style: int) -> bytes:
    value = dice.choice((0, 0, 7, 255, 256, 70_000, 2**33, dice.randrange(2**40)))
    if style == 2:
        return b"%d.0" % value
    return b"-%d" % value if style == 1 and dice.random() < 0.1 else b"%d" % value


def rows(dice: random.Random, count: int, width: int, style: int, between: bytes) -> bytes:
    made = [
        b"[%b]" % between.join([b"0"] * width if dice.random() < 0.3 else [number(dice, style) for _ in range(width)])
        for _ in range(count)
    ]
    return b"[%b]" % between.join(made)


def text(style: int, between: bytes) -> bytes:
    """A graph of several matrices, larger and smaller than a block, some of them ragged, and other members."""
    dice = random.Random(style)
    parts = [b'"%b":%b' % (kind.encode(), rows(dice, 30, 12, style, between)) for kind in KINDS]
    lists = b",".join(b"[%b]" % b",".join([b"3"] * dice.randrange(9)) for _ in range(60))
    names = b",".join(b'"[[1,2],[3,4]] %d"' % at for at in range(60))
    return b'{"computeSets":{"names":[%b],"vertexCounts":[%b],"vertexTypes":[%b]},"memory":{"byVertexType":{%b}}}' % (
        names,
        lists,
        lists,
        b",".join(parts),
    )


TEXTS = [text(style, between) for style in range(3) for between in BETWEEN]
TOKENS = [b'"', b"{", b"}", b"[", b"]", b",", b"-", b"+", b"00", b"007", b"1e1", b"1.5", b".0", b"]]", b"],[", b"[]",
          b",,", b" ", b"9" * 20, b"null", b"\xff", b"0.00", b"0" * 70]  # fmt: skip


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    make_pieces_small(monkeypatch)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TEXTS), damages(TOKENS), failing_calls)
def test_mutated(tmp_path: Path, text: bytes, damage: Damage, failing: frozenset[int]) -> None:
    text = damage.of(text)
    check_same(profile_by(ALONE, FORMAT, text), profile_by(PackingPool(tmp_path, failing), FORMAT, text))


@pytest.mark.parametrize("text", TEXTS)
def test_rows_of_other_processes_are_used(tmp_path: Path, text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[int] = []
    join = Rows.join

    def noted(self: Rows, run: Run) -> None:
        joined.append(len(run.items))
        join(self, run)

    monkeypatch.setattr(Rows, "join", noted)
    pool = PackingPool(tmp_path)
    check_same(profile_by(ALONE, FORMAT, text), profile_by(pool, FORMAT, text))
    assert pool.calls > 3
    assert sum(joined) > 4 * 30 * 12 // 2


def test_stretches_that_the_reader_passes_over_are_not_parsed(tmp_path: Path) -> None:
    """Rows, then much that is none, then rows: what lies between is not waited for."""
    between = b'"note":"%b",' % (b"x" * 40_000)
    text = TEXTS[0].replace(b'"memory"', between + b'"memory"')
    pool = PackingPool(tmp_path)
    check_same(profile_by(ALONE, FORMAT, text), profile_by(pool, FORMAT, text))
    assert pool.calls < 40_000 // (64 * numbers.BLOCKS)


def test_the_type_does_not_depend_on_the_parts() -> None:
    whole, parts = Flat(), Flat()
    whole.add(np.array([-1, 100, 200]))
    for value in (-1, 100, 200):
        parts.add(np.array([value]))
    assert whole.done().dtype == parts.done().dtype == np.int16
    few = Flat()
    few.add(np.array([-1]))
    few.add(np.array([100], np.uint8))
    assert few.done().dtype == np.int8


@pytest.mark.parametrize(("zeros", "skipped"), [(b"0,0", True), (b"0.0, 0", True), (b"00,0", False), (b"0e1,0", False)])
def test_only_plain_rows_of_zeros_are_not_parsed_again(zeros: bytes, skipped: bool) -> None:
    """Others might be refused beside a number that is not written plainly."""
    parsed: list[bytes] = []

    def noted(text: bytes) -> I64:
        parsed.append(text)
        return parse(text)

    collected = Rows(noted)
    for _ in range(2):
        collected.take(b"[%b]," % (zeros + b",0" * 20))
    assert (len(parsed) == 1) == skipped
