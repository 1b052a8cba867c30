"""How much memory reading a file may take. The limit stands around the worker process; where the system has none of
this kind (Windows, macOS), only the readers' own bounds hold."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from app.formats.parts import holder, stretch_of
from app.language import tr

TIMES = 10
ROOM = 300_000_000
"""Reading takes at most so many times the bytes of the files, and so many more."""
_NEAR = 16 << 20
_EVERY_SECONDS = 0.1
_LOOKS = 2


def allowed(size: int) -> int:
    """Bytes for reading files of ``size`` bytes: what the rule says, but no more than the system has free."""
    free = _free()
    return TIMES * size + ROOM if free is None else min(TIMES * size + ROOM, max(free, ROOM))


def size_of(paths: Iterable[Path]) -> int:
    """Bytes of files and parts of files; none of those that are not there (the reader says so)."""
    total = 0
    for path in paths:
        with contextlib.suppress(OSError):
            total += stretch_of(path)[1] if holder(path) else path.stat().st_size
    return total


def limit(size: int) -> None:
    """From now on this process gets a MemoryError where it takes more than ``allowed(size)`` beyond what it has."""
    if sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = _data() + allowed(size)
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


class Watch(threading.Thread):
    """Ends a worker that stands at its limit: some decoders (orjson) neither fail nor go on where they get no memory.
    ``reached`` says that this was so."""

    def __init__(self, worker: subprocess.Popen[bytes]) -> None:
        super().__init__(name="memory", daemon=True)
        self.reached = False
        self._worker = worker
        self._done = threading.Event()

    def run(self) -> None:
        times = 0
        while times < _LOOKS and not self._done.wait(_EVERY_SECONDS):
            times = times + 1 if _at_limit(self._worker.pid) else 0
        if times == _LOOKS:
            self.reached = True
            self._worker.kill()

    def stop(self) -> None:
        """Before the worker is waited for: its number may then mean another process."""
        self._done.set()
        self.join()


def _at_limit(process: int) -> bool:
    if sys.platform != "linux":
        return False
    import resource

    try:
        limit, _ = resource.prlimit(process, resource.RLIMIT_DATA)
        return 0 <= limit < _data(process) + _NEAR
    except (OSError, ValueError, IndexError):  # it has just ended
        return False


def _data(process: int | str = "self") -> int:
    """Bytes of memory that count for the limit."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def too_much(size: int) -> str:
    """What is said where that was not enough."""
    return tr(
        "reading it needs more than {allowed} MB of memory, which is the limit for files of this size",
        allowed=f"{allowed(size) / 1e6:,.0f}",
    )


def _free() -> int | None:
    """Bytes that programs can still get; None where that is not known."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
