"""Processes that work for this one, and copies of this process, which are ready in milliseconds. Copies work on Linux
only: elsewhere system libraries do not survive them.

Imports little, so that a worker is started before anything else is.
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from select import select
from typing import BinaryIO, Final, NoReturn, Protocol, cast

from app import program

NO_CONSOLE: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Keeps Windows from opening a console for the process of a window."""
QT: Final = "PySide6.QtCore"
"""A process with this module may have threads that a copy of it would lack."""
_PIECE: Final = 1 << 16


def can_be_copied() -> bool:
    """Whether this process can be copied: on Linux, without windows, and with a single thread."""
    return sys.platform == "linux" and QT not in sys.modules and threading.active_count() == 1


class Process(Protocol):
    """What is used of a ``Popen`` or ``Copy`` with pipes as standard input and output."""

    @property
    def stdin(self) -> BinaryIO: ...

    @property
    def stdout(self) -> BinaryIO: ...

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def kill(self) -> None: ...

    def poll(self) -> int | None: ...

    def wait(self) -> int: ...

    def communicate(self, *, timeout: float | None = None) -> object: ...


def launched(command: Sequence[str]) -> Process:
    """A process that runs ``command``. OSError if it cannot be started."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=NO_CONSOLE,
    )
    return cast("Process", process)


class Copy:
    """A copy of this process that runs ``main`` and ends with the status that it returns. ``stdin``, ``stdout``: the
    ends of pipes to its standard streams. It has no other files of this process open: others would notice neither the
    end of this process nor that of its other copies. OSError if there is none to be had."""

    def __init__(self, main: Callable[[], int]) -> None:
        self.returncode: int | None = None
        theirs, ours = os.pipe(), os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads; the only one waits for requests
            self.pid = os.fork()
        if self.pid == 0:
            _run(main, theirs[0], ours[1])
        os.close(theirs[0])
        os.close(ours[1])
        self.stdin: BinaryIO = os.fdopen(theirs[1], "wb")
        self.stdout: BinaryIO = os.fdopen(ours[0], "rb")

    def kill(self) -> None:
        """Ends it at once."""
        if self.returncode is None:
            os.kill(self.pid, 9)

    def poll(self) -> int | None:
        """Its status, the negative number of a signal; None while it runs."""
        return self._reaped(os.WNOHANG)

    def wait(self) -> int:
        """Waits for its end; its status as of ``poll``."""
        status = self._reaped(0)
        assert status is not None
        return status

    def _reaped(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def communicate(self, *, timeout: float | None = None) -> None:
        """Closes its standard input, ignores what it says and waits for its end. TimeoutExpired, like ``Popen``."""
        with contextlib.suppress(OSError):  # what it did not read any more
            self.stdin.close()
        while select([self.stdout], (), (), timeout)[0]:
            if not os.read(self.stdout.fileno(), _PIECE):
                break
        else:
            raise subprocess.TimeoutExpired("a copy of this process", timeout or 0.0)
        self.stdout.close()
        self.wait()


def _run(main: Callable[[], int], stdin: int, stdout: int) -> NoReturn:
    """Runs ``main`` with these files as standard streams, and exits."""
    try:
        gc.disable()  # decoded JSON creates no cycles
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, closefd=False) for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        os._exit(main())
    finally:
        os._exit(1)


END_SECONDS = 5.0


def worker_command() -> list[str]:
    """The command that starts a worker process."""
    return program.command("--worker")


def launch_worker(*words: str) -> Process:
    """A worker in a process of this program's command line, with more ``words`` of it."""
    return launched([*worker_command(), *words])


def end_worker(worker: Process) -> None:
    """Wait for the worker to exit, which it does when its standard input is closed; kill it if it takes longer than
    END_SECONDS."""
    try:
        worker.communicate(timeout=END_SECONDS)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.communicate()
