"""Fails a test that leaves a thread behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

PATIENCE_S = 3.0
"""Time in which a finishing thread must end, on a busy machine."""


def ours() -> set[threading.Thread]:
    """Threads started by Python; Qt's threads appear only temporarily and are never removed from the list."""
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
