"""Timestamps of the present epoch lose nothing: compared with sums of whole nanoseconds."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.analysis.figures import figures
from app.analysis.part import Amount
from app.analysis.timeline.intervals import busy, lane_gaps
from app.analysis.verdicts import verdicts
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.records import record
from app.formats.source import Source
from app.profile.timeline import Timeline
from app.store.codec import write_section
from generators import epoch_trace
from generators.epoch_trace import EPOCH, Step


def opened(path: Path, text: bytes) -> Timeline:
    path.write_bytes(text)
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    return profile.timeline


def events(*made: str) -> bytes:
    return ('{"traceEvents":[' + ",".join(made) + "]}").encode()


def x(ts: str, dur: str = "1", tid: int = 1, **more: Any) -> str:
    extra = "".join(f',"{key}":"{value}"' for key, value in more.items())
    return f'{{"ph":"X","name":"a","pid":1,"tid":{tid},"ts":{ts},"dur":{dur}{extra}}}'


def check(made: Timeline, steps: list[Step]) -> None:
    """Starts, durations and busy times are those of ``steps``, to the last digit."""
    first = min(step.start for step in steps)
    assert made.origin == Decimal(first).scaleb(-3)
    wanted = sorted((step.lane, (step.start - first) / 1000, step.duration / 1000) for step in steps)
    lanes = np.repeat(np.arange(len(made.lanes.thread)), np.diff(made.slices.first[made.lanes.first_row]))
    threads = [int(made.strings[int(made.lanes.thread[lane])]) for lane in lanes.tolist()]
    columns = (threads, made.slices.start.tolist(), made.slices.duration.tolist())
    assert sorted(zip(*columns, strict=True)) == wanted
    for lane, total in enumerate(busy(made).tolist()):
        thread = int(made.strings[int(made.lanes.thread[lane])])
        mine = [step for step in steps if step.lane == thread]
        assert total == pytest.approx(float(epoch_trace.busy(mine)), abs=1e-7)
        idle = lane_gaps(made, lane)
        assert (idle.end - idle.start).tolist() == pytest.approx(list(map(float, epoch_trace.gaps(mine))), abs=1e-8)


@pytest.mark.parametrize("written", ["bare", "quoted", "mixed"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_nothing_is_lost(tmp_path: Path, written: epoch_trace.Written, shuffled: bool) -> None:
    steps = epoch_trace.steps(6_000)
    if shuffled:
        random.Random(2).shuffle(steps)
    made = opened(tmp_path / "t.json", epoch_trace.trace(steps, written))
    check(made, steps)
    assert len(made.slices.first) - 1 == 3  # slices that follow one another stay in one row


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.integers(1, 10**6), st.integers(0, 2)), min_size=1, max_size=30),
    st.sampled_from(["bare", "quoted", "mixed"]),
)
def test_any_slices(tmp_path: Path, parts: list[tuple[int, int, int]], written: epoch_trace.Written) -> None:
    steps = [Step(EPOCH + at, length, lane, "op") for at, length, lane in parts]
    check(opened(tmp_path / "t.json", epoch_trace.trace(steps, written)), steps)


@pytest.mark.parametrize(
    ("texts", "origin", "starts"),
    [
        (["1718180919106042", "1718180919106043"], "1718180919106042", [0.0, 1.0]),
        (["1718180919106042.1", "1718180919106042.35"], "1718180919106042.100", [0.0, 0.25]),
        (["1.718180919106042250e15", "1718180919106042.5"], "1718180919106042.250", [0.0, 0.25]),
        (["1718180919106042.123456", "1718180919106042.123457"], "1718180919106042.123456", [0.0, 1e-6]),
        (['"1718180919106042.250"', '" 1718180919106042.500 "'], "1718180919106042.250", [0.0, 0.25]),
        (["8589934591.001", "8589934592.002"], "8589934591.001", [0.0, 1.001]),
        (["123456789012.345", "123456789012.347"], "123456789012.345", [0.0, 0.002]),
    ],
)
def test_ways_to_write_a_time(tmp_path: Path, texts: list[str], origin: str, starts: list[float]) -> None:
    made = opened(tmp_path / "t.json", events(*map(x, texts)))
    assert str(made.origin) == origin
    assert np.sort(made.slices.start).tolist() == starts


def test_small_times_stay_as_they_are(tmp_path: Path) -> None:
    made = opened(tmp_path / "t.json", events(x("1000000.25"), x("8589934591.5")))
    assert made.origin == 0
    assert made.slices.start.tolist() == [1000000.25, 8589934591.5]


def test_everything_with_a_time_follows(tmp_path: Path) -> None:
    at = "1718180919106"

    def other(ph: str, ts: str, more: str) -> str:
        return f'{{"ph":"{ph}","name":"n","pid":1,"tid":1,"ts":{at}{ts},{more}}}'

    made = opened(
        tmp_path / "t.json",
        events(
            x(f"{at}042.250", "0.300"),
            other("s", "042.301", '"cat":"f","id":1'),
            other("f", "100.003", '"cat":"f","id":1'),
            other("i", "050.107", '"s":"t"'),
            other("C", "060.001", '"args":{"v":"7"}'),
            other("B", "100.001", '"cat":"b"'),
            other("E", "100.408", '"cat":"b"'),
        ),
    )
    assert made.slices.start.tolist() == [0.0, 57.751, 7.857]
    assert made.slices.duration.tolist() == [0.3, 0.407, 0.0]
    assert (made.flows.from_time.tolist(), made.flows.to_time.tolist()) == ([0.051], [57.753])
    assert (made.flows.from_slice.tolist(), made.flows.to_slice.tolist()) == ([0], [1])
    assert made.slices.start[made.instants.slice].tolist() == [7.857]
    assert made.counters.time.tolist() == [17.751]


def test_a_stray_time_takes_nothing_from_the_others(tmp_path: Path) -> None:
    """One slice at zero: the others keep their digits although the first lies half a century before them."""
    texts = ["0", "1718180919106042.250", "1718180919106042.657"]
    made = opened(tmp_path / "t.json", events(*(x(text, "0.407", tid) for tid, text in enumerate(texts))))
    assert made.slices.start[2] - made.slices.start[1] == pytest.approx(0.407, abs=1e-12)


def test_records_that_must_be_rescued_keep_their_digits(tmp_path: Path) -> None:
    broken = '{"ph":"X","name":null,"pid":1,"tid":1,"ts":1718180919106042.407,"dur":0.001}'
    rest = [x("1718180919106042.250", "0.157"), broken, x("NaN"), x("null"), x('"soon"')]
    for order in (rest, rest[::-1]):
        made = opened(tmp_path / "t.json", events(*order))
        assert made.slices.start.tolist() == [0.0, 0.157]
        assert made.origin == Decimal("1718180919106042.250")


def test_a_trace_that_grows_large_later(tmp_path: Path) -> None:
    """Times near zero that were gathered before the first large one are counted from the same moment."""
    small = [x(f"{8589930000 + n}.125", "0.5") for n in range(4000)]
    large = [x(f"{8589934000 + n}.375", "0.5") for n in range(4000)]
    made = opened(tmp_path / "t.json", events(*small, *large))
    assert made.origin == Decimal("8589930000.125")
    wanted = [float(n) for n in range(4000)] + [4000.25 + n for n in range(4000)]
    assert np.sort(made.slices.start).tolist() == wanted


def test_the_tolerance_is_that_of_the_data(tmp_path: Path) -> None:
    """What was written as doubles (0.25 us apart) overlaps by rounding; what has all its digits really overlaps."""
    ends = [EPOCH / 1000 + 0.3 * n for n in range(400)]
    doubles = opened(tmp_path / "t.json", events(*(x(repr(ts), "0.3") for ts in ends)))
    assert len(doubles.slices.first) == 2
    exact = opened(tmp_path / "u.json", events(x("1718180919106042.250", "0.3"), x("1718180919106042.549", "0.3")))
    assert len(exact.slices.first) == 3


def test_a_record_that_is_looked_up_keeps_its_digits(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(events(x("1718180919106042.407", "0.250", deadline="x").replace('"x"}', "1718180919106042.407}")))
    (profile,) = read(FORMAT, [path])
    with Source(path) as source:
        event = record(source, profile, 0)
    assert (event["ts"], event["dur"], event["deadline"]) == ("1718180919106042.407", 0.25, "1718180919106042.407")


@pytest.mark.parametrize(("ends", "span"), [((0.1, 0.2), 3e-7), ((4910.2, 0.3), 0.0049105)])
def test_the_span_is_exact(tmp_path: Path, ends: tuple[float, float], span: float) -> None:
    for first in (0, EPOCH):
        path = tmp_path / f"{first}.json"
        starts = [str(Decimal(first).scaleb(-3)), str(Decimal(first).scaleb(-3) + Decimal(repr(ends[0])))]
        path.write_bytes(events(x(starts[0], "0.05"), x(starts[1], repr(ends[1]))))
        (profile,) = read(FORMAT, [path])
        values = {figure.name: figure.value for figure in figures(profile)}
        assert values["timeline.span"] == span
        assert values["timeline.start"] == float(Decimal(first).scaleb(-9))
        if first:
            assert values["timeline.origin"] == "1718180919106042.250 µs"


def test_what_was_stored_is_as_exact(tmp_path: Path) -> None:
    """The column store keeps the origin to its last digit."""
    made = opened(tmp_path / "t.json", events(x("1718180919106042.407", "0.250")))
    columns = write_section(made, tmp_path / "columns")
    sent = msgspec.msgpack.decode(msgspec.msgpack.encode(columns.skeleton))
    again = msgspec.structs.replace(columns, skeleton=sent).section(tmp_path)
    assert isinstance(again, Timeline)
    assert again.origin == made.origin == Decimal("1718180919106042.407")


def test_the_summary_tells_the_length_exactly(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(events(x("1718180919106042.250", "0.407")))
    (profile,) = read(FORMAT, [path])
    (said,) = [verdict.text for verdict in verdicts(profile) if verdict.text[0] == "Timeline of "]
    assert said[1] == Amount(4.07e-7, "s")
