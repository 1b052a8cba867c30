"""Waits for a condition that another process brings about, on a machine that may have much else to do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 30.0
"""Timeout of a wait on a machine without other work; a condition that is already true costs one check."""
PAUSE_S = 0.02
"""Shortest pause between two checks; a check that takes longer is followed by a pause of twice its length, so that the
program has time to proceed."""
LEAST_SHARE = 0.1
"""A wait ends after ten times its timeout at any load."""
RUNNING = {"R", "D"}
"""States of a thread that runs, is ready to run, or waits for a disk (``man proc_pid_stat``)."""


def until(fact: Callable[[], T | None], what: str, seconds: float = PATIENCE_S) -> T:
    """The first true value of ``fact``; AssertionError naming ``what`` after the timeout.

    ``seconds`` are those of a machine without other work: while ten threads want two processors, a second counts for
    a fifth of one."""
    began = last = time.monotonic()
    spent = 0.0
    while True:
        checked = time.monotonic()
        value = fact()
        if value:
            return value
        now = time.monotonic()
        spent, last = spent + (now - last) * share(), now
        if spent > seconds:
            raise AssertionError(f"waited {now - began:.0f} s in vain: {what}")
        time.sleep(max(PAUSE_S, 2 * (now - checked)))


def share() -> float:
    """The part of a processor that each thread gets that wants one now, from ``LEAST_SHARE`` to 1."""
    running = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) - 1  # without this one
    return max(LEAST_SHARE, min(1.0, len(os.sched_getaffinity(0)) / max(1, running)))


def at_work() -> bool:
    """Whether a process that this one has started, or one of theirs, has something to do at this moment: a program that
    has not been given a processor yet since a key was pressed only looks as if it were at rest."""
    return any(state in RUNNING for child in _children(os.getpid()) for state in _states(child))


def _children(process: int) -> Iterator[int]:
    """All processes below one."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # of a thread that has just ended
            for word in task.read_text().split():
                yield int(word)
                yield from _children(int(word))


def _states(process: int) -> Iterator[str]:
    """The state of each of its threads, one letter."""
    for stat in Path(f"/proc/{process}/task").glob("*/stat"):
        with suppress(OSError):
            yield stat.read_text().rpartition(")")[2].split()[0]
