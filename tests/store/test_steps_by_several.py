"""Steps that several processes read have the columns and issues of one reader, even if damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.pool import ALONE
from app.formats.poplar import FORMAT
from fakes.damage import Damage, damages, failing_calls
from fakes.pools import PackingPool, check_same, make_pieces_small, profile_by

TYPES = ("OnTileExecute", "Sync", "sync", "DoExchange", "SharedStructureCopy", "GlobalExchange", "Neu", "")
WRONG: tuple[Any, ...] = (-5, 1.5, "x", None, 1e30, [1], True, 2**60)


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
    return made


def text(seed: int, indent: int | None = None) -> bytes:
    dice = random.Random(seed)
    steps = [step(dice, at) for at in range(400)]
    simulation = {"cycles": 4000, "steps": steps, "tileCycles": {"total": 7}}
    return json.dumps({"profilerMode": "IPU", "simulation": simulation, "runs": []}, indent=indent).encode()


TEXTS = [text(1), text(2, 0), text(3, 1)]
TOKENS = [b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\xff", b"NaN", b"1e999", b"null", b"]}", b"{oops},", b"{},",
          b'{"a":1,"a":2},', b"5,", b'"},{"']  # fmt: skip


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    make_pieces_small(monkeypatch)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TEXTS), damages(TOKENS), failing_calls)
def test_mutated(tmp_path: Path, text: bytes, damage: Damage, failing: frozenset[int]) -> None:
    text = damage.of(text)
    check_same(profile_by(ALONE, FORMAT, text), profile_by(PackingPool(tmp_path, failing), FORMAT, text))


@pytest.mark.parametrize("text", TEXTS)
def test_helpers_are_used(tmp_path: Path, text: bytes) -> None:
    pool = PackingPool(tmp_path)
    check_same(profile_by(ALONE, FORMAT, text), profile_by(pool, FORMAT, text))
    assert pool.calls > 3


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_the_steps_of_a_cut_file_are_those_before(tmp_path: Path, share: float) -> None:
    cut = TEXTS[0][: int(len(TEXTS[0]) * share)]
    one, several = (profile_by(pool, FORMAT, cut) for pool in (ALONE, PackingPool(tmp_path)))
    check_same(one, several)
    assert not isinstance(one, str)
    assert one.steps is not None
    assert len(one.steps) == cut.count(b"}, {") + cut.endswith(b"}")
    assert "cannot be read completely" in one.issues[-1].text


def test_too_many_steps_are_refused_at_the_same_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.poplar.report.allowed", lambda _size, _each: 300)
    one, several = (profile_by(pool, FORMAT, TEXTS[0]) for pool in (ALONE, PackingPool(tmp_path)))
    check_same(one, several)
    assert not isinstance(one, str)
    assert "implausible" in one.issues[-1].text


def test_nearly_empty_steps_are_not_decoded_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many steps that they are refused: stretches decoded ahead would be in vain."""
    monkeypatch.setattr("app.formats.poplar.report.allowed", lambda _size, _each: 300)
    text = b'{"simulation":{"steps":[' + b",".join([b"{}"] * 4000) + b"]}}"
    pool = PackingPool(tmp_path)
    check_same(profile_by(ALONE, FORMAT, text), profile_by(pool, FORMAT, text))
    assert not pool.calls
