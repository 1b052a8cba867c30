"""Broken traces: an issue or FormatError, never anything else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.errors import FormatError
from generators import ascend_trace, device_trace, torch_trace

VALID = b"".join(ascend_trace.chunks(120, 1, 2))
OTHERS = [torch_trace.text(torch_trace.events(2, seed)) for seed in range(4)]
OTHERS += [device_trace.text(device_trace.pipe_states(20)), device_trace.text(device_trace.everything(12))]
TOKENS = [
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"\\",
    b"\xff",
    b"\0",
    b"NaN",
    b"1e999",
    b"null",
    b'"ph":"C"',
    b'"ph":"E"',
    b'"ph":"b"',
    b'"ph":"e"',
    b'"s":"g"',
    b'"name":"Region1","tid":"VECTOR"',
    b'"cat":"PIPE_STATE"',
    b'"id2":{"local":',
    b"-1",
    b'{"ph":5},',
]

edits = st.lists(
    st.tuples(st.integers(0, len(VALID)), st.integers(0, 40), st.sampled_from(TOKENS) | st.binary(max_size=4)),
    max_size=6,
)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([VALID] * 3 + OTHERS), edits, st.none() | st.integers(0, len(VALID)))
def test_mutated(tmp_path: Path, valid: bytes, changes: list[tuple[int, int, bytes]], cut: int | None) -> None:
    text = valid
    for place, length, token in changes:
        text = text[:place] + token + text[place + length :]
    path = tmp_path / "t.json"
    path.write_bytes(text[:cut])
    try:
        (profile,) = read(FORMAT, [path])
    except FormatError:
        return
    made = profile.timeline
    if made is None:
        assert profile.issues
        return
    for a, b in zip(made.slices.first[:-1], made.slices.first[1:], strict=True):
        assert np.all(np.diff(made.slices.start[a:b]) >= 0)
        assert np.all(np.diff(made.slices.start[a:b] + made.slices.duration[a:b]) >= 0)
    assert np.all(np.isfinite(made.slices.start))
    assert np.all(made.slices.duration >= 0)
    assert np.all(made.flows.from_slice < len(made.slices.start))
    assert made.lanes.first_row[-1] == len(made.slices.first) - 1
    assert np.all(np.isfinite(made.counters.value))
