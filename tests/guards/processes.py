"""Fails a test that leaves a child process behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

PATIENCE_S = 3.0
"""Time in which a terminating child must end, on a busy machine."""


def children() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True)) if may_have_any() else set()


def may_have_any() -> bool:
    """False if the system reports at once that there are none, because examining all processes takes milliseconds."""
    told = list(Path("/proc/self/task").glob("*/children"))
    return not told or any(_content(path) for path in told)


@pytest.fixture(autouse=True)
def process_guard() -> Iterator[None]:
    before = children()
    yield
    late = children() - before
    if not late:
        return
    _, left = psutil.wait_procs(late, timeout=PATIENCE_S)
    names = [" ".join(_command(process)) for process in left]
    for process in left:
        process.kill()
    psutil.wait_procs(left, timeout=PATIENCE_S)
    if names:
        pytest.fail("child processes left running:\n" + "\n".join(names))


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline() or [f"process {process.pid} ({process.status()})"]
    except psutil.Error:
        return [f"process {process.pid}"]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # of a thread that has just ended
        return b""
