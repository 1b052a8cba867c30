"""Large files, read by real workers with real helpers: equal columns, and an end that nobody survives."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from pathlib import Path

import psutil
import pytest

from app.formats.errors import Cancelled, FormatError
from app.formats.events import Began, Event, Progress, SectionReady
from app.formats.pool import WORTH_BYTES
from app.formats.registry import plan
from app.store import helpers
from app.store.cache.limit import CacheLimit
from app.store.codec import pack_section
from app.store.load import load
from app.store.token import Token

EVENT = b'{"ph":"X","ts":%d.5,"dur":3,"pid":"core%d","tid":"VEC","name":"name %d","args":{"detail":"%s"}},\n'
PADDING = b"x" * 400


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace that is just large enough."""
    path = tmp_path_factory.mktemp("large") / "trace.json"
    count = WORTH_BYTES // len(EVENT % (10**6, 1, 100, PADDING)) + 2000
    events = b"".join(EVENT % (7 * n, n % 5, n % 300, PADDING) for n in range(count))
    path.write_bytes(b'{"traceEvents":[\n' + events[:-2] + b"]}")
    assert path.stat().st_size > WORTH_BYTES
    return path


def digest(path: Path, workers: int) -> list[str]:
    """What the sections of a file hold."""
    (job,), _ = plan([path])
    events: list[Event] = []
    loaded = load(job, events.append, Token(), workers=workers)
    assert loaded is not None
    sections = [event.section for event in events if isinstance(event, SectionReady)]
    result = [hashlib.sha256(pack_section(section).packed).hexdigest() for section in sections]
    assert not list(loaded.stored.folder.glob("*.result"))
    loaded.release()
    return result


def test_columns_are_those_of_one_worker(trace: Path) -> None:
    one = digest(trace, 1)
    assert len(one) == 1
    assert digest(trace, 2) == one
    assert digest(trace, 3) == one


def test_cancelling_ends_the_worker_and_its_helpers(trace: Path) -> None:
    (job,), _ = plan([trace])
    token = Token()
    own = psutil.Process()
    before = set(own.children(recursive=True))
    helping: set[psutil.Process] = set()

    def cancel_at_progress(event: Event) -> None:
        helping.update(set(own.children(recursive=True)) - before)
        if isinstance(event, Progress) and len(helping) == 3:
            token.cancel()

    with pytest.raises(Cancelled):
        load(job, cancel_at_progress, token, workers=2)
    _, alive = psutil.wait_procs(helping, timeout=5)
    assert len(helping) == 3
    assert not alive


def test_a_killed_worker_takes_its_helpers_along(trace: Path) -> None:
    (job,), _ = plan([trace])
    own = psutil.Process()
    before = set(own.children(recursive=True))
    started: set[psutil.Process] = set()

    def kill_at_progress(event: Event) -> None:
        started.update(set(own.children(recursive=True)) - before)
        if isinstance(event, Progress) and len(started) == 3:
            (child,) = set(own.children()) & started
            child.kill()

    with pytest.raises(FormatError, match="the decoder stopped before it finished"):
        load(job, kill_at_progress, Token(), workers=2)
    _, alive = psutil.wait_procs(started, timeout=5)
    assert len(started) == 3
    assert not alive


def test_helpers_that_are_killed_change_nothing(trace: Path) -> None:
    one = digest(trace, 1)
    (job,), _ = plan([trace])
    own = psutil.Process()
    events: list[Event] = []
    killed: list[int] = []

    def kill_helpers(event: Event) -> None:
        events.append(event)
        with contextlib.suppress(psutil.NoSuchProcess):  # the worker is done
            for child in own.children():
                for helper in child.children():
                    helper.kill()
                    killed.append(helper.pid)

    loaded = load(job, kill_helpers, Token(), workers=2)
    assert loaded is not None
    sections = [event.section for event in events if isinstance(event, SectionReady)]
    assert [hashlib.sha256(pack_section(section).packed).hexdigest() for section in sections] == one
    assert killed
    loaded.release()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="states of processes are read on Linux only")
@pytest.mark.parametrize("which", ["a helper", "every helper", "the worker"])
def test_processes_that_are_stopped_change_nothing(trace: Path, which: str) -> None:
    """Somebody stops them, and never continues them."""
    one = digest(trace, 1)
    (job,), _ = plan([trace])
    own = psutil.Process()
    events: list[Event] = []
    stopped: list[int] = []

    def stop(event: Event) -> None:
        events.append(event)
        children = [] if stopped else own.children()
        for worker in children:
            helping = worker.children()
            chosen = {"a helper": helping[:1], "every helper": helping, "the worker": [worker]}[which]
            for process in chosen if len(helping) == 2 else []:
                process.suspend()
                stopped.append(process.pid)

    loaded = load(job, stop, Token(), workers=2)
    assert loaded is not None
    sections = [event.section for event in events if isinstance(event, SectionReady)]
    assert [hashlib.sha256(pack_section(section).packed).hexdigest() for section in sections] == one
    assert stopped
    loaded.release()


def test_helpers_that_are_started_instead_of_forked(
    trace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on systems without fork: each is a process of the command line of the program."""
    from app.formats.ascend_trace.gather import TASK
    from app.formats.json.stretches import chained
    from app.formats.source import Source

    pool = helpers.Helpers(tmp_path, 2, fork=False)
    with Source(trace) as source:
        parts = list(chained(pool, TASK, source, source.head(100).index(b"[") + 1, source.size))
    assert len(pool._helpers) == 2
    pool.close()
    assert sum(part.passage.count for part in parts) > 30_000
    assert parts[-1].passage.closed


def test_a_preview_comes_first_and_is_not_cached(trace: Path) -> None:
    (job,), _ = plan([trace])
    choice = CacheLimit(1 << 30)

    def loaded() -> list[Event]:
        events: list[Event] = []
        columns = load(job, events.append, Token(), choice, workers=1, preview=True)
        assert columns is not None
        columns.cache_columns(choice, Token())
        columns.release()
        return [event for event in events if not isinstance(event, Progress)]

    began, first, *others = loaded()
    assert isinstance(began, Began)
    assert began.preview
    assert isinstance(first, SectionReady)
    assert (first.preview, first.portion[:9]) == (True, "the first")
    assert [type(event) for event in others] == [Began, SectionReady]
    assert not any(event.preview for event in others if isinstance(event, Began | SectionReady))
    cached_began, whole = loaded()
    assert isinstance(cached_began, Began)
    assert cached_began.cached
    assert isinstance(whole, SectionReady)
    assert not whole.preview
