"""Tells whether anybody uses a folder of the column store: an open file in it, which the system closes when its
owner dies, however that happens."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.platform != "win32":  # there a file that is open can be neither renamed nor deleted, and that is the lock
    import fcntl

LOCK: Final = "lock"
_TAKEN: Final = "lock.taken"


class Hold:
    """As long as it lasts, nobody deletes the folder."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def held(folder: Path) -> Hold | None:
    """Holds ``folder`` together with others; None where it is just being deleted, or where locks do not work."""
    fd = _opened(folder)
    if fd is None:
        return None
    if _locked(fd, exclusive=False) and _still_there(fd, folder):
        return Hold(fd)
    os.close(fd)
    return None


def unknown(folder: Path) -> bool:
    """Whether the disk of ``folder`` knows no locks (rather than somebody else having this one)."""
    fd = _opened(folder)
    if fd is None or sys.platform == "win32":
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[bool]:
    """Inside, whether ``folder`` belongs to the caller alone (then it may be deleted)."""
    if sys.platform == "win32":
        yield _renamed(folder)
        return
    fd = _opened(folder)
    try:
        yield fd is not None and _locked(fd, exclusive=True)
    finally:
        if fd is not None:
            os.close(fd)


def _opened(folder: Path) -> int | None:
    try:
        return os.open(folder / LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None


def _locked(fd: int, *, exclusive: bool) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(fd, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _still_there(fd: int, folder: Path) -> bool:
    """Whoever deletes a folder locks it first; a lock got after that is one of a file without a name."""
    try:
        return os.path.samestat(os.fstat(fd), (folder / LOCK).stat())
    except OSError:
        return False


def _renamed(folder: Path) -> bool:
    try:
        (folder / LOCK).replace(folder / _TAKEN)
    except OSError:
        return False
    return True
