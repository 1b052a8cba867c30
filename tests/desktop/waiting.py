"""Waits for a fact that another process brings about."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 30.0
"""How long anything may take on a busy machine; what is there at once costs one look."""
PAUSE_S = 0.02
"""Between two looks at the least; a look that takes longer is followed by a pause as long, so that the program has
time for what is waited for."""


def until(fact: Callable[[], T | None], what: str, seconds: float = PATIENCE_S) -> T:
    """The first value of ``fact`` that is true; AssertionError naming ``what`` when there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        value = fact()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s in vain: {what}")
        time.sleep(max(PAUSE_S, time.monotonic() - began))
