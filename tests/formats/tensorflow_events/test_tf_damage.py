"""Logs that are cut, damaged or made to do harm: what is whole is shown, the rest has its place and reason."""

from __future__ import annotations

import struct
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.tensorflow_events import FORMAT
from app.profile.profile import Profile
from app.profile.tensorflow import HostEvents
from generators import tensor_map
from generators import tensorflow_events as log
from generators.memory_source import SparseSource
from generators.protobuf_wire import field, message, varint
from generators.reading import profile_of, profiles_of
from generators.tensorflow_events import COMPILE_END, EXECUTE, TO_DEVICE, Event
from generators.tfrecord import masked, record, records

WHOLE = log.log(
    [log.run(graph='{"target": {}}', execution="x", tensor_map=tensor_map.tensor_map({"c": [tensor_map.Tensor("a")]}))]
    * 2
)


def read(content: bytes) -> tuple[Profile, HostEvents]:
    profile = profile_of(FORMAT, content)
    assert profile.host_events is not None
    return profile, profile.host_events


def lines(profile: Profile) -> list[str]:
    return [f"{issue.severity} {issue.where}: {issue.text}" for issue in profile.issues]


def test_a_file_cut_anywhere_shows_the_whole_records_before_the_cut() -> None:
    ends = [0]
    while ends[-1] < len(WHOLE):
        ends.append(ends[-1] + 16 + struct.unpack_from("<Q", WHOLE, ends[-1])[0])
    for cut in range(13, len(WHOLE), 5):
        if cut < ends[1]:
            with pytest.raises(FormatError, match="ends inside its first record"):
                read(WHOLE[:cut])
            continue
        profile, events = read(WHOLE[:cut])
        assert len(events) == 12 * sum(end <= cut for end in ends[3:])
        told = [line for line in lines(profile) if "incomplete record" in line]
        assert len(told) == (cut not in ends)


def test_data_that_do_not_fit_their_checksum_are_shown_with_a_warning() -> None:
    content = bytearray(WHOLE)
    at = content.index(b"cluster_1")
    content[at : at + 9] = b"cluster_X"
    profile, events = read(bytes(content))
    assert len(events) == 24
    assert "cluster_X" in events.strings.tolist()
    (line,) = (line for line in lines(profile) if "checksum" in line)
    assert "record 2 does not match its checksum: its values may be wrong" in line


def test_a_length_that_does_not_fit_its_checksum_is_believed_only_if_a_record_follows() -> None:
    version = len(record(log.version()))
    content = bytearray(WHOLE)
    content[version + 8] ^= 1
    profile, events = read(bytes(content))
    assert len(events) == 24
    assert "it is read anyway" in lines(profile)[0]
    content[version] ^= 1
    profile, events = read(bytes(content))
    assert len(events) == 0
    assert f"error memory.bin: byte {version:,}: the length of record 1" in lines(profile)[0]
    assert "bytes are skipped" in lines(profile)[0]


@pytest.mark.parametrize("length", [2**63, 2**64 - 1, 2**40, 10_000])
def test_a_record_that_claims_more_than_the_file_has_costs_nothing(length: int) -> None:
    head = struct.pack("<Q", length)
    profile, _ = read(record(log.version()) + head + masked(head) + b"x" * 50)
    assert "the last 62 bytes are an incomplete record" in lines(profile)[0]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (b"\x09" + bytes(8) + b"\x32" + varint(2**62), "declares 4,611,686,018,427,387,904 bytes"),
        (b"\x09" + bytes(8) + b"\x32\x05\x0a\xff\xff\xff\xff", "ends inside a number"),
        (b"\x12\x01", "declares 1 byte,"),
        (b"\x10\x01", "neither a time nor content"),
        (
            b"\x09" + bytes(8) + message((9, b"".join(field(n, 1) for n in range(1, 80)))),
            "more fields than any known version",
        ),
    ],
)
def test_an_event_that_is_none_is_left_out(event: bytes, text: str) -> None:
    whole = log.event(Event(EXECUTE))
    profile, events = read(log.records_of([event, whole]))
    assert len(events) == 1
    assert any(text in line for line in lines(profile)), lines(profile)


