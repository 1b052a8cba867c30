"""The background threads of loading. They use no Qt objects: events go into a queue. The readers are imported when the
first file is opened, so that the window appears without waiting for them."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from app.document.baselines import BaselineDocument
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Event, Progress
from app.store.token import Token

if TYPE_CHECKING:
    from app.formats.registry import Job, Refusal
    from app.store.cache.limit import CacheLimit
    from app.store.load import Loaded
    from app.store.spare import Spare
    from app.store.stamps import Stamp


class Planned(Struct, frozen=True):
    """The result of a PlanThread: the jobs, and the files that no format reads. ``completes``: maps the index of a job
    to the open entry that its files complete; ``already``: to the open entry that was read from them, as they still
    are. ``folders``: those of the paths that are folders. ``documents``: baseline documents among them."""

    thread: PlanThread
    jobs: list[Job]
    refusals: list[Refusal]
    completes: dict[int, int]
    already: dict[int, int]
    folders: tuple[Path, ...]
    documents: tuple[BaselineDocument, ...] = ()


class Happened(Struct, frozen=True):
    """An event of job ``job``."""

    job: int
    event: Event


class Closed(Struct, frozen=True):
    """The last message of a job. ``stamps``: its files as they were when reading began."""

    job: int
    error: FormatError | None
    cancelled: bool
    loaded: Loaded | None
    stamps: tuple[Stamp, ...]


Message: TypeAlias = Planned | Happened | Closed


class Queue:
    """Messages from threads to the window."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def put(self, message: Message) -> None:
        self._queue.put(message)

    def drain(self) -> Iterator[Message]:
        """Yields the messages that have arrived so far."""
        for _ in range(self._queue.qsize()):
            try:
                yield self._queue.get_nowait()
            except queue.Empty:  # a handler ran a dialog, whose event loop drained the queue meanwhile
                return


class OpenFiles(Struct, frozen=True):
    """The files of an open profile, and those that were ``apart`` from it. ``done``: whether they are read;
    ``stamps``: what they were like then."""

    entry: int
    format: str
    paths: tuple[Path, ...]
    apart: tuple[Path, ...] = ()
    done: bool = True
    stamps: tuple[Stamp, ...] = ()

    def has(self, paths: Sequence[Path]) -> bool:
        """Whether the profile was read from these files, among others perhaps."""
        wanted, own = absolute(paths), absolute(self.paths)
        return wanted <= own or wanted == own | absolute(self.apart)

    def unchanged(self) -> bool:
        """Whether the files are as they were read."""
        from app.store.stamps import difference

        return not any(difference(stamp) for stamp in self.stamps)


def absolute(paths: Sequence[Path]) -> frozenset[Path]:
    return frozenset(path.absolute() for path in paths)


class PlanThread(threading.Thread):
    """Detects the formats of files, and which open profiles they complete, or are. ``spare``: has a worker ready for
    them, which starts before this thread imports the formats. ``reloads``: the entry whose folders are searched
    again; None if the user opens the paths."""

    def __init__(
        self,
        paths: tuple[Path, ...],
        opened: Sequence[OpenFiles],
        out: Queue,
        spare: Spare | None = None,
        reloads: int | None = None,
    ) -> None:
        super().__init__(name="plan", daemon=True)
        self.paths = paths
        self.reloads = reloads
        self._opened = opened
        self._out = out
        self._spare = spare

    def run(self) -> None:
        if self._spare is not None:
            self._spare.prepare()
        from app.formats.registry import Refusal, plan
        from app.store.reading import unexpected

        try:
            jobs, refusals = plan(self.paths)
            completes = {place: entry for place, job in enumerate(jobs) if (entry := self._completed(job)) is not None}
            already = {place: entry for place, job in enumerate(jobs) if (entry := self._open_as(job)) is not None}
            folders = tuple(path for path in self.paths if os.path.isdir(path))  # noqa: PTH112 (Path.is_dir raises)
        except Exception as error:
            jobs, refusals, completes, already = [], [Refusal(self.paths[0], unexpected(error))], {}, {}
            folders = ()
        read = [_document(refusal, jobs) for refusal in refusals]
        refusals = [one for one in read if not isinstance(one, BaselineDocument)]
        documents = tuple(one for one in read if isinstance(one, BaselineDocument))
        self._out.put(Planned(self, jobs, refusals, completes, already, folders, documents))

    def _completed(self, job: Job) -> int | None:
        """The open entry that the files of ``job`` complete; None without one."""
        known = (opened for opened in self._opened if opened.done and opened.format == job.format.id)
        return next((opened.entry for opened in known if job.format.completes(opened.paths, job.paths)), None)

    def _open_as(self, job: Job) -> int | None:
        """The open entry that has the files of ``job``, which have not changed since; None without one."""
        known = (opened for opened in self._opened if opened.has(job.paths) and opened.unchanged())
        return next((opened.entry for opened in known), None)


