"""Pausing the cyclic garbage collector while millions of plain objects are created."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_off() -> Iterator[None]:
    """Disables collection inside the block and restores it afterwards. Decoding runs twice as fast (Performance notes,
    finding 2)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
