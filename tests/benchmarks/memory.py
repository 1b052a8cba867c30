"""Memory of a process and its descendants, sampled from outside.

Only private memory counts: anonymous pages, including swapped-out ones. Pages of mapped files (the column store,
libraries) can be reclaimed by the system and are not counted.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

EVERY = 0.005
AVAILABLE = sys.platform.startswith("linux")
WHY_NOT = "memory is sampled from /proc, which this system has not"


class Sampler:
    """Samples memory while its ``with`` block runs. ``own`` and ``children``: peaks in bytes of process ``pid`` and of
    all its descendants together; 0 where nothing could be measured."""

    def __init__(self, pid: int) -> None:
        self.own = 0
        self.children = 0
        self._pid = pid
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
            self.children = max(self.children, sum(anonymous(pid) for pid in below(self._pid)))


def anonymous(pid: int) -> int:
    """Bytes of anonymous pages, in memory or swapped out; 0 for a process that is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return sum(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "VmSwap") if name in fields)


def below(pid: int) -> list[int]:
    """All descendant processes of ``pid``."""
    children: list[int] = []
    try:
        for tasks in Path(f"/proc/{pid}/task").iterdir():
            children += [int(word) for word in (tasks / "children").read_text().split()]
    except OSError:
        return children
    return children + [child for one in list(children) for child in below(one)]