def test_figures_that_cannot_be_meant_are_no_data() -> None:
    events = [
        Event(COMPILE_END, float("nan"), duration=-5),
        Event(COMPILE_END, 1e300, duration=2**62),
        Event(TO_DEVICE, 1.0, moved='{"total_size": -1, "tensors": [{"name": 5, "size": 2.5}, 7]}'),
        Event(TO_DEVICE, 1.0, moved='{"total_size": 1e400}'),
        Event(TO_DEVICE, 1.0, moved="not valid JSON"),
        Event(TO_DEVICE, 1.0, moved="[1]"),
        Event(COMPILE_END, 1.0, instruction_info='{"ml_types": {"a": 9, "b": -1, "c": "x", "d": 1}}'),
    ]
    profile, found = read(log.log([events]))
    assert len(found) == len(events)
    assert found.bytes.tolist() == [-1] * 7
    assert found.tensors.name.tolist() == [-1, -1]
    assert found.ml_types.type.tolist() == [1]
    told = "\n".join(lines(profile))
    for text in (
        "time, nan",
        "time, 1e+300",
        "compilation of -5",
        "compilation of 4,611",
        "not a JSON object",
        "not valid JSON",
    ):
        assert text in told


def test_a_record_that_breaks_off_keeps_the_events_before() -> None:
    value = log.value([log.event(Event(EXECUTE))])
    summary = message((1, 1.0)) + field(5, message((1, value)) + b"\x0a\xff\xff\xff\x7f")
    profile, events = read(records([log.version(), summary, log.summary([value])]))
    assert len(events) == 2
    assert any("record 1 cannot be read completely" in line for line in lines(profile))


def test_a_quarter_of_a_gigabyte_inside_a_record_is_never_held() -> None:
    """Only what stands around the report is asked for, but for its checksum (which the sparse file cannot have)."""
    report = 1 << 28
    inner = b"\x0a" + varint(report)
    tail = field(2, 5) + field(3, "m")
    end = b"\x32" + varint(len(inner) + report + len(tail)) + inner
    event = b"\x09" + struct.pack("<d", 5.0) + b"\x18\x01" + end
    text = b"\x42" + varint(len(event) + report + len(tail)) + event
    tensor = b"\x08\x07" + text
    value = field(1, "ipu_trace") + b"\x42" + varint(len(tensor) + report + len(tail)) + tensor
    summary = b"\x0a" + varint(len(value) + report + len(tail)) + value
    data = b"\x09" + struct.pack("<d", 5.0) + b"\x2a" + varint(len(summary) + report + len(tail)) + summary
    length = struct.pack("<Q", len(data) + report + len(tail))
    head = record(log.version()) + length + masked(length) + data

    class Filled(SparseSource):
        def read(self, offset: int, length: int) -> bytes:
            whole = head + b"{" + b" " * min(length, 1 << 20)
            if offset < len(head) + 1:
                return whole[offset : offset + length].ljust(length, b" ")
            behind = (tail + bytes(4)).rjust(length, b" ") if offset + length > self.size - 100 else b" " * length
            return behind[len(behind) - (self.size - offset) :][:length] if offset > self.size - 100 else behind

    source = Filled(len(head) + report + len(tail) + 4, {})
    sink = Collector("test")
    tracemalloc.start()
    try:
        FORMAT.read([source], sink)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    events = sink.profiles[0].host_events
    assert events is not None
    assert events.attached.size.tolist() == [report]
    assert events.duration.tolist() == [5e-06]
    assert peak < 8_000_000


BASES = (
    WHOLE,
    log.log([log.run(execution="x")], "new"),
    log.log([log.run(execution="x")], "flat"),
    log.text(log.run(graph='{"a": 1}', execution="x")).encode(),
    log.sequence([("m", '{"target": {"bytesPerTile": 3}}'), ("n", '{"simulation": {"steps": []}}')]).encode(),
    log.event(Event(COMPILE_END, report='{"a": 1}', duration=5)),
)
EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), st.binary(min_size=1, max_size=6) | st.integers(0, 2**64 - 1).map(varint)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=500)
@given(st.sampled_from(BASES), EDITS, st.none() | st.integers(0, 3000))
def test_only_format_errors_come_out_of_mutated_logs(
    base: bytes, edits: list[tuple[int, bytes]], cut: int | None
) -> None:
    content = bytearray(base)
    for at, value in edits:
        content[at % len(content) : at % len(content) + len(value)] = value
    try:
        profiles = profiles_of(FORMAT, bytes(content[:cut]))
    except FormatError:
        return
    for profile in profiles:
        events = profile.host_events
        assert events is not None
        assert (events.offset + events.size <= len(content)).all()
        assert (events.attached.offset + events.attached.size <= len(content)).all()
        assert ((events.begin >= -1) & (events.begin < len(events))).all()
        assert len(profile.issues) < 200


@settings(max_examples=200)
@given(st.lists(st.binary(max_size=40), max_size=5))
def test_only_issues_come_out_of_noise_in_sound_frames(parts: list[bytes]) -> None:
    profile, events = read(log.records_of([log.event(Event(EXECUTE)), *parts]))
    assert len(events) >= 1
    profile, _ = read(records([log.version(), *parts]))
    assert all("defect" not in line for line in lines(profile))
