"""Helper processes: results in order, and whatever happens to a helper, an answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from app.formats.pool import Moved, Task
from app.formats.source import Excerpt, Joined, Source, Stretch
from app.language import Text, tr
from app.profile.arrays import I64
from app.store import helper, limits
from app.store.helpers import MOST_WORKERS, Helpers, affordable, default_workers
from generators.memory_source import MemorySource


@dataclass(frozen=True)
class Part:
    """Bytes ``begin`` .. ``end`` of a file; what is to happen there."""

    begin: int
    end: int
    fate: str = ""


@dataclass(frozen=True, eq=False)
class Seen:
    values: I64
    text: Text
    process: int


def run(source: Source, part: Part, _moved: Moved) -> Seen:
    if part.fate == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if part.fate == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if part.fate == "asleep":
        signal.pause()
    if part.fate == "error":
        raise MemoryError
    text = source.read(part.begin, part.end - part.begin)
    return Seen(np.frombuffer(text, np.uint8).astype(np.int64), tr("{count:,} bytes", count=len(text)), os.getpid())


TASK = Task("toy", run, Part, Seen)


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    path = tmp_path / "large.bin"
    path.write_bytes(bytes(range(200)) * 50)
    with Source(path) as opened:
        yield opened


@pytest.fixture
def helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Helpers]:
    monkeypatch.setattr(helper, "by_name", {"toy": TASK}.__getitem__)
    folder = tmp_path / "columns"
    folder.mkdir()
    made = Helpers(folder, 2, fork=True)
    yield made
    made.close()
    assert not list(folder.iterdir())


def parts(fates: dict[int, str] | None = None) -> list[Part]:
    return [Part(at, at + 100, (fates or {}).get(at // 100, "")) for at in range(0, 10_000, 100)]


def check(results: list[Seen | None], source: Source) -> None:
    for number, result in enumerate(results):
        if result is not None:
            assert result.values.astype(np.uint8).tobytes() == source.read(100 * number, 100)
            assert result.text == "100 bytes"


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="states of processes are read on Linux only")
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@forks
def test_results_come_in_order_from_several_processes(helpers: Helpers, source: Source) -> None:
    results = list(helpers.map(TASK, source, parts()))
    check(results, source)
    processes = {result.process for result in results if result}
    assert None not in results
    assert len(processes) == 2
    assert os.getpid() not in processes
    again = list(helpers.map(TASK, source, parts()))
    assert {result.process for result in again if result} == processes


@forks
def test_what_a_helper_cannot_do_is_left_to_the_worker(helpers: Helpers, source: Source) -> None:
    results = list(helpers.map(TASK, source, parts({3: "error", 50: "error"})))
    assert [number for number, result in enumerate(results) if result is None] == [3, 50]
    check(results, source)


@forks
def test_a_killed_helper_is_not_waited_for(helpers: Helpers, source: Source) -> None:
    results = list(helpers.map(TASK, source, parts({3: "killed"})))
    assert results[3] is None
    assert sum(result is None for result in results) <= 2  # and what waited at it
    check(results, source)


@linux
@pytest.mark.parametrize("fate", ["stopped", "asleep"])
def test_a_helper_that_does_not_go_on_is_not_waited_for(
    helpers: Helpers, source: Source, fate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody stopped it, or it waits for something that never comes."""
    monkeypatch.setattr(limits, "ASLEEP_LOOKS", 20)
    results = list(helpers.map(TASK, source, parts({3: fate})))
    assert results[3] is None
    assert sum(result is None for result in results) <= 2  # and what waited at it
    check(results, source)


@linux
def test_a_busy_process_goes_on_however_long_it_takes() -> None:
    """One that computes, or would if it could, is not stalled; one that is stopped is, until it is continued."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        look = limits.Stalled(busy.pid, sleeps=False).look
        assert not any(look() for _ in range(2 * limits.ASLEEP_LOOKS))
        os.kill(busy.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, busy.pid, os.WSTOPPED)
        looks = [look() for _ in range(limits.STOPPED_LOOKS + 1)]
        assert not any(looks[: limits.STOPPED_LOOKS - 1])
        assert looks[-1]
        limits.resume(busy.pid)
        os.waitid(os.P_PID, busy.pid, os.WCONTINUED)
        assert not look()
    finally:
        busy.kill()
        busy.wait()


@forks
def test_without_helpers_nothing_is_waited_for(helpers: Helpers, source: Source) -> None:
    results = list(helpers.map(TASK, source, parts({3: "killed", 4: "killed", 5: "killed"})))
    assert results[-1] is None
    check(results, source)


@forks
def test_results_that_nobody_wants_are_deleted(helpers: Helpers, source: Source) -> None:
    results = helpers.map(TASK, source, parts())
    assert next(results) is not None
    results.close()
    check(list(helpers.map(TASK, source, parts())), source)


@forks
def test_another_file_of_that_name_is_not_read(helpers: Helpers, source: Source) -> None:
    other = source.path.with_name("other")
    other.write_bytes(b"x" * source.size)
    other.replace(source.path)
    assert set(helpers.map(TASK, source, parts())) == {None}


@forks
def test_parts_of_files_are_read_like_files(helpers: Helpers, source: Source, tmp_path: Path) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(bytes(range(100, 200)) * 30)
    with Source(other) as opened:
        whole = Joined([Excerpt(Excerpt(source, 100, 5000), 300, 2000), Stretch(opened, 2500)])
        assert [(origin.begin, origin.size) for origin in whole.origins()] == [(400, 2000), (0, 2500)]
        results = list(helpers.map(TASK, whole, parts()[:45]))
        assert None not in results
        check(results, whole)
        assert os.getpid() not in {result.process for result in results if result}


def test_bytes_in_memory_have_no_origins() -> None:
    source = MemorySource(bytes(10))
    assert source.origins() == Excerpt(source, 2, 3).origins() == Joined([source, source]).origins() == ()


def _pause(_source: Source, _part: Part, _moved: Moved) -> Seen:
    signal.pause()
    raise AssertionError


@forks
def test_helpers_end_with_their_worker(source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing their input, as the end of the worker does, ends even those that are busy."""
    stuck = Task("toy", _pause, Part, Seen)
    monkeypatch.setattr(helper, "by_name", {"toy": stuck}.__getitem__)
    made = Helpers(tmp_path, 2, fork=True)
    made._start()
    orders = made._orders(TASK, source.origins(), parts())
    made._give(deque(orders), orders)
    for each in made._helpers:
        each._process.stdin.close()
    for each in made._helpers:
        each._thread.join(5)
        assert not each._thread.is_alive()  # it ends with the process
    made.close()


def test_a_source_that_is_no_file_is_read_here(tmp_path: Path) -> None:
    results = list(Helpers(tmp_path, 2).map(TASK, MemorySource(bytes(10_000)), parts()))
    assert {result.process for result in results if result} == {os.getpid()}


def test_workers_are_as_many_as_there_are_processors_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= default_workers() <= MOST_WORKERS
    monkeypatch.setattr("app.store.limits.free", lambda: 800_000_000)
    assert affordable(8) == 3
    assert affordable(2) == 2
    monkeypatch.setattr("app.store.limits.free", lambda: 1000)
    assert affordable(8) == 1
    assert Helpers(None, 8).workers == 1
