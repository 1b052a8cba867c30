"""Values that no profile can mean: reported, never cut in silence, never a defect."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cbor2
import numpy as np
import pytest
from msgspec.structs import replace

from app.formats import ascend_bin, ascend_memory_info
from app.formats.errors import FormatError
from app.formats.events import Began, Event, Sink
from app.formats.json.tolerant import has_repeated_key
from app.formats.poplar import FORMAT
from app.formats.registry import Job
from app.formats.source import Source
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.store.reading import MOST_ISSUES, run
from app.store.token import Token
from generators import ascend_bin as blocks
from generators import memory_plan
from generators.hostile_streams import nested
from generators.reading import profile_of

RUN: dict[str, Any] = {"profilerMode": "IPU"}


def texts(profile: Profile) -> str:
    return "\n".join(f"{issue.where}: {issue.text}" for issue in profile.issues)


def both(tree: dict[str, Any]) -> list[Profile]:
    """The profile of the tree as JSON and as CBOR."""
    return [
        profile_of(FORMAT, json.dumps(tree).encode(), "execution.json"),
        profile_of(FORMAT, cbor2.dumps(tree), "execution.cbor"),
    ]


@pytest.mark.parametrize("odd", [12.5, True, "1_000", [1], 1e308, -1e308])
def test_a_run_is_as_long_as_a_whole_number_says(odd: Any) -> None:
    for profile in both(RUN | {"simulation": {"cycles": odd}}):
        assert profile.execution is not None
        assert profile.execution.cycles is None
        assert "simulation.cycles: skipped: expected a whole number here" in texts(profile)


@pytest.mark.parametrize("odd", [0.5, True, "1_000", 1e308, -1])
def test_live_bytes_are_whole_numbers(odd: Any) -> None:
    for profile in both({"memory": {"liveness": {"notAlwaysLive": {"byProgram": [{"bytes": odd}, {"bytes": 2.0}]}}}}):
        assert profile.liveness is not None
        assert profile.liveness.bytes.tolist() == [-1, 2]
        assert "1 value has the wrong type or is out of range" in texts(profile)


@pytest.mark.parametrize("clock", [5e-324, 0, -1, 1e308, True, "1_000"])
def test_a_clock_that_cannot_be_meant_is_none(clock: Any) -> None:
    for profile in both({"target": {"clockFrequency": clock, "numTiles": 4}}):
        assert profile.target is not None
        assert profile.target.clock_hz is None
        assert "target.clockFrequency" in texts(profile)


@pytest.mark.parametrize("odd", [1e308, -1.0, float("inf")])
def test_balances_that_cannot_be_meant_count_as_not_given(odd: float) -> None:
    profile = profile_of(FORMAT, cbor2.dumps(RUN | {"simulation": {"steps": [{"tileBalance": odd}]}}), "execution.cbor")
    assert profile.steps is not None
    assert np.isnan(profile.steps.tile_balance).all()
    assert "is ignored" in texts(profile)


@pytest.mark.parametrize("depth", [10, 500, 980, 1023])
@pytest.mark.parametrize(
    "path", ["computeSets.names", "target.numTiles", "programs", "memory.byTile.total", "optimizationInfo.a", "target"]
)
def test_deep_nesting_is_refused_in_words(depth: int, path: str) -> None:
    for value in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        content = nested("memory", "{}")[:-1] + b"," + nested(path, value)[1:]
        with suppress(FormatError):  # any other exception is a defect
            assert "Error" not in texts(profile_of(FORMAT, content, "graph.json"))


def test_a_key_that_comes_twice_is_reported_in_json() -> None:
    target = b'{"target":{"numTiles":4,"numTiles":5,"type":"a: b"}}'
    assert "duplicate key" in texts(profile_of(FORMAT, target, "graph.json"))
    steps = b'{"simulation":{"steps":[{"cycles":1},{"cycles":2,"cycles":3}]}}'
    assert "duplicate key" in texts(profile_of(FORMAT, steps, "execution.json"))
    assert "duplicate key" not in texts(
        profile_of(FORMAT, b'{"target":{"numTiles":4,"type":"\\"a\\":1"}}', "graph.json")
    )


def test_a_key_that_comes_twice_is_reported_in_cbor() -> None:
    for path, inner in (
        ("target", b"\xa2\x68numTiles\x04\x68numTiles\x05"),
        ("programs", b"\x81\xa2\x61a\x04\x61a\x05"),
    ):
        content = b"\xa1" + cbor2.dumps(path) + inner
        assert "duplicate key" in texts(profile_of(FORMAT, content, "graph.cbor"))


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        (b'{"a":1}', False),
        (b'{"a":":"}', False),
        (b'{"a":"\\":"}', False),
        (b'{"a":{"b":1}, "a" :{"b":1}}', True),
        (b'[{"a":1},{"a":1}]', False),
        (b'[[{"a":[{"b":1,"b":2}]}]]', True),
    ],
)
def test_repeated_keys_are_counted(text: bytes, twice: bool) -> None:
    assert has_repeated_key(text, json.loads(text)) is twice


def test_very_many_issues_are_counted_not_listed() -> None:
    def read(_: Sequence[Source], sink: Sink) -> None:
        for name, issues in (("one", MOST_ISSUES + 500), ("two", 7)):
            sink(Began(name, (Path(name),)))
            for number in range(issues):
                sink(Issue("warning", "here", f"number {number}"))

    listed: list[Event] = []
    run(Job(replace(FORMAT, read=read), (Path("one"), Path("two"))), (), listed.append, Token())
    texts = [event.text for event in listed if isinstance(event, Issue)]
    assert len(texts) == MOST_ISSUES + 1 + 7
    assert texts[MOST_ISSUES] == "500 more issues are not listed"


def test_a_key_that_comes_twice_is_reported_in_ascend_files_too() -> None:
    operator = b'{"name": "first", "name": "second", "op_type": "vector"}'
    profile = profile_of(ascend_bin.FORMAT, blocks.block(0x05, operator), "visualize_data.bin")
    assert "duplicate key" in texts(profile)
    plan = json.dumps(memory_plan.plan(3)).replace('"Record":', '"Header": {}, "Record":', 1)
    assert "duplicate key" in texts(profile_of(ascend_memory_info.FORMAT, plan.encode(), "memory_info.json"))
