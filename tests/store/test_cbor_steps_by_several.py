"""Steps in CBOR that several processes read have the columns and issues of one reader, even if damaged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import cbor2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.cbor import records
from app.formats.pool import ALONE
from app.formats.poplar import FORMAT
from app.formats.poplar import steps as steps_module
from fakes.pools import PackingPool, check_same, make_pieces_small, profile_by

TYPES = ("OnTileExecute", "Sync", "sync", "DoExchange", "SharedStructureCopy", "GlobalExchange", "Neu", "")
WRONG: tuple[Any, ...] = (-5, 1.5, "x", None, 1e30, [1], True, 2**60, b"bytes", 2**70, -300)


def step(dice: random.Random, at: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": dice.choice(TYPES), "name": f"step {dice.randrange(30)}", "program": at % 17}
    if dice.random() < 0.8:
        made |= {"cyclesFrom": 10 * at, "cyclesTo": 10 * at + dice.randrange(50), "cycles": 9, "tileBalance": 0.5}
    if dice.random() < 0.1:
        made["exchange"] = at
    if dice.random() < 0.02:
        made[dice.choice(("cycles", "program", "threadBalance", "name", "activeTiles"))] = dice.choice(WRONG)
    if dice.random() < 0.01:
        made["unknown"] = 1
    return dict(sorted(made.items(), key=lambda _: dice.random())) if dice.random() < 0.3 else made


def content(seed: int, *, ended: bool = False, short: bool = False) -> bytes:
    """A profile; its steps are ``ended`` by a break or counted, their numbers ``short``."""
    dice = random.Random(seed)
    steps = [cbor2.dumps(step(dice, at), canonical=short) for at in range(400)]
    array = (b"\x9f" if ended else b"\x99" + (400).to_bytes(2, "big")) + b"".join(steps) + b"\xff" * ended
    simulation = b"\xa3\x66cycles\x19\x0f\xa0\x65steps" + array + b"\x6atileCycles\xa1\x65total\x07"
    return b"\xd9\xd9\xf7\xa3\x6cprofilerMode\x63IPU\x6asimulation" + simulation + b"\x64runs\x80"


FILES = [content(1), content(2, ended=True), content(3, short=True)]
TOKENS = [b"\xff", b"\xa0", b"\xa1\x66cycles\x05", b"\xbf", b"\x9f", b"\x5b", b"\xf7", b"\xc1", b"\x7f", b"\x64name"]
edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(TOKENS) | st.binary(max_size=4)), max_size=6
)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    make_pieces_small(monkeypatch)
    monkeypatch.setattr(records, "WINDOW", 1024)
    monkeypatch.setattr(records, "_LEAST", 200)
    monkeypatch.setattr(records, "FIRST_BYTES", 300)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, len(FILES) - 1), edits, st.none() | st.floats(0, 1), st.frozensets(st.integers(1, 20), max_size=3)
)
def test_mutated(
    tmp_path: Path, number: int, changes: list[tuple[float, int, bytes]], cut: float | None, failing: frozenset[int]
) -> None:
    data = FILES[number]
    for where, length, token in changes:
        place = int(where * len(data))
        data = data[:place] + token + data[place + length :]
    if cut is not None:
        data = data[: int(cut * len(data))]
    pool = PackingPool(tmp_path, failing)
    check_same(profile_by(ALONE, FORMAT, data, "t.cbor"), profile_by(pool, FORMAT, data, "t.cbor"))


@pytest.mark.parametrize("data", FILES, ids=["counted", "ended", "short"])
def test_helpers_are_used(tmp_path: Path, data: bytes) -> None:
    pool = PackingPool(tmp_path)
    one = profile_by(ALONE, FORMAT, data, "t.cbor")
    check_same(one, profile_by(pool, FORMAT, data, "t.cbor"))
    assert not isinstance(one, str)
    assert one.steps is not None
    assert len(one.steps) == 400
    assert pool.calls > 3


@pytest.mark.parametrize("data", FILES, ids=["counted", "ended", "short"])
def test_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Where each step seems to have another name, they are not looked up one by one."""
    monkeypatch.setattr(steps_module, "_DIFFERENT", 8)
    one, several = (profile_by(pool, FORMAT, data, "t.cbor") for pool in (ALONE, PackingPool(tmp_path)))
    check_same(one, several)
    assert not isinstance(one, str)
    assert one.steps is not None
    names = [one.steps.strings.get(name) for name in one.steps.name.tolist()]
    records = cbor2.loads(data)["simulation"]["steps"]
    assert names == [name if isinstance(name := record.get("name"), str) else "" for record in records]


@pytest.mark.parametrize("data", FILES, ids=["counted", "ended", "short"])
def test_the_steps_of_a_cut_file_are_those_before(tmp_path: Path, data: bytes) -> None:
    cut = data[: len(data) * 3 // 5]
    one, several = (profile_by(pool, FORMAT, cut, "t.cbor") for pool in (ALONE, PackingPool(tmp_path)))
    check_same(one, several)
    assert not isinstance(one, str)
    assert one.steps is not None
    assert 200 < len(one.steps) < 300


def test_too_many_steps_are_refused_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.poplar.report.allowed", lambda _size, _each: 300)
    one, several = (profile_by(pool, FORMAT, FILES[0], "t.cbor") for pool in (ALONE, PackingPool(tmp_path)))
    check_same(one, several)
    assert not isinstance(one, str)
    assert "implausible" in one.issues[-1].text
