"""Work in C code that Ctrl+C alone does not end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, TypeVar

from app.store.token import Token

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
