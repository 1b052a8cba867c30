"""A worker that is started before it is needed: to start one and to import the readers takes as long as reading a file
of some ten megabytes."""

from __future__ import annotations

import subprocess
import threading

from app.store import supervise


class Spare:
    """At most one idle worker (some 50 MB while it waits). Threads of several jobs may take it; one gets it, the others
    start their own. It ends with this process, whatever becomes of that: it waits for its standard input."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._closed = False

    def prepare(self) -> None:
        """Starts one, unless one waits already."""
        with self._lock:
            if not self._closed and (self._worker is None or self._worker.poll() is not None):
                self._worker = supervise.start("--ready")

    def take(self) -> subprocess.Popen[bytes]:
        """The one that waits, or else a new one."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None and worker.poll() is None:
            return worker
        return supervise.start()

    def close(self) -> None:
        """Ends the one that waits; no other is prepared."""
        with self._lock:
            self._closed = True
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            supervise.end(worker)
