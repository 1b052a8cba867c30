"""Traces in every style that others write, read and compared with plain JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.records import record
from app.formats.source import Source
from generators import trace_styles
from generators.trace_styles import STYLES
from oracles import trace_by_json

EVENTS = 1500


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_read_as_plain_json_says(tmp_path: Path, style: str) -> None:
    path = tmp_path / "trace.json"
    STYLES[style].write(path, EVENTS, seed=5)
    (profile,) = read(FORMAT, [path])
    assert profile.issues == ()
    assert profile.timeline is not None
    told, shown = (
        trace_by_json.told(events := trace_by_json.events_of(path.read_bytes())),
        trace_by_json.shown(profile.timeline),
    )
    assert shown.slices == told.slices
    assert shown.arrows == told.arrows
    assert shown.counters == told.counters
    with Source(path) as source:
        for ordinal in profile.timeline.slices.record[::199].tolist():
            again = record(source, profile, ordinal)
            assert again.get("args") == json.loads(json.dumps(events[ordinal].get("args"), default=float))


@pytest.mark.parametrize("style", STYLES)
def test_a_style_follows_from_its_seed(style: str) -> None:
    first = trace_styles.text_of(style, 300, seed=1)
    assert first == trace_styles.text_of(style, 300, seed=1)
    assert first != trace_styles.text_of(style, 300, seed=2)


def test_styles_vary_what_they_are_named_for() -> None:
    """What each style is there for, so that a later change of a generator does not lose it."""
    events = {name: trace_by_json.events_of(trace_styles.text_of(name, EVENTS)) for name in STYLES}
    slices = {name: [event for event in made if event["ph"] == "X"] for name, made in events.items()}
    for name in ("different", "pretty", "spaced", "order", "strings", "unsorted", "kineto", "tasks"):
        args = {json.dumps(event["args"], default=float) for event in slices[name]}
        assert len(args) > 0.9 * len(slices[name]), name
    assert len({event["args"]["pc_addr"] for event in slices["different"]}) == len(slices["different"])
    assert len({event["name"] for event in slices["many_names"]}) == len(slices["many_names"])
    assert len({(event["pid"], event["tid"]) for event in slices["lanes"]}) > EVENTS / 2
    assert sum(event["ph"] == "s" for event in events["flows"]) == len(slices["flows"])
    assert len({tuple(event) for event in slices["order"]}) > 10
    assert all(type(value) is not int for event in slices["strings"] for value in event.values())
    times = np.array([float(event["ts"]) for event in slices["unsorted"]])
    assert 0.4 < np.mean(np.diff(times) < 0) < 0.6
    assert b"\\u77e9" in trace_styles.text_of("escaped", 300)
    assert "矩阵".encode() in trace_styles.text_of("raw", 300)
