"""A worker that is started before it is needed: to start one and to import the readers takes as long as reading a file
of some ten megabytes."""

from __future__ import annotations

import contextlib
import subprocess
import threading

from app.store import supervise
from app.store.cache.identity import code_stamp


class Spare:
    """At most one idle worker (some 40 MB while it waits). Threads of several jobs may take it; one gets it, the others
    start their own. It ends with this process, whatever becomes of that: it waits for its standard input. One that
    waited while the program was replaced on the disk is not given away: what it reads would be kept as the work of
    the new code."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._code = ""
        self._closed = False

    def prepare(self) -> None:
        """Starts one, unless one waits already. Where the system has no room for it there is none."""
        with self._lock, contextlib.suppress(OSError):
            if self._worker is not None and self._worker.poll() is not None:
                supervise.end(self._worker)
                self._worker = None
            if not self._closed and self._worker is None:
                self._code = _code()
                self._worker = supervise.start("--ready")

    def take(self) -> subprocess.Popen[bytes]:
        """The one that waits, or else a new one. OSError where none can be started."""
        with self._lock:
            worker, self._worker, code = self._worker, None, self._code
        if worker is None:
            return supervise.start()
        if worker.poll() is None and code == _code():
            return worker
        _dismiss(worker)
        return supervise.start()

    def close(self) -> None:
        """Ends the one that waits; no other is prepared."""
        with self._lock:
            self._closed = True
            worker, self._worker = self._worker, None
        if worker is not None:
            _dismiss(worker)


def _code() -> str:
    """The state of the program on the disk; "" where it is just being replaced."""
    try:
        return code_stamp()
    except OSError:
        return ""


def _dismiss(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    supervise.end(worker)
