"""A process that helps a worker to decode one large file (``app/store/helpers``). It runs the tasks that it receives on
its standard input, and reports on its standard output whether each was done. It ends when its standard input ends, even
in the middle of a task: with its worker."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from app.formats.source import Source
from app.formats.tasks import by_name
from app.store import heap, limits, results, wire
from app.store.requests import Requests

IMPOSSIBLE = wire.Failed("", "", None)
"""The answer to an order that was not carried out. The worker then does it, and reports why that is impossible."""


def main() -> int:
    """Serves orders until standard input ends; returns the exit status."""
    heap.reuse_freed()
    requests = Requests(wire.Order, 0)
    threading.Thread(target=requests.listen, daemon=True).start()
    opened: dict[bytes, Source] = {}
    with os.fdopen(1, "wb", closefd=False) as pipe:
        while (order := requests.next()) is not None:
            _answer(order, opened, pipe)
            requests.answered += 1
    return 0


def _answer(order: wire.Order, opened: dict[bytes, Source], pipe: BinaryIO) -> None:
    try:
        limits.limit(order.share)
        _run(order, opened)
    except (Exception, MemoryError):
        wire.send(pipe, IMPOSSIBLE)
    else:
        wire.send(pipe, wire.Done())


def _run(order: wire.Order, opened: dict[bytes, Source]) -> None:
    source = opened.get(order.path)
    if source is None:
        source = opened[order.path] = Source(Path(os.fsdecode(order.path)))
    if source.identity() != order.identity:
        raise ValueError("another file has this name now")
    task = by_name(order.task)
    argument: Any = msgspec.msgpack.decode(order.argument, type=task.argument)
    results.write(task.run(source, argument, lambda _: None), Path(os.fsdecode(order.result)))
