"""Survives the truncation of mapped files.

Who truncates a file that a process has mapped, a cleaner of disks for example, kills that process at its next access to
the lost pages (SIGBUS). Here a handler of that signal replaces lost pages by zeros, so that the access continues, and
records which file it was: what was read from it must then be read again. Python's own handlers run later, when the
access would fail again and again; this one is called by the system, through ctypes, while the access waits.

Linux with 64 bits. Windows does not let anybody truncate a mapped file. Elsewhere the process ends, as without this.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import Array
from app.store.plain import opened

SUPPORTED: Final = sys.platform == "linux" and sys.maxsize > 1 << 32
_ADDRESS: Final = 16
"""Offset of the address in ``siginfo_t``."""
_SA_SIGINFO: Final = 4
_SA_NODEFER: Final = 0x4000_0000
_PRIVATE_ANONYMOUS_FIXED: Final = 0x02 | 0x20 | 0x10


class WatchedFile(Struct):
    """A mapped file. ``begin``, ``end``: its addresses; ``lost``: whether pages were replaced by zeros."""

    path: Path
    inode: tuple[int, int]
    begin: int
    end: int
    lost: bool = False

    def damaged(self) -> bool:
        """Whether pages were lost, or would be at the next access because the file is shorter now. (A deleted file
        stays as it is for those who have mapped it.)"""
        try:
            status = self.path.stat(follow_symlinks=False)
        except OSError:
            return self.lost
        shorter = status.st_size < self.end - self.begin
        return self.lost or (shorter and (status.st_dev, status.st_ino) == self.inode)


def mapped(path: Path) -> Array:
    """The bytes of a regular file, mapped read-only. OSError, also if it is empty."""
    with opened(path) as file:
        status = os.fstat(file.fileno())
        try:
            mapping = _Mapping(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as error:
            raise OSError(str(error)) from error
    content = np.frombuffer(mapping, np.uint8)
    mapping.begin = content.ctypes.data
    _GUARD.watch(WatchedFile(path, (status.st_dev, status.st_ino), mapping.begin, mapping.begin + len(content)))
    return content


def damaged(folder: Path) -> bool:
    """Whether a file of ``folder`` that is mapped was truncated since."""
    return any(file.damaged() for file in _GUARD.files() if file.path.parent == folder)


class _Mapping(mmap.mmap):
    begin = 0

    def __del__(self) -> None:  # while its addresses are still its own
        _GUARD.forget(self.begin)


class _Action(ctypes.Structure):
    """``struct sigaction``."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_byte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _Guard:
    """The handler of the signal, of which a process has one, and the files that it knows."""

    def __init__(self) -> None:
        self._files: dict[int, WatchedFile] = {}
        self._lock = threading.Lock()
        self._before: _Action | None = None
        self._called: object = None  # the system calls it as long as the process lives

    def files(self) -> tuple[WatchedFile, ...]:
        return tuple(self._files.values())

    def watch(self, file: WatchedFile) -> None:
        with self._lock:
            if SUPPORTED and self._before is None:
                self._install()
        self._files[file.begin] = file

    def forget(self, begin: int) -> None:
        self._files.pop(begin, None)

    def _install(self) -> None:
        system = ctypes.PyDLL(None)  # keeps the interpreter's lock: no other thread runs between
        system.mmap.restype = ctypes.c_void_p
        system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        system.sigaction.argtypes = [ctypes.c_int, ctypes.POINTER(_Action), ctypes.POINTER(_Action)]
        before = _Action()

        def lost(number: int, information: int, _context: int) -> None:
            address = ctypes.c_size_t.from_address(information + _ADDRESS).value
            for file in self.files():
                if file.begin <= address < file.end:
                    page = address & -mmap.PAGESIZE
                    after = -(-file.end // mmap.PAGESIZE) * mmap.PAGESIZE
                    system.mmap(page, after - page, mmap.PROT_READ, _PRIVATE_ANONYMOUS_FIXED, -1, 0)
                    file.lost = True
                    return
            system.sigaction(number, ctypes.byref(before), None)  # not ours: as without this

        called = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lost)
        own = _Action(ctypes.cast(called, ctypes.c_void_p).value, flags=_SA_SIGINFO | _SA_NODEFER)
        if system.sigaction(signal.SIGBUS, ctypes.byref(own), ctypes.byref(before)) == 0:
            self._called, self._before = called, before


_GUARD: Final = _Guard()
