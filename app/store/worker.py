"""The decoding process: `tilesight --worker` reads a request from its standard input, puts columns into a
folder and tells over its standard output what it finished. It ends when its standard input ends."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from app.formats.errors import FormatError
from app.formats.registry import Job, by_id, load_readers
from app.profile.profile import Section
from app.store import wire
from app.store.codec import read_section, write_section
from app.store.events import Began, Event, IssueFound, Progress
from app.store.reading import EventSink, close_all, open_all, run, unexpected, unwritable
from app.store.token import Token


def main(*, ready: bool = False) -> int:
    """Serves one request. Exit status 0 when a final message was sent. ``ready``: imports all readers before. The
    caller has switched the collector off: pieces of JSON make no cycles, and collecting costs half of the decoding."""
    pipe = _private_output()
    if ready:
        load_readers()
    request = wire.receive(sys.stdin.buffer)
    if not isinstance(request, wire.Request):
        return 2
    threading.Thread(target=_end_with_parent, daemon=True).start()
    tempfile.tempdir = os.fsdecode(request.folder)  # what is too large for the memory lies on the same disk
    try:
        _serve(request, pipe)
        wire.send(pipe, wire.DoneMessage())
    except FormatError as error:
        wire.send(pipe, wire.FailedMessage(wire.plain(error.text), wire.plain(error.path), error.offset))
    except MemoryError:
        wire.send(pipe, wire.FailedMessage("reading it needs more memory than there is", "", None))
    except OSError as error:
        text = unwritable(error, Path(os.fsdecode(request.folder)).parent).text
        wire.send(pipe, wire.FailedMessage(wire.plain(text), "", None))
    except Exception as error:
        wire.send(pipe, wire.FailedMessage(wire.plain(unexpected(error).text), "", None))
    return 0


def _serve(request: wire.Request, pipe: BinaryIO) -> None:
    job = Job(by_id(request.format), wire.paths_of(request.paths))
    sources = open_all(job.paths)
    try:
        run(job, sources, WorkerSink(job.format.id, Path(os.fsdecode(request.folder)), pipe))
    finally:
        close_all(sources)


class WorkerSink(EventSink):
    """Writes each section into the folder and tells the supervisor its skeleton."""

    def __init__(self, format_id: str, folder: Path, pipe: BinaryIO) -> None:
        super().__init__(format_id, lambda event: _tell(pipe, event), Token())
        self._folder = folder
        self._pipe = pipe

    def stored(self, section: Section) -> Section:
        index = len(self.profiles) - 1
        name = section.SECTION
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


def _end_with_parent() -> None:
    """No worker outlives the window: its standard input ends when the window does. Read without the buffer of
    ``sys.stdin``, whose lock the interpreter would wait for when it ends (a second, and then it aborts)."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(3)
