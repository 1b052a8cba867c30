"""Cancellation of a load."""

from __future__ import annotations

import threading
from collections.abc import Callable

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
