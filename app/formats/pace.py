"""Limits how often a reader reports progress and checks for cancellation."""

from __future__ import annotations

import time
from typing import Final

from app.formats.events import Progress, Sink

SECONDS: Final = 0.03
"""Interval between reports. Cancelling must take effect within 0.2 s, and the work between two calls takes time too."""


class Pace:
    """Reports the current byte offset to ``sink``, by elapsed time, because some bytes take a thousand times as long to
    decode as others. The reported offset never decreases, although some parts are read twice. The sink may raise
    Cancelled."""

    def __init__(self, sink: Sink, total: int, phase: str, begin: int = 0) -> None:
        """``total``: bytes of all files; ``begin``: bytes of it that were read before."""
        self._sink = sink
        self._total = total
        self._phase = phase
        self._begin = begin
        self._most = 0
        self._due = 0.0

    def __call__(self, offset: int) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._most = min(max(self._most, self._begin + offset), self._total)
            self._sink(Progress(self._most, self._total, self._phase))
            self._due = time.monotonic() + SECONDS
