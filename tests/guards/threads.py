"""Fails a test that leaves a thread behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

PATIENCE_S = 3.0
"""How long a thread that is already ending may take, on a busy machine."""


def ours() -> set[threading.Thread]:
    """Threads that Python started; those of Qt only pass by and are never taken off the list."""
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}


@pytest.fixture(autouse=True)
def thread_guard() -> Iterator[None]:
    before = ours()
    yield
    left = []
    for thread in ours() - before:
        thread.join(PATIENCE_S)
        if thread.is_alive():
            left.append(thread.name)
    if left:
        pytest.fail("threads left running: " + ", ".join(sorted(left)))
