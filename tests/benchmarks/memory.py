"""Memory of a process and its descendants, sampled from outside.

Only private memory counts: anonymous pages, including swapped-out ones. Pages of mapped files (the column store,
libraries) can be reclaimed by the system and are not counted. Pages that forked workers share count once.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

EVERY = 0.005
EXACTLY_EVERY = 0.025
"""Counting shared pages once walks through the page tables of a process, and holds it up meanwhile."""
AVAILABLE = sys.platform.startswith("linux")
WHY_NOT = "memory is sampled from /proc, which this system has not"


class Sampler:
    """Samples memory while its ``with`` block runs. ``own`` and ``children``: peaks in bytes of process ``pid`` and of
    all its descendants together; 0 where nothing could be measured."""

    def __init__(self, pid: int) -> None:
        self.own = 0
        self.children = 0
        self._pid = pid
        self._exactly = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)

    def __enter__(self) -> Sampler:
        if AVAILABLE:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if AVAILABLE:
            self._thread.join()

    def reset(self) -> tuple[int, int]:
        """Returns the peaks so far and resets them."""
        peaks = self.own, self.children
        self.own = self.children = 0
        return peaks

    def _run(self) -> None:
        while not self._ended.wait(EVERY):
            self.own = max(self.own, anonymous(self._pid))
            self._sample_children()

    def _sample_children(self) -> None:
        children = below(self._pid)
        most = sum(anonymous(pid) for pid in children)
        if len(children) < 2:
            self.children = max(self.children, most)
        elif most > self.children and time.monotonic() - self._exactly >= EXACTLY_EVERY:
            self._exactly = time.monotonic()
            self.children = max(self.children, sum(own_share(pid) for pid in children))


def anonymous(pid: int) -> int:
    """Bytes of anonymous pages, in memory or swapped out; 0 for a process that is gone."""
    return _sum_of(Path(f"/proc/{pid}/status"), "RssAnon", "VmSwap")


def own_share(pid: int) -> int:
    """``anonymous``, but a page that is shared with other processes counts only as the share of this one."""
    return _sum_of(Path(f"/proc/{pid}/smaps_rollup"), "Pss_Anon", "SwapPss") or anonymous(pid)


def _sum_of(path: Path, *fields: str) -> int:
    """Bytes in these fields of a file of /proc; 0 for a process that is gone."""
    try:
        lines = [line.partition(":") for line in path.read_text().splitlines()]
    except OSError:
        return 0
    return sum(int(value.split()[0]) * 1024 for name, _, value in lines if name in fields)


def below(pid: int) -> list[int]:
    """All descendant processes of ``pid``."""
    children: list[int] = []
    try:
        for tasks in Path(f"/proc/{pid}/task").iterdir():
            children += [int(word) for word in (tasks / "children").read_text().split()]
    except OSError:
        return children
    return children + [child for one in list(children) for child in below(one)]
