"""Files compressed with gzip open as what they hold; what cannot be unpacked is refused with its reason."""

from __future__ import annotations

import gzip
import os
import zlib
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import unpacked
from app.formats.errors import FormatError
from app.formats.events import Event, Progress, SectionReady
from app.formats.records import record
from app.formats.registry import Job, by_id, plan
from app.formats.source import Source, peek, unpack
from app.profile.profile import Profile
from app.store import reading
from app.store.cache import sweeping
from app.store.load import load, read_all
from app.store.token import Token
from generators import ascend_trace, poplar


def packed(path: Path, content: bytes) -> Path:
    """``content`` compressed, under the name of ``path`` with .gz behind it."""
    target = path.with_name(f"{path.name}.gz")
    target.write_bytes(gzip.compress(content, 6))
    return target


def only(path: Path, stack: ExitStack) -> Profile:
    opened = read_all([path], stack)
    assert opened.refusals == []
    return opened.profiles[0]


@pytest.mark.parametrize("events", [200, 40_000], ids=["small", "heavy"])
def test_a_compressed_trace_is_the_same_profile(events: int, tmp_path: Path) -> None:
    plain = tmp_path / "trace.json"
    ascend_trace.write(plain, events=events, cores=2)
    compressed = packed(plain, plain.read_bytes())
    with ExitStack() as stack:
        one, other = only(plain, stack), only(compressed, stack)
        assert other.origin.paths == (compressed,)
        assert one.timeline is not None
        assert other.timeline is not None
        assert one.timeline.slices.start.tolist() == other.timeline.slices.start.tolist()
        with Source(plain) as here, Source(compressed) as there:
            for ordinal in (0, 7, len(one.timeline.slices.start) - 1):
                assert record(here, one, ordinal) == record(there, other, ordinal)


def test_a_compressed_pair_is_one_profile(tmp_path: Path) -> None:
    pair = poplar.write_pair(tmp_path, poplar.Scale(tiles_per_ipu=4, compute_sets=3))
    compressed = [packed(path, path.read_bytes()) for path in pair]
    jobs, refused = plan(compressed)
    assert refused == []
    assert [set(job.paths) for job in jobs] == [set(compressed)]


def test_looking_at_the_head_unpacks_nothing_else(tmp_path: Path) -> None:
    path = packed(tmp_path / "trace.json", b'{"traceEvents": [' + b"1," * 100_000)
    assert peek(path, 10) == b'{"traceEve'
    assert unpacked.size() == 0


