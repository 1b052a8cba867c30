"""When Ctrl+C ends a command."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_later() -> Iterator[None]:
    """Raises the KeyboardInterrupt of a Ctrl+C only at the end. For imports of Qt, whose binding aborts the process if
    it is interrupted."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # it is ignored, or is not Python's
        yield
        return
    typed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: typed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if typed:
        raise KeyboardInterrupt