def _document(refusal: Refusal, jobs: Sequence[Job]) -> BaselineDocument | Refusal:
    """The baseline document that a refused file is; if it cannot be used, the refusal with the reason."""
    from app.formats.registry import Refusal
    from app.store import baselines

    path = refusal.path
    if not baselines.is_baseline(path):
        return refusal
    try:
        kept = baselines.read(path)
    except FormatError as error:
        return Refusal(path, error)
    return BaselineDocument(path, kept, kept.profile(path), absolute([own for job in jobs for own in job.paths]))


class JobThread(threading.Thread):
    """Reads one job, in this thread or in a worker process that it supervises. ``choice``: the use of the cache, None
    for none (``anew``: cached columns are not read this time); ``spare``: provides a worker that is ready; ``apart``: a
    worker reads even small files; ``workers``: how many processes decode a large one, 0 for the default; ``preview``:
    what can be shown of it at once comes first."""

    def __init__(
        self,
        job_id: int,
        job: Job,
        out: Queue,
        choice: CacheLimit | None = None,
        *,
        anew: bool = False,
        spare: Spare | None = None,
        apart: bool = False,
        workers: int = 0,
        preview: bool = False,
    ) -> None:
        super().__init__(name=f"load-{job_id}", daemon=True)
        self.token = Token()
        self._id = job_id
        self._job = job
        self._out = out
        self._choice = choice
        self._anew = anew
        self._spare = spare
        self._apart = apart
        self._workers = workers
        self._preview = preview

    def run(self) -> None:
        from app.store.load import load
        from app.store.stamps import stamps

        error: FormatError | None = None
        loaded: Loaded | None = None
        before = stamps(self._job.paths)
        try:
            self._emit(Progress(0, sum(max(stamp.size, 0) for stamp in before), ""))  # until the reader knows better
            loaded = load(
                self._job,
                self._emit,
                self.token,
                self._choice,
                anew=self._anew,
                spare=self._spare,
                apart=self._apart,
                workers=self._workers,
                preview=self._preview,
            )
        except FormatError as problem:
            error = problem
        except Cancelled:
            pass
        cancelled = self.token.cancelled
        self._out.put(Closed(self._id, None if cancelled else error, cancelled, loaded, before))

    def _emit(self, event: Event) -> None:
        self._out.put(Happened(self._id, event))


class CacheThread(threading.Thread):
    """Writes the columns of a job to the cache, so that nothing else waits for the disk."""

    def __init__(self, loaded: Loaded, choice: CacheLimit) -> None:
        super().__init__(name="keep", daemon=True)
        self.token = Token()
        self._loaded = loaded
        self._choice = choice

    def run(self) -> None:
        with contextlib.suppress(Cancelled):
            self._loaded.cache_columns(self._choice, self.token)


class Batch(Struct):
    """Of files opened together, the first profile to begin is shown and the others open in background tabs. ``shown``:
    whether one has begun."""

    shown: bool = False
