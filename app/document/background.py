"""Runs a function in a background thread, where a new request replaces the previous one; and reports the errors of
threads."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.formats.errors import Cancelled, FormatError
from app.language import tr
from app.store.token import Token

POLL_MS = 10
CLOSE_SECONDS = 2.0

WAITING: Final = object()
"""What incremental work yields while a thread is busy for it: there is nothing to do before the next look."""

Result = TypeVar("Result")


class Task(Struct, Generic[Result], frozen=True):
    """A background request. ``work`` runs in the thread; it must check its token regularly, may report progress (done,
    total) and must not touch Qt objects. The other functions run in the window's thread: ``progress`` while it runs,
    and at the end either ``done`` (the result) or ``failed`` (the error), unless it was replaced or cancelled."""

    work: Callable[[Token, Callable[[int, int], None]], Result]
    done: Callable[[Result], object]
    failed: Callable[[FormatError], object]
    progress: Callable[[int, int], object] | None = None


class _Thread(threading.Thread):
    def __init__(self, task: Task[Any], out: queue.SimpleQueue[tuple[_Thread, str, Any]]) -> None:
        super().__init__(name="background", daemon=True)
        self.token = Token()
        self.task = task
        self._out = out

    def run(self) -> None:
        try:
            self._put("done", self.task.work(self.token, lambda done, total: self._put("progress", (done, total))))
        except Cancelled:
            self._put("stopped", None)
        except FormatError as error:
            self._put("failed", error)
        except OSError as error:
            self._put("failed", FormatError(error.strerror or str(error)))
        except MemoryError:
            self._put("failed", FormatError(tr("there is not enough memory")))
        except Exception as error:
            from app.store.reading import unexpected  # imports the readers

            self._put("failed", unexpected(error))

    def _put(self, what: str, value: Any) -> None:
        self._out.put((self, what, value))


class _State:
    """State that outlives the QObject, so that a thread can be stopped after the QObject is destroyed."""

    def __init__(self) -> None:
        self.out: queue.SimpleQueue[tuple[_Thread, str, Any]] = queue.SimpleQueue()
        self.running: _Thread | None = None
        self.waiting: Task[Any] | None = None

    def stop(self) -> None:
        self.waiting = None
        if self.running is not None:
            until = time.monotonic() + CLOSE_SECONDS
            while self.running.is_alive() and time.monotonic() < until:
                self.running.token.cancel()
                self.running.join(POLL_MS / 1000)
            self.running = None


class Background(QObject):
    """Runs the requests of its owner, one thread at a time. A new request cancels the previous one, whose result is
    discarded if it still arrives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._state = _State()
        self._timer = QTimer(self, singleShot=True, interval=POLL_MS)
        self._timer.timeout.connect(self._poll)
        self.destroyed.connect(lambda *_, state=self._state: state.stop())

    @property
    def busy(self) -> bool:
        """Whether a result is still pending."""
        state = self._state
        return state.waiting is not None or (state.running is not None and not state.running.token.cancelled)

    def run(self, task: Task[Any]) -> None:
        """Starts ``task`` and cancels the previous one."""
        self._state.waiting = task
        if self._state.running is None:
            self._start()
        else:
            self._state.running.token.cancel()

    def waited(self, work: Callable[[Token], Result]) -> Generator[object, None, Result]:
        """Runs ``work`` in the thread, as a part of incremental work: yields WAITING until it is done, and returns its
        result. Raises FormatError. Closing the generator cancels it."""
        return (yield from self.watched(lambda token, _: work(token), lambda _done, _total: None))

    def watched(
        self, work: Callable[[Token, Callable[[int, int], None]], Result], progress: Callable[[int, int], object]
    ) -> Generator[object, None, Result]:
        """The same with work that reports its progress, as in Task."""
        results: list[Result] = []
        errors: list[FormatError] = []
        self.run(Task(work, results.append, errors.append, progress))
        try:
            while not (results or errors):
                yield WAITING
                self._poll()
        finally:
            if not (results or errors):
                self.cancel()
        if errors:
            raise errors[0]
        return results[0]

    def cancel(self) -> None:
        """Cancels the request; none of its functions are called."""
        self._state.waiting = None
        if self._state.running is not None:
            self._state.running.token.cancel()

    def stop(self) -> None:
        """Cancels the request and waits for the thread, for CLOSE_SECONDS at most."""
        self._state.stop()

    def _start(self) -> None:
        task, self._state.waiting = self._state.waiting, None
        if task is not None:
            self._state.running = _Thread(task, self._state.out)
            self._state.running.start()
            self._timer.start()

    def _poll(self) -> None:
        state = self._state
        for _ in range(state.out.qsize()):
            thread, what, value = state.out.get()
            wanted = thread is state.running and not thread.token.cancelled
            if what == "progress":
                if wanted and thread.task.progress is not None:
                    thread.task.progress(*value)
                continue
            thread.join()
            if thread is state.running:
                state.running = None
            if wanted and what == "done":
                thread.task.done(value)
            elif wanted and what == "failed":
                thread.task.failed(value)
        if state.running is None:
            self._start()
        else:
            if state.running.token.cancelled:  # again: a database forgets what comes just before a statement begins
                state.running.token.cancel()
            self._timer.start()


def raise_error(error: FormatError) -> None:
    """What ``failed`` of a task is whose work reads no files, so that an error is a defect: raised to be reported like
    any other."""
    raise error


class ThreadErrors(QObject):
    """Replaces threading.excepthook until ``release``. Signal ``failed`` (type, error, traceback), emitted in the
    thread that this object lives in."""

    failed = Signal(object, object, object)
    _heard = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = threading.excepthook
        self._heard.connect(self.failed, Qt.ConnectionType.QueuedConnection)
        threading.excepthook = self._take

    def release(self) -> None:
        threading.excepthook = self._before

    def _take(self, failure: threading.ExceptHookArgs) -> None:
        """Runs in the failing thread. SystemExit ends a thread silently, as in Python's default hook."""
        if failure.exc_type is not SystemExit:
            self._heard.emit(failure.exc_type, failure.exc_value or failure.exc_type(), failure.exc_traceback)
