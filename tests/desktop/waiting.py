"""Waits for a condition that another process brings about."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 30.0
"""Timeout on a busy machine; a condition that is already true costs one check."""
PAUSE_S = 0.02
"""Shortest pause between two checks; a check that takes longer is followed by a pause of the same length, so that the
program has time to proceed."""


def until(fact: Callable[[], T | None], what: str, seconds: float = PATIENCE_S) -> T:
    """The first true value of ``fact``; AssertionError naming ``what`` after the timeout."""
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        value = fact()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s in vain: {what}")
        time.sleep(max(PAUSE_S, time.monotonic() - began))
