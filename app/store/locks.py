"""Locks folders of the column store while they are in use: by an open file, which the system closes when its owner
dies, however that happens."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app.language import tr

if sys.platform == "win32":
    import msvcrt  # an open file can be neither renamed nor deleted there, which is the lock of most folders
else:
    import fcntl

LOCK: Final = "lock"
_TAKEN: Final = "lock.taken"
WAIT_S: Final = 0.5
"""Others hold the lock of ``alone`` for some milliseconds."""


class Hold:
    """A shared lock on a folder: while it lasts, nobody deletes the folder."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def held(folder: Path) -> Hold | None:
    """Lock ``folder``, shared with others; None if it is just being deleted, or if locks do not work."""
    fd = _opened(folder)
    if fd is None:
        return None
    if _locked(fd, exclusive=False) and _still_there(fd, folder):
        return Hold(fd)
    os.close(fd)
    return None


def unknown(folder: Path) -> bool:
    """Whether the file system of ``folder`` has no locks (as opposed to somebody else holding this one)."""
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
    """Yield whether the caller alone uses ``folder`` (then it may be deleted)."""
    if sys.platform == "win32":
        yield _renamed(folder)
        return
    fd = _opened(folder)
    try:
        yield fd is not None and _locked(fd, exclusive=True)
    finally:
        if fd is not None:
            os.close(fd)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other process or thread changes documents in ``folder``, and then excludes them. Where the file
    system has no locks, nobody is excluded. OSError if others do not finish within WAIT_S."""
    fd = _opened_for_all(folder)
    try:
        until = time.monotonic() + WAIT_S
        while fd is not None and _busy(fd):
            if time.monotonic() > until:
                raise OSError(errno.EAGAIN, tr("another window is saving"), str(folder))
            time.sleep(WAIT_S / 100)
        yield
    finally:
        if fd is not None:
            os.close(fd)


def _opened_for_all(folder: Path) -> int | None:
    """What ``alone`` locks: the folder itself, or on Windows, where folders cannot be opened, a file in it."""
    try:
        if sys.platform == "win32":
            return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        return os.open(folder, os.O_RDONLY)
    except OSError:
        return None


def _busy(fd: int) -> bool:
    """Whether somebody else has locked ``fd``; otherwise it is locked now, as far as that is possible."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:
        return False
    return False


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
    """Whether ``fd`` is still the lock file of ``folder``. A folder is locked before it is deleted, so a lock acquired
    afterwards belongs to a file that has no name any more."""
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
