"""The two ways to start a helper."""

from __future__ import annotations

import contextlib
import os
import subprocess
import warnings
from typing import BinaryIO, Protocol

from app import program

NO_CONSOLE: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Process(Protocol):
    """A process that runs ``helper.main``. ``orders``, ``replies``: its standard input and output."""

    orders: BinaryIO
    replies: BinaryIO

    @property
    def pid(self) -> int: ...

    def kill(self) -> None: ...

    def close(self) -> None:
        """Closes the pipes and waits for its end."""
        ...


class Forked:
    """A copy of this process, which must not have threads that hold locks. It has no files of this process open but
    its pipes: others would notice neither the end of this process nor that of its siblings. OSError if there is none to
    be had."""

    def __init__(self) -> None:
        theirs, ours = os.pipe(), os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads; the only one waits for requests
            self.pid = os.fork()
        if self.pid == 0:
            _become_helper(theirs[0], ours[1])
        os.close(theirs[0])
        os.close(ours[1])
        self.orders: BinaryIO = os.fdopen(theirs[1], "wb")
        self.replies: BinaryIO = os.fdopen(ours[0], "rb")
        self._ended = False

    def kill(self) -> None:
        if not self._ended:
            os.kill(self.pid, 9)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # what it did not read any more
            self.orders.close()
        self.replies.close()
        os.waitpid(self.pid, 0)
        self._ended = True


def _become_helper(orders: int, replies: int) -> None:
    """Runs ``helper.main`` with these pipes, and exits."""
    try:
        os.dup2(orders, 0)
        os.dup2(replies, 1)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        from app.store.helper import main

        os._exit(main())
    finally:
        os._exit(1)


class Started:
    """A process of this program's command line. OSError if it cannot be started."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            program.command("--worker", "--helper"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=NO_CONSOLE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.orders: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self.replies: BinaryIO = self._process.stdout  # type: ignore[assignment]

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        with contextlib.suppress(OSError):  # what it did not read any more
            self.orders.close()
        self.replies.close()
        self._process.wait()
