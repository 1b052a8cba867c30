"""The background threads of loading. They hold no Qt objects: events go into a queue. The readers are imported
when the first file is opened, so that the window is painted without them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.formats.errors import Cancelled, FormatError
from app.store.events import Event
from app.store.token import Token

if TYPE_CHECKING:
    from app.formats.registry import Job, Refusal


@dataclass(frozen=True, slots=True)
class Planned:
    """A look at the files is done: what to read, and what nobody can."""

    thread: PlanThread
    jobs: list[Job]
    refusals: list[Refusal]


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of job ``job``."""

    job: int
    event: Event


@dataclass(frozen=True, slots=True)
class Closed:
    """The last message of a job."""

    job: int
    error: FormatError | None
    cancelled: bool
    folder: Path | None


Message: TypeAlias = Planned | Happened | Closed


class Queue:
    """Messages from threads, taken by the window."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def put(self, message: Message) -> None:
        self._queue.put(message)

    def drain(self) -> Iterator[Message]:
        """What has come until now."""
        for _ in range(self._queue.qsize()):
            yield self._queue.get()


class PlanThread(threading.Thread):
    """Finds out what files are."""

    def __init__(self, paths: tuple[Path, ...], out: Queue) -> None:
        super().__init__(name="plan", daemon=True)
        self._paths = paths
        self._out = out

    def run(self) -> None:
        from app.formats.registry import Refusal, plan
        from app.store.reading import unexpected

        try:
            jobs, refusals = plan(self._paths)
        except Exception as error:
            jobs, refusals = [], [Refusal(self._paths[0], unexpected(error))]
        self._out.put(Planned(self, jobs, refusals))


class JobThread(threading.Thread):
    """Reads one job, here or in a worker that it supervises."""

    def __init__(self, job_id: int, job: Job, out: Queue) -> None:
        super().__init__(name=f"load-{job_id}", daemon=True)
        self.token = Token()
        self._id = job_id
        self._job = job
        self._out = out

    def run(self) -> None:
        from app.store.load import load

        error: FormatError | None = None
        folder: Path | None = None
        try:
            folder = load(self._job, lambda event: self._out.put(Happened(self._id, event)), self.token)
        except FormatError as problem:
            error = problem
        except Cancelled:
            pass
        cancelled = self.token.cancelled
        self._out.put(Closed(self._id, None if cancelled else error, cancelled, folder))
