"""The decoding process: `tilesight --worker` reads requests from its standard input, writes columns into a folder (or
sends them along) and reports on its standard output. It ends when its standard input ends."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

from app import scanner
from app.formats.errors import FormatError
from app.formats.events import Event, Progress, SectionReady, sendable
from app.formats.registry import Job, by_id, load_readers
from app.profile.profile import Section
from app.store import limits, wire
from app.store.codec import pack_section, write_section
from app.store.helpers import Helpers
from app.store.reading import close_all, open_all, preview, preview_heads, run, unexpected, unwritable
from app.store.token import Token
from app.store.wire import Requests


def main(*, ready: bool = False) -> int:
    """Serve requests, one after the other, until standard input ends; return the exit status, 0 if nothing was left to
    do. ``ready``: import all readers first. The caller has disabled the garbage collector: decoded JSON has no cycles,
    and collecting takes half of the decoding time."""
    pipe = _private_output()
    limits.reuse_freed()
    scanner.allow()
    if ready:
        load_readers()
    requests = Requests(wire.Request, sys.stdin.fileno())
    threading.Thread(target=requests.listen, daemon=True).start()
    while (request := requests.next()) is not None:
        gc.freeze()  # what exists already need not be collected
        _answer(request, pipe)
        gc.collect()  # frees what errors of broken files refer to
        limits.return_freed()
        requests.answered += 1
    return 0


def _answer(request: wire.Request, pipe: BinaryIO) -> None:
    """Serve one request; the final message says how it ended."""
    tempfile.tempdir = os.fsdecode(request.folder) or None  # temporary files go to the disk of the columns
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


def _serve(request: wire.Request, pipe: BinaryIO) -> None:
    job = Job(by_id(request.format), wire.paths_of(request.paths))
    if request.heads:
        preview_heads(job, PipeSink(job.paths, None, pipe))
        return
    sources = open_all(job)
    folder = Path(os.fsdecode(request.folder)) if request.folder else None
    helpers = Helpers(folder, request.workers)
    try:
        sink = PipeSink(job.paths, folder, pipe)
        if request.preview:
            preview(job, sources, sink)
        run(job, sources, sink, Token(), sink.store, helpers)
    finally:
        helpers.close()
        close_all(sources)


PAUSE_S: Final = 0.03
"""Between two reports of progress: a picture shows no more, and each interrupts both processes."""


class PipeSink:
    """A sink that sends events to the supervisor. Columns are written into the folder, or sent along if there is
    none."""

    def __init__(self, files: Sequence[Path], folder: Path | None, pipe: BinaryIO) -> None:
        self._files = files
        self._folder = folder
        self._pipe = pipe
        self._sections = 0
        self._told = -PAUSE_S

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress):
            now = time.monotonic()
            if now - self._told < PAUSE_S:
                return
            self._told = now
        if not isinstance(event, SectionReady):
            wire.send(self._pipe, event, self._files)
        elif event.preview:  # others are sent by ``store``
            wire.send(self._pipe, pack_section(event.section, preview=True, portion=event.portion))

    def store(self, section: Section) -> Section:
        """Store the section and send it; return it as stored."""
        if self._folder is None:
            columns = pack_section(section)
            if len(columns.packed) > wire.LIMIT // 2:
                raise MemoryError
        else:
            file = f"{self._sections}-{section.SECTION}.columns"
            columns = write_section(section, self._folder / file)
        self._sections += 1
        wire.send(self._pipe, columns)
        return section if self._folder is None else columns.just_written(self._folder)


def _private_output() -> BinaryIO:
    """The pipe to the supervisor; anything else written to standard output from now on goes to standard error."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return pipe
