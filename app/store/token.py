"""Cancellation of a load, and of work in C code that Ctrl+C alone does not end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, TypeVar

from app.formats.errors import Cancelled


class Token:
    """A cancellation flag, set once, from any thread. ``attach`` registers what must be ended at once (a worker
    process)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._end: Callable[[], None] | None = None

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            end = self._end
        if end is not None:
            end()

    def attach(self, end: Callable[[], None]) -> None:
        """Call ``end`` on cancel, or at once if that has already happened."""
        with self._lock:
            self._end = end
            late = self._cancelled
        if late:
            end()

    def check(self) -> None:
        """Raise Cancelled if the load was cancelled."""
        if self._cancelled:
            raise Cancelled


T = TypeVar("T")
POLL_SECONDS: Final = 0.2
"""How long Windows may leave a Ctrl+C unnoticed; other systems end the waiting."""


def interruptible(work: Callable[[Token], T]) -> T:
    """The result of ``work``, which runs in another thread. Every Ctrl+C cancels its token, again if that had no
    effect, and is raised as KeyboardInterrupt when ``work`` has ended."""
    token = Token()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work, token)
        try:
            while not future.done():
                try:
                    wait([future], POLL_SECONDS)
                except KeyboardInterrupt:
                    token.cancel()
        except KeyboardInterrupt:  # between two statements; the pool waits for the end
            token.cancel()
    if token.cancelled:
        raise KeyboardInterrupt
    return future.result()
