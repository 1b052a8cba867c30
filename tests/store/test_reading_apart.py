"""Small files read by workers: the same as here, one worker after the other, within limits, and ended at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.formats.collect import Collector
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Event, SectionReady
from app.formats.registry import Job, plan
from app.profile.timeline import Timeline
from app.store import limits, process
from app.store.load import load
from app.store.spare import Spare
from app.store.token import Token
from fakes.same import same
from generators.ascend_bin import block


@pytest.fixture
def spare() -> Iterator[Spare]:
    made = Spare()
    yield made
    made.close()


def job_of(path: Path) -> Job:
    (job,), refusals = plan([path])
    assert not refusals
    return job


def test_a_worker_reads_what_would_be_read_here_and_then_the_next(root: Path, spare: Spare) -> None:
    samples = root / "resources" / "samples"
    for name in ("matmul_leakyrelu.bin", "resnet_inference.popef", "resnet-1472-tiles"):
        job = job_of(samples / name)
        here, there = Collector(job.format.id), Collector(job.format.id)
        assert load(job, here, Token()) is None
        assert load(job, there, Token(), spare=spare, apart=True) is None
        for one, other in zip(here.profiles, there.profiles, strict=True):
            assert (one.name, one.origin, one.issues) == (other.name, other.origin, other.issues)
            assert one.filled() == other.filled()
            assert all(same(getattr(one, section), getattr(other, section)) for section in one.filled())
    assert len(spare._idle) == 1  # it has read all of them


def test_columns_that_came_along_cannot_be_written(root: Path, spare: Spare) -> None:
    events: list[Event] = []
    load(
        job_of(root / "resources" / "samples" / "matmul_leakyrelu.bin"), events.append, Token(), spare=spare, apart=True
    )
    sections = [event.section for event in events if isinstance(event, SectionReady)]
    (timeline,) = [section for section in sections if isinstance(section, Timeline)]
    assert not timeline.slices.start.flags.writeable


def test_after_an_error_the_worker_is_replaced(tmp_path: Path, root: Path, spare: Spare) -> None:
    job = job_of(root / "resources" / "samples" / "matmul_leakyrelu.bin")
    broken = Job(job.format, (tmp_path / "gone.bin",))
    for path in (*job.paths, *broken.paths):
        if path.exists():
            load(job, lambda event: None, Token(), spare=spare, apart=True)
    path = tmp_path / "broken.bin"
    path.write_bytes(b"x" * 40)
    with pytest.raises(FormatError):
        load(Job(job.format, (path,)), lambda event: None, Token(), spare=spare, apart=True)
    assert not spare._idle
    load(job, lambda event: None, Token(), spare=spare, apart=True)
    assert len(spare._idle) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process in this way")
def test_a_file_that_takes_too_much_memory_is_refused(tmp_path: Path, spare: Spare) -> None:
    path = tmp_path / "objects.bin"
    path.write_bytes(block(0x05, b'{"name": "op", "x": [' + b"{}," * 12_000_000 + b"0]}"))
    with pytest.raises(FormatError, match=r"needs more than \d+ MB of memory"):
        load(job_of(path), lambda event: None, Token(), spare=spare, apart=True)


def test_the_limit_is_ten_times_the_file_and_room_for_the_rest() -> None:
    assert limits.allowed(0) == limits.ROOM
    assert limits.allowed(1_000_000) <= limits.ROOM + 10_000_000
    assert "300 MB" in limits.too_much(0)
    assert limits.allowed(1 << 50) < 1 << 45  # what the system has


def test_cancelling_ends_a_worker_that_is_stuck(monkeypatch: pytest.MonkeyPatch, root: Path, spare: Spare) -> None:
    monkeypatch.setattr(
        process, "worker_command", lambda: [sys.executable, "-c", "import threading; threading.Event().wait()"]
    )
    token = Token()
    before = set(psutil.Process().children())
    timer = threading.Timer(0.05, token.cancel)
    timer.start()
    job = job_of(root / "resources" / "samples" / "matmul_leakyrelu.bin")
    with pytest.raises(Cancelled):
        load(job, lambda event: None, token, spare=spare, apart=True)
    timer.join()
    assert set(psutil.Process().children()) == before
