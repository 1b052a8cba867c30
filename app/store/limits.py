"""Limits the memory that reading a file may take, and uses the memory that a reader has freed again. The limit applies
to the worker process; on systems without such a limit (Windows, macOS) only the readers' own bounds apply.

Processes that will not go on (stopped by a signal, or asleep for ever) are recognized as well. What counts is not time,
of which a busy machine needs more, but what a process does: one that waits for a processor or for a disk is never
stalled. Linux only: elsewhere no process is.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from app.formats.parts import holder, stretch_of
from app.language import tr
from app.store.process import Process

TIMES = 10
ROOM = 300_000_000
"""Reading takes at most TIMES times the bytes of the files, plus ROOM bytes."""
_NEAR = 16 << 20
_EVERY_SECONDS = 0.1
_LOOKS = 2


def allowed(size: int) -> int:
    """Bytes of memory for reading files of ``size`` bytes: TIMES * size + ROOM, but no more than the system has free
    (and at least ROOM)."""
    available = free()
    return TIMES * size + ROOM if available is None else min(TIMES * size + ROOM, max(available, ROOM))


def size_of(paths: Iterable[Path]) -> int:
    """Bytes of files and parts of files; missing ones count as 0 (the reader reports them)."""
    total = 0
    for path in paths:
        with contextlib.suppress(OSError):
            total += stretch_of(path)[1] if holder(path) else path.stat().st_size
    return total


def limit(size: int) -> None:
    """Make this process raise MemoryError from now on when it takes more than ``allowed(size)`` beyond what it has.
    Linux only."""
    if sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = _data() + allowed(size)
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


class Watch(threading.Thread):
    """Kills a worker that has reached its limit: some decoders (orjson) neither fail nor continue when they get no
    memory. ``reached``: whether that happened. Continues a worker that somebody stopped: nothing else would."""

    def __init__(self, worker: Process) -> None:
        super().__init__(name="watch", daemon=True)
        self.reached = False
        self._worker = worker
        self._stalled = Stalled(worker.pid, sleeps=True)
        self._done = threading.Event()

    def run(self) -> None:
        times = 0
        while times < _LOOKS and not self._done.wait(_EVERY_SECONDS):
            times = times + 1 if at_limit(self._worker.pid) else 0
            if self._stalled.look():
                resume(self._worker.pid)
        if times == _LOOKS:
            self.reached = True
            self._worker.kill()

    def stop(self) -> None:
        """Stop watching. Call it before the worker is waited for: its process id may then be reused."""
        self._done.set()
        self.join()


def at_limit(process: int) -> bool:
    """Whether a process has nearly reached its limit. Linux only."""
    if sys.platform != "linux":
        return False
    import resource

    try:
        limit, _ = resource.prlimit(process, resource.RLIMIT_DATA)
        return 0 <= limit < _data(process) + _NEAR
    except (OSError, ValueError, IndexError):  # the process has just ended
        return False


def _data(process: int | str = "self") -> int:
    """Bytes of memory that count towards the limit."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def too_much(size: int) -> str:
    """The message for files that need more."""
    return tr(
        "reading it needs more than {allowed} MB of memory, the limit for files of this size",
        allowed=f"{allowed(size) / 1e6:,.0f}",
    )


def free() -> int | None:
    """Bytes that programs can still allocate; None if that is unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


STOPPED_LOOKS: Final = 10
ASLEEP_LOOKS: Final = 300
"""Looks in a row at which a process was stopped, or asleep, and had used no processor time since the first."""
_BUSY: Final = "RD"


class Stalled:
    """Looks at one process every tenth of a second. ``sleeps``: whether it may sleep as long as it likes."""

    def __init__(self, process: int, *, sleeps: bool) -> None:
        self._process = process
        self._sleeps = sleeps
        self._spent = -1
        self._looks = 0

    def look(self) -> bool:
        """Whether the process will not go on."""
        state, spent = _state(self._process)
        still = spent == self._spent and state not in _BUSY and not (self._sleeps and state == "S")
        self._spent = spent
        self._looks = self._looks + 1 if still else 0
        return self._looks >= (ASLEEP_LOOKS if state == "S" else STOPPED_LOOKS)


def resume(process: int) -> None:
    """Continue a process that was stopped."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # it has just ended
            os.kill(process, signal.SIGCONT)


def _state(process: int) -> tuple[str, int]:
    """(the letter of its state, processor time that it has used, in ticks); it counts as busy if that is unknown."""
    if not sys.platform.startswith("linux"):
        return "R", 0
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return words[0], int(words[11]) + int(words[12])
    except (OSError, ValueError, IndexError):  # it has just ended
        return "R", 0


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of ``mallopt`` (malloc.h)."""
_MAPPED_BYTES: Final = 16 << 20
"""Larger arrays are mapped, and returned as soon as they are freed."""
_KEPT_BYTES: Final = 64 << 20
"""At most so much free memory is kept at the end of the heap."""


def reuse_freed() -> None:
    """Makes this process keep freed buffers for the next ones: by default, glibc returns the buffers of each piece to
    the system and gets new pages for the next one, which takes a tenth of the time of reading a large file. Does
    nothing where the C library is not glibc."""
    if (library := _glibc()) is not None:
        library.mallopt(_MMAP_THRESHOLD, _MAPPED_BYTES)
        library.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)


def return_freed() -> None:
    """Returns freed memory to the system."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


def _glibc() -> Any:
    """The C library, None if it is not glibc."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
