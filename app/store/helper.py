"""A process that helps a worker to decode one large file (``app/store/helpers``). It runs the tasks that it receives on
its standard input, and reports on its standard output whether each was done. It ends when its standard input ends, even
in the middle of a task: with its worker."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from app.formats.source import Excerpt, Joined, Origin, Source
from app.formats.tasks import by_name
from app.store import limits, wire
from app.store.wire import Requests

IMPOSSIBLE = wire.Failed("", "", None)
"""The answer to an order that was not carried out. The worker then does it, and reports why that is impossible."""


def main() -> int:
    """Serves orders until standard input ends; returns the exit status."""
    limits.reuse_freed()
    requests = Requests(wire.Order, 0)
    threading.Thread(target=requests.listen, daemon=True).start()
    files = _Files()
    with os.fdopen(1, "wb", closefd=False) as pipe:
        while (order := requests.next()) is not None:
            _answer(order, files, pipe)
            requests.answered += 1
    return 0


def _answer(order: wire.Order, files: _Files, pipe: BinaryIO) -> None:
    try:
        limits.limit(order.share)
        _run(order, files)
    except (Exception, MemoryError):
        wire.send(pipe, IMPOSSIBLE)
    else:
        wire.send(pipe, wire.Done())


def _run(order: wire.Order, files: _Files) -> None:
    source = files.source(order.origins)
    task = by_name(order.task)
    argument: Any = msgspec.msgpack.decode(order.argument, type=task.argument)
    wire.write_result(task.run(source, argument, lambda _: None), Path(os.fsdecode(order.result)))


class _Files:
    """The files that this process has opened, by their paths."""

    def __init__(self) -> None:
        self._opened: dict[bytes, Source] = {}

    def source(self, origins: tuple[Origin, ...]) -> Source:
        """The source made of ``origins``. ValueError if a file is not the one that is meant."""
        parts = [self._part(origin) for origin in origins]
        return parts[0] if len(parts) == 1 else Joined(parts)

    def _part(self, origin: Origin) -> Source:
        opened = self._opened.get(origin.path)
        if opened is None:
            opened = self._opened[origin.path] = Source(Path(os.fsdecode(origin.path)))
        if opened.identity() != origin.identity:
            raise ValueError("another file has this name now")
        whole = origin.begin == 0 and origin.size == opened.size
        return opened if whole else Excerpt(opened, origin.begin, origin.size)
