"""Starts workers before they are needed: starting one and importing the readers takes as long as reading a file of some
ten megabytes."""

from __future__ import annotations

import contextlib
import threading
from weakref import WeakKeyDictionary

from app.store import process
from app.store.process import Process
from app.store.stamps import code_stamp


class Spare:
    """A pool of idle workers (some 40 MB each): usually one, and while files are opened as many as read at once, since
    a worker serves one job after the other. Threads of several jobs may take them; if none is idle, a new one is
    started. They end with this process, however it ends, because their standard input does. A worker from before the
    program was replaced on the disk is not handed out if its results would be cached, as those of the new code."""

    def __init__(self, most: int = 3) -> None:
        self._lock = threading.Lock()
        self._idle: list[Process] = []
        self._codes: WeakKeyDictionary[Process, str] = WeakKeyDictionary()  # code stamp at its start
        self._most = most
        self._closed = False

    def prepare(self) -> None:
        """Make sure that exactly one worker is idle; none if it cannot be started."""
        with self._lock, contextlib.suppress(OSError):
            alive = [worker for worker in self._idle if worker.poll() is None][:1]
            for worker in self._idle:
                if worker not in alive:
                    _dismiss(worker)
            self._idle = alive
            if not self._closed and not alive:
                self._idle.append(self._start("--ready"))

    def take(self, *, cached: bool = True) -> Process:
        """An idle worker, or else a new one. ``cached``: its results may be cached, so its code must be that on the
        disk, which takes milliseconds to find out. OSError if none can be started."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is not None:
            if worker.poll() is None and (not cached or self._codes[worker] == _code()):
                return worker
            _dismiss(worker)
        return self._start()

    def give(self, worker: Process) -> None:
        """Return a worker that has finished its job to the pool."""
        with self._lock:
            wanted = not self._closed and len(self._idle) < self._most
            if wanted:
                self._idle.append(worker)
        if not wanted:
            _dismiss(worker)

    def close(self) -> None:
        """End the idle workers; no others are started ahead."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            _dismiss(worker)

    def _start(self, *words: str) -> Process:
        code = _code()
        worker = process.launch_worker(*words)
        self._codes[worker] = code
        return worker


def _code() -> str:
    """The stamp of the program on the disk; "" while it is being replaced."""
    try:
        return code_stamp()
    except OSError:
        return ""


def _dismiss(worker: Process) -> None:
    worker.kill()
    process.end_worker(worker)
