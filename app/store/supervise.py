"""Gives jobs to worker processes, relays their messages, and explains their death."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.registry import Job
from app.language import tr
from app.profile.issue import Issue
from app.store import limits, wire
from app.store.codec import Columns
from app.store.process import Copy, Process, can_be_copied
from app.store.token import Token
from app.store.worker_process import end, launch


def start() -> Process:
    """A worker that waits for its request: a copy of this process if possible, which need not import anything."""
    return Copy(_work) if can_be_copied() else launch()


def _work() -> int:
    from app.store.worker import main

    return main()


def run_worker(
    job: Job,
    folder: Path | None,
    emit: Sink,
    token: Token,
    take: Callable[[], Process] = start,
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
            end(worker)
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
