"""How often a read says how far it is, and looks whether it was cancelled."""

from __future__ import annotations

import time
from typing import Final

from app.formats.events import Progress, Sink

SECONDS: Final = 0.03
"""Cancelling is answered within 0.2 s: what lies between two looks may take some time as well."""


class Pace:
    """Reports the byte that was reached to ``sink``: by time, since some bytes take a thousand times as long as others.
    What is reported never falls, though some parts are gone through twice. The sink may raise Cancelled."""

    def __init__(self, sink: Sink, total: int, phase: str, begin: int = 0) -> None:
        """``begin``: bytes of ``total`` that were read before."""
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
