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
from app.formats.events import Event, SectionReady, sendable
from app.formats.registry import Job, by_id, load_readers
from app.profile.profile import Section
from app.store import limits, wire
from app.store.codec import Columns, pack_section, write_section
from app.store.reading import close_all, open_all, run, unexpected, unwritable
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
        wire.send(pipe, wire.Done())
    except FormatError as error:
        wire.send(pipe, wire.Failed(error.text, sendable(error.path), error.offset))
    except MemoryError:
        wire.send(pipe, wire.Failed(limits.too_much(size), "", None))
    except OSError as error:
        place = Path(os.fsdecode(request.folder)).parent if request.folder else Path(tempfile.gettempdir())
        text = unwritable(error, place).text
        wire.send(pipe, wire.Failed(text, "", None))
    except Exception as error:
        wire.send(pipe, wire.Failed(unexpected(error).text, "", None))


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
        sink = PipeSink(job.paths, folder, pipe)
        run(job, sources, sink, Token(), sink.store)
    finally:
        close_all(sources)


class PipeSink:
    """A sink that sends events to the supervisor. Columns go into the folder, or along where there is none."""

    def __init__(self, files: Sequence[Path], folder: Path | None, pipe: BinaryIO) -> None:
        self._files = files
        self._folder = folder
        self._pipe = pipe
        self._sections = 0

    def __call__(self, event: Event) -> None:
        if not isinstance(event, SectionReady):  # told when it was stored
            wire.send(self._pipe, event, self._files)

    def store(self, section: Section) -> Section:
        """Sends the section; returns it as it was stored."""
        if self._folder is None:
            columns = pack_section(section)
            if len(columns.packed) > wire.LIMIT // 2:
                raise MemoryError
        else:
            file = f"{self._sections}-{section.SECTION}.columns"
            columns = Columns(section.SECTION, file, write_section(section, self._folder / file))
        self._sections += 1
        wire.send(self._pipe, columns)
        return section if self._folder is None else columns.section(self._folder)


def _private_output() -> BinaryIO:
    """The pipe to the supervisor; whatever else writes to standard output from now on goes to standard error."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return pipe
