"""A trace that several processes read has the columns and issues of one reader, byte for byte, even if damaged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.ascend_bin import FORMAT as BIN
from app.formats.ascend_report import FORMAT as REPORT
from app.formats.ascend_trace import FORMAT
from app.formats.format import Format
from app.formats.pool import ALONE
from app.profile.profile import Profile
from fakes.damage import Damage, damages, failing_calls
from fakes.pools import PackingPool, check_same, make_pieces_small, profile_by
from fakes.same import same
from generators import ascend_bin, ascend_report, ascend_trace, device_trace, epoch_trace, torch_trace


def late(events: list[Any], later: list[Any]) -> bytes:
    """A trace in which ``later`` follows, with times that need more digits than a number has."""
    return orjson.dumps({"traceEvents": [*events, *later]})


def grouped(events: list[Any], seed: int) -> bytes:
    """A trace whose second half has groups."""
    dice = random.Random(seed)
    for event in events[len(events) // 2 :]:
        if dice.random() < 0.3:
            event["group_id"] = dice.choice(("a", "b", 7))
    return orjson.dumps(events)


SIMULATED = b"".join(ascend_trace.chunks(400, 1, 2))
EPOCH = epoch_trace.trace(epoch_trace.steps(200, seed=3), "mixed", 3)
EVENTS: list[Any] = orjson.loads(SIMULATED)["traceEvents"]
TEXTS = [
    SIMULATED,
    EPOCH,
    late(EVENTS, orjson.loads(EPOCH)["traceEvents"]).replace(b'"ts":', b'"ts": '),
    grouped(orjson.loads(SIMULATED)["traceEvents"], 1),
    *(torch_trace.text(torch_trace.events(8, seed)) for seed in range(3)),
    device_trace.text(device_trace.pipe_states(120)),
    device_trace.text(device_trace.everything(60)),
]
TOKENS = [
    b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\xff", b"\0", b"NaN", b"1e999", b"null", b"]}", b"{oops},",
    b'"ph":"C"', b'"ph":"E"', b'"ph":"b"', b'"s":"g"', b"-1", b'{"ph":5},', b'"},{"', b'[{},{},{"a":[{},{}]}],',
    b'{"ph":"X","ts":1700000000000000.125,"dur":1,"pid":1,"tid":1,"name":"late"},', b'{"ph":"M","name":"x"},',
]  # fmt: skip


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    make_pieces_small(monkeypatch)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TEXTS), damages(TOKENS), failing_calls)
def test_mutated(tmp_path: Path, text: bytes, damage: Damage, failing: frozenset[int]) -> None:
    text = damage.of(text)
    one, several = profile_by(ALONE, FORMAT, text), profile_by(PackingPool(tmp_path, failing), FORMAT, text)
    check_same(one, several)


def operator_file() -> bytes:
    return ascend_bin.small(seed=3)


def pack(name: str, content: bytes) -> bytes:
    return ascend_report.pack_of({"OpBasicInfo.csv": ascend_report.basic_info(), name: content})


@pytest.mark.parametrize(
    ("made_of", "text"),
    [
        (BIN, operator_file()),
        (REPORT, pack("visualize_data.bin", operator_file())),
        (REPORT, pack("trace.json", SIMULATED)),
    ],
)
def test_traces_inside_other_files(tmp_path: Path, made_of: Format, text: bytes) -> None:
    pool = PackingPool(tmp_path)
    check_same(profile_by(ALONE, made_of, text, "a.rep"), profile_by(pool, made_of, text, "a.rep"))
    assert pool.calls > 3


@pytest.mark.parametrize("text", TEXTS)
def test_helpers_are_used(tmp_path: Path, text: bytes) -> None:
    pool = PackingPool(tmp_path)
    one, several = profile_by(ALONE, FORMAT, text), profile_by(pool, FORMAT, text)
    assert isinstance(one, Profile)
    assert isinstance(several, Profile)
    assert same(one.timeline, several.timeline)
    assert pool.calls > 3
