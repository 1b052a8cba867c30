"""The decoding process: `tilesight --worker` reads requests from its standard input, puts columns into a folder (or
sends them along) and tells over its standard output what it finished. It ends when its standard input ends."""

from __future__ import annotations

import gc
import os
import queue
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from app.formats.errors import FormatError
from app.formats.registry import Job, by_id, load_readers
from app.profile.profile import Section
from app.store import limits, wire
from app.store.codec import pack_section, read_section, write_section
from app.store.events import Began, Event, IssueFound, Progress
from app.store.reading import EventSink, close_all, open_all, run, unexpected, unwritable
from app.store.token import Token


def main(*, ready: bool = False) -> int:
    """Serves requests, one after the other, until its standard input ends. Exit status 0 when it then had nothing to
    do. ``ready``: imports all readers before. The caller has switched the collector off: pieces of JSON make no cycles,
    and collecting costs half of the decoding."""
    pipe = _private_output()
    if ready:
        load_readers()
    requests = Requests()
    threading.Thread(target=requests.listen, daemon=True).start()
    while (request := requests.next()) is not None:
        gc.freeze()  # nobody looks at what is there already
        _answer(request, pipe)
        gc.collect()  # what errors of broken files hold
        requests.answered += 1
    return 0


def _answer(request: wire.Request, pipe: BinaryIO) -> None:
    """Serves one request; the last message says how that ended."""
    tempfile.tempdir = os.fsdecode(request.folder) or None  # what is too large for the memory lies on the same disk
    size = limits.size_of(wire.paths_of(request.paths))
    try:
        limits.limit(size)
        _serve(request, pipe)
        wire.send(pipe, wire.DoneMessage())
    except FormatError as error:
        wire.send(pipe, wire.FailedMessage(wire.plain(error.text), wire.plain(error.path), error.offset))
    except MemoryError:
        wire.send(pipe, wire.FailedMessage(limits.too_much(size), "", None))
    except OSError as error:
        place = Path(os.fsdecode(request.folder)).parent if request.folder else Path(tempfile.gettempdir())
        text = unwritable(error, place).text
        wire.send(pipe, wire.FailedMessage(wire.plain(text), "", None))
    except Exception as error:
        wire.send(pipe, wire.FailedMessage(wire.plain(unexpected(error).text), "", None))


class Requests:
    """What the supervisor asks for. No worker outlives the window: the standard input ends when the window does. Read
    without the buffer of ``sys.stdin``, whose lock the interpreter would wait for when it ends (a second, and then it
    aborts)."""

    def __init__(self) -> None:
        self.answered = 0
        self._asked = 0
        self._waiting: queue.SimpleQueue[wire.Request | None] = queue.SimpleQueue()

    def next(self) -> wire.Request | None:
        """Waits for the next one; None where no other comes."""
        return self._waiting.get()

    def listen(self) -> None:
        """For a thread of its own."""
        while isinstance(request := wire.receive(self), wire.Request):
            self._asked += 1
            self._waiting.put(request)
        if self.answered < self._asked:
            os._exit(3)
        self._waiting.put(None)

    def read(self, size: int) -> bytes:
        """Bytes of the standard input, fewer only where it ends."""
        parts = []
        while size and (part := os.read(sys.stdin.fileno(), size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _serve(request: wire.Request, pipe: BinaryIO) -> None:
    job = Job(by_id(request.format), wire.paths_of(request.paths))
    sources = open_all(job.paths)
    try:
        folder = Path(os.fsdecode(request.folder)) if request.folder else None
        run(job, sources, WorkerSink(job.format.id, folder, pipe))
    finally:
        close_all(sources)


class WorkerSink(EventSink):
    """Writes each section into the folder and tells the supervisor its skeleton; without a folder the columns come
    along."""

    def __init__(self, format_id: str, folder: Path | None, pipe: BinaryIO) -> None:
        super().__init__(format_id, lambda event: _tell(pipe, event), Token())
        self._folder = folder
        self._pipe = pipe

    def stored(self, section: Section) -> Section:
        index = len(self.profiles) - 1
        name = section.SECTION
        if self._folder is None:
            skeleton, packed = pack_section(section)
            if len(packed) > wire.LIMIT // 2:
                raise MemoryError
            wire.send(self._pipe, wire.SectionMessage(index, name, "", skeleton, packed))
            return section
        file = f"{index}-{name}-{len(self.profiles[index].filled())}.columns"
        skeleton = write_section(section, self._folder / file)
        wire.send(self._pipe, wire.SectionMessage(index, name, file, skeleton))
        return read_section(name, skeleton, self._folder / file)


def _tell(pipe: BinaryIO, event: Event) -> None:
    match event:
        case Began():
            wire.send(pipe, wire.BeganMessage(wire.plain(event.name), _written(event.paths), wire.plain(event.writer)))
        case IssueFound():
            issue = event.issue
            wire.send(
                pipe, wire.IssueMessage(event.index, issue.severity, wire.plain(issue.where), wire.plain(issue.text))
            )
        case Progress():
            wire.send(pipe, wire.ProgressMessage(event.done, event.total, event.phase))
        case _:  # sections are told when they are stored
            pass


def _written(paths: Sequence[Path]) -> list[bytes]:
    return [os.fsencode(path) for path in paths]


def _private_output() -> BinaryIO:
    """The pipe to the supervisor; whatever else writes to standard output from now on goes to standard error."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return pipe