@given(parts=st.lists(st.binary(max_size=300), max_size=4), zeros=st.integers(0, 700))
def test_members_one_behind_the_other_and_zeros_at_the_end(
    parts: list[bytes], zeros: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("members") / "x.gz"
    path.write_bytes(b"".join(gzip.compress(part) for part in [b"{", *parts]) + bytes(zeros))
    whole = b"{" + b"".join(parts)
    assert peek(path, 1000) == whole[:1000]
    with Source(path) as source:
        assert source.read(0, source.size) == whole


@given(at=st.floats(0, 1), bit=st.integers(0, 7))
def test_damage_is_a_format_error_or_the_same_content(
    at: float, bit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = bytes(range(256)) * 20
    damaged = bytearray(gzip.compress(content))
    damaged[min(int(at * len(damaged)), len(damaged) - 1)] ^= 1 << bit
    path = tmp_path_factory.mktemp("damaged") / "x.gz"
    path.write_bytes(damaged)
    try:
        with Source(path) as source:
            read = source.read(0, source.size)
    except FormatError as error:
        read, said = b"", str(error)
    else:
        said = "compressed"
    assert "compressed" in said
    assert read == bytes(damaged) or content.startswith(read)


def test_a_cut_off_file_is_read_up_to_its_end(tmp_path: Path) -> None:
    plain = tmp_path / "trace.json"
    ascend_trace.write(plain, events=2_000, cores=1)
    compressed = packed(plain, plain.read_bytes())
    compressed.write_bytes(compressed.read_bytes()[: compressed.stat().st_size // 2])
    with ExitStack() as stack:
        profile = read_all([compressed], stack).profiles[0]
        assert profile.timeline is not None
        assert len(profile.timeline.slices.start) > 100
        assert [issue for issue in profile.issues if issue.severity == "error"]


def test_what_grows_without_measure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacked, "SMALLEST_LIMIT", 1 << 20)
    bomb = packed(tmp_path / "bomb.json", b"[" + b" " * (8 << 20))
    with pytest.raises(FormatError, match="expand to more than"):
        Source(bomb)
    assert unpacked.size() == 0
    assert list(unpacked.folder().iterdir()) == []


def test_unpacking_tells_how_far_it_is_and_can_be_stopped(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.json", os.urandom(3 << 20))
    told: list[tuple[int, int]] = []
    unpack(path, lambda done, of: told.append((done, of)))
    assert told[-1] == (path.stat().st_size, path.stat().st_size)
    assert len(told) >= 3

    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    other = packed(tmp_path / "y.json", os.urandom(1 << 20))
    with pytest.raises(KeyboardInterrupt):
        unpack(other, stop)
    assert len(list(unpacked.folder().iterdir())) == 1


def test_a_changed_file_has_another_copy_and_unused_ones_go(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.json", b"[1]")
    Source(path).close()
    path.write_bytes(gzip.compress(b"[1, 2]"))
    with Source(path) as source:
        assert source.read(0, source.size) == b"[1, 2]"
    assert len(list(unpacked.folder().iterdir())) == 2
    assert sweeping.usage() >= 9
    unpacked.sweep(3600, 6)
    assert [copy.read_bytes() for copy in unpacked.folder().iterdir()] == [b"[1, 2]"]
    with Source(path) as source:
        assert sweeping.clear().freed >= 6
        assert source.read(0, 3) == b"[1,"
    assert list(unpacked.folder().iterdir()) == []


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(FormatError, match="cannot be unpacked into"):
        Source(packed(tmp_path / "x.json", b"[]"))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("Memory.csv", b"block_id,core\n0,1\n", "visualize_data.bin"),
        ("profile.pop", b"SQLite format 3\0" + bytes(80), "PopVision"),
        ("mindstudio_insight_data.db", b"SQLite format 3\0" + bytes(80), "open the folder of the capture"),
        ("x.zip", b"PK\x03\x04" + bytes(80), "unpack it"),
        ("x.json.xz", b"\xfd7zXZ\0" + bytes(80), "unpack it"),
    ],
)
def test_other_kinds_are_named_with_what_to_use(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with ExitStack() as stack:
        opened = read_all([path], stack)
    assert opened.profiles == []
    assert [words in str(refusal.error) for refusal in opened.refusals] == [True]


def test_something_is_shown_before_a_large_file_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONG_BYTES", 1000)
    plain = tmp_path / "trace.json"
    ascend_trace.write(plain, events=3000, cores=2)
    (job,), _ = plan([packed(plain, plain.read_bytes())])
    events: list[Event] = []
    load(job, events.append, Token(), preview=True)
    first = next(at for at, event in enumerate(events) if isinstance(event, Progress))
    shown = [event for event in events[:first] if isinstance(event, SectionReady)]
    assert [event.section.SECTION for event in shown] == ["timeline"]
    assert all(event.preview for event in shown)
    again: list[Event] = []
    load(job, again.append, Token(), preview=True)  # the copy is there
    assert not any(isinstance(event, SectionReady) and event.preview for event in again)


def test_what_is_damaged_is_reported_when_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONG_BYTES", 10)
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(b'[{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"},' * 99)[:60] + b"\xff" * 50)
    job = Job(by_id("ascend-trace"), (path,))
    with pytest.raises(FormatError):
        load(job, lambda _: None, Token(), preview=True)


def test_very_many_members_take_time_in_proportion(tmp_path: Path) -> None:
    """200,000 empty members took 8 s: zlib copies what it is given beyond the end of a member."""
    body = b'{"name": "graph"}'
    path = tmp_path / "members.gz"
    path.write_bytes(gzip.compress(b"") * 20_000 + gzip.compress(body) + b"\0" * 9_000 + gzip.compress(body) + b"\0")
    given: list[int] = []

    class Counting:
        """What zlib is given."""

        def __init__(self, window: int) -> None:
            self._real = real(window)

        def decompress(self, data: memoryview, most: int) -> bytes:
            given.append(len(data))
            return bytes(self._real.decompress(data, most))

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    real = zlib.decompressobj
    with path.open("rb") as file, pytest.MonkeyPatch.context() as patch:
        patch.setattr(zlib, "decompressobj", Counting)
        assert b"".join(unpacked._unpacked(path, file.fileno(), 1 << 20)) == 2 * body
    assert sum(given) < 2 * unpacked.FIRST * 20_000
