"""The cyclic garbage collector, out of the way while millions of plain objects come and go."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_off() -> Iterator[None]:
    """No collection inside; afterwards as before. Decoding runs twice as fast (Performance notes, finding 2)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
