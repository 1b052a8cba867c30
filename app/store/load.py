"""Loads one job, from files to events: in this process for small files, in a worker process for heavy ones, or from
cached columns. Gives jobs to worker processes, relays their messages, and explains their death."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from app.formats.collect import Collector
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Began, Event, Progress, SectionReady, Sink
from app.formats.registry import Job, Refusal, plan
from app.language import tr
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.store import folders, limits, lost_pages, wire
from app.store.cache import cache, sweeping
from app.store.cache.cache import Ticket
from app.store.cache.limit import CacheLimit
from app.store.codec import Columns
from app.store.folders import Stored
from app.store.helpers import default_workers
from app.store.process import Copy, Process, can_be_copied, end_worker, launch_worker
from app.store.reading import close_all, open_all, run, unexpected, unpack_all, unpacks_long, unwritable
from app.store.spare import Spare
from app.store.token import Token
from app.store.wire import Record


class Loaded:
    """The columns of a heavy job, to be released when its profiles are closed. Another thread may be caching them
    meanwhile."""

    def __init__(self, stored: Stored, ticket: Ticket | None = None, records: Sequence[Record] = ()) -> None:
        """``ticket`` and ``records`` (as the worker sent them) are needed to cache the columns."""
        self.stored = stored
        self._ticket = ticket
        self._records = records
        self._lock = threading.Lock()
        self._caching = False
        self._released = False

    def cache_columns(self, choice: CacheLimit, token: Token) -> bool:
        """Cache the columns for the next load, if that is wanted, and return whether they are cached. Blocks while the
        disk is written; only the first call has an effect. Cancelled."""
        with self._lock:
            due, self._ticket = self._ticket, None
            if due is None or self._released or not choice.wanted:
                return False
            self._caching = True
        try:
            return cache.add(due, self.stored, self._records, choice.bytes(), token)
        finally:
            self._end_caching()

    def damaged(self) -> bool:
        """Whether a column file that is in use was truncated, so that its end reads as zeros."""
        return lost_pages.damaged(self.stored.folder)

    def release(self) -> None:
        """Release the columns, or as soon as caching has finished."""
        with self._lock:
            self._released = True
            now = not self._caching
        if now:
            self.stored.release()

    def _end_caching(self) -> None:
        with self._lock:
            self._caching = False
            late = self._released
        if late:
            self.stored.release()


def load(
    job: Job,
    emit: Sink,
    token: Token,
    choice: CacheLimit | None = None,
    *,
    anew: bool = False,
    spare: Spare | None = None,
    apart: bool = False,
    workers: int = 0,
    preview: bool = False,
) -> Loaded | None:
    """Read ``job`` and block until done; return the columns of a heavy job, else None. FormatError (what could be read
    was emitted before), or Cancelled. ``choice`` permits cached columns to be used (unless ``anew``); without it
    nothing is looked up, and nothing can be cached. ``spare`` may have an idle worker. ``apart``: read light files in a
    worker as well, so that no file can exhaust the memory of this process, and cancelling ends the worker. At most
    ``workers`` processes decode a large file (0: the default). ``preview``: what can be shown of a heavy job at once is
    emitted first."""
    stored: Stored | None = None
    heavy = False
    try:
        if preview and unpacks_long(job):
            _preview_heads(job, emit, token, spare)
        unpack_all(job, emit, token)
        sources = open_all(job)
        try:
            heavy = job.format.heavy(sources)
            sizes = [source.size for source in sources]
            if not heavy and not apart:
                run(job, sources, emit, token)
        finally:
            close_all(sources)
        if not heavy:
            if apart:
                give_back = (start_worker,) if spare is None else (partial(spare.take, cached=False), spare.give)
                run_worker(job, None, emit, token, *give_back)
            return None
        ticket = cache.ticket(job) if choice is not None and choice.wanted else None
        if ticket is not None and not anew and (loaded := _cached(ticket, emit, token)):
            return loaded
        sweeping.make_room(sizes)
        stored = folders.new(folders.NO_KEY if ticket is None else ticket.key)
        take = start_worker if spare is None else spare.take
        workers = workers or default_workers()
        records = run_worker(job, stored.folder, emit, token, take, workers=workers, preview=preview)
        return Loaded(stored, ticket, records)
    except BaseException as error:
        if stored is not None:
            stored.release()
        if isinstance(error, MemoryError):
            raise FormatError(tr("there is not enough memory to read it")) from error
        if isinstance(error, OSError) and heavy:
            raise unwritable(error, folders.place() if stored is None else stored.folder.parent) from error
        if isinstance(error, Exception) and not isinstance(error, FormatError | Cancelled):
            raise unexpected(error) from error
        raise


def _preview_heads(job: Job, emit: Sink, token: Token, spare: Spare | None) -> None:
    """Emit what the first bytes of compressed files show. What is wrong with them is reported when they are read."""
    take, give = (start_worker, None) if spare is None else (partial(spare.take, cached=False), spare.give)
    with contextlib.suppress(FormatError):
        run_worker(job, None, emit, token, take, give, heads=True)


def _cached(ticket: Ticket, emit: Sink, token: Token) -> Loaded | None:
    """Emit the cached columns of the same files as if they were read; None if there are none."""
    cached = cache.find(ticket, token)
    if cached is None:
        return None
    try:
        for event in cached.events:
            token.check()
            emit(replace(event, cached=True) if isinstance(event, Began) else event)
    except BaseException:
        cached.stored.release()
        raise
    return Loaded(cached.stored)


class Opened(Struct):
    """The result of loading without a window: profiles, an entry for each file that could not be read, and columns that
    are in use."""

    profiles: list[Profile] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    loaded: list[Loaded] = field(default_factory=list)

    def damaged(self) -> bool:
        """Whether column files were truncated since, so that figures may be wrong."""
        return any(each.damaged() for each in self.loaded)


def read_all(
    paths: Sequence[Path],
    stack: ExitStack,
    emit: Sink = lambda _: None,
    choice: CacheLimit | None = None,
    workers: int = 0,
    spare: Spare | None = None,
) -> Opened:
    """Read everything in ``paths``. Columns live until ``stack`` closes; then they are cached, if ``choice`` says
    so. ``spare``: where workers come from; without one they may be copies of this process."""
    opened = Opened()
    folders.sweep_leftovers(folders.place())  # of a process that was killed
    jobs, refusals = plan(paths)
    opened.refusals.extend(refusals)
    for job in jobs:
        collector = Collector(job.format.id)

        def both(event: Event, collector: Collector = collector) -> None:
            collector(event)
            emit(event)

        try:
            loaded = load(job, both, Token(), choice, workers=workers, spare=spare)
            if loaded is not None:
                opened.loaded.append(loaded)
                stack.callback(loaded.release)
                if choice is not None:
                    stack.callback(loaded.cache_columns, choice, Token())
        except FormatError as error:
            opened.refusals.append(Refusal(Path(error.path or job.paths[0]), error))
        opened.profiles.extend(collector.profiles)
    return opened


def start_worker() -> Process:
    """A worker that waits for its request: a copy of this process if possible, which need not import anything."""
    return Copy(_work) if can_be_copied() else launch_worker()


def _work() -> int:
    from app.store.worker import main

    return main()


def run_worker(
    job: Job,
    folder: Path | None,
    emit: Sink,
    token: Token,
    take: Callable[[], Process] = start_worker,
    give: Callable[[Process], None] | None = None,
    workers: int = 1,
    preview: bool = False,
    heads: bool = False,
) -> list[wire.Record]:
    """Read ``job`` in a worker (from ``take``), which writes its columns into ``folder`` or, without one, sends them
    along. Return its records once it is done, for the cache: no progress, no previews, and none without a folder. A
    worker that finished without an error is passed to ``give``, any other is ended. At most ``workers`` processes
    decode a large file. ``preview``: what can be shown at once is emitted first; ``heads``: nothing else, of the
    first bytes of compressed files. FormatError with the worker's reason,
    how it died, or why it could not be started; Cancelled."""
    records: list[wire.Record] = []
    try:
        worker = take()
    except OSError as error:
        raise FormatError(tr("the decoder cannot be started: {error}", error=error.strerror or error)) from error
    token.attach(worker.kill)
    watch = limits.Watch(worker)
    watch.start()
    final = None
    try:
        wire.send(worker.stdin, wire.request(job.format.id, job.paths, folder, workers, preview=preview, heads=heads))
        final = _relay(worker, job.paths, folder, emit, records)
    except BrokenPipeError:
        pass
    finally:
        watch.stop()
        token.attach(_nothing)
        if give is not None and isinstance(final, wire.Done) and not token.cancelled:
            give(worker)
        else:
            end_worker(worker)
    token.check()
    if watch.reached:
        raise FormatError(limits.too_much(limits.size_of(job.paths)))
    if isinstance(final, wire.Failed):
        raise FormatError(final.text, path=final.path, offset=final.offset)
    if final is None:
        raise FormatError(tr("the decoder stopped before it finished: {death}", death=_death(worker.wait())))
    return records


def _nothing() -> None:
    """Replaces the kill of a worker that is done: it may be serving another job."""


def _relay(
    worker: Process, files: Sequence[Path], folder: Path | None, emit: Sink, records: list[wire.Record]
) -> wire.Message | None:
    """Emit the messages of the worker; return its final one, None if the pipe ends without."""
    while (message := wire.receive(worker.stdout, files)) is not None:
        match message:
            case Columns():
                emit(SectionReady(message.section(folder), message.preview, message.portion))
            case Began() | Issue() | Progress():
                emit(message)
            case _:
                return message
        if folder is not None and not isinstance(message, Progress) and not _is_preview(message):
            records.append(message)
    return None


def _is_preview(message: wire.Record) -> bool:
    return isinstance(message, Began | Columns) and message.preview


def _death(status: int) -> str:
    if status >= 0:
        return tr("it exited with status {status}", status=status)
    name = signal.Signals(-status).name if -status in set(signal.Signals) else tr("signal {status}", status=-status)
    return (
        tr("it was killed ({name}); possibly it ran out of memory", name=name)
        if name == "SIGKILL"
        else tr("it crashed ({name})", name=name)
    )
