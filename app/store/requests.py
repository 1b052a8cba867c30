"""The standard input of a worker or helper process."""

from __future__ import annotations

import os
import queue
from typing import Generic, TypeVar

from app.store import wire

M = TypeVar("M", wire.Request, wire.Order)


class Requests(Generic[M]):
    """The requests of the supervisor, messages of one ``kind``. No worker outlives the window, and no helper its
    worker, because its standard input ends with it. Read without the buffer of ``sys.stdin``: the interpreter would
    wait a second for its lock at exit, and then abort."""

    def __init__(self, kind: type[M], descriptor: int) -> None:
        self._descriptor = descriptor
        self._kind: type[M] = kind
        self.answered = 0
        self._asked = 0
        self._waiting: queue.SimpleQueue[M | None] = queue.SimpleQueue()

    def next(self) -> M | None:
        """Wait for the next request; None if there will be no other."""
        return self._waiting.get()

    def listen(self) -> None:
        """Receive requests, in a thread of its own; end the process if the input ends before all are answered."""
        while isinstance(request := wire.receive(self), self._kind):
            self._asked += 1
            self._waiting.put(request)
        if self.answered < self._asked:
            os._exit(3)
        self._waiting.put(None)

    def read(self, size: int) -> bytes:
        """Bytes of standard input, fewer than ``size`` only at its end."""
        parts = []
        while size and (part := os.read(self._descriptor, size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
