"""Recognizes processes that will not go on: stopped by a signal, or asleep for ever. What counts is not time, of which
a busy machine needs more, but what a process does: one that waits for a processor or for a disk is never stalled.
Linux only: elsewhere no process is."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Final

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
