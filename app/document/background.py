"""Runs a function in a background thread; a new request replaces the previous one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer

from app.formats.errors import Cancelled, FormatError
from app.language import tr
from app.store.token import Token

POLL_MS = 10
CLOSE_SECONDS = 2.0

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Question(Generic[Result]):
    """A background request. ``work`` runs in the thread; it must check its token regularly, may report progress (done,
    total) and must not touch Qt objects. The other functions run in the window's thread: ``tell`` for progress, and at
    the end either ``take`` (the result) or ``fail`` (the error), unless the request was replaced or cancelled."""

    work: Callable[[Token, Callable[[int, int], None]], Result]
    take: Callable[[Result], object]
    fail: Callable[[FormatError], object]
    tell: Callable[[int, int], object] | None = None


class _Thread(threading.Thread):
    def __init__(self, question: Question[Any], out: queue.SimpleQueue[tuple[_Thread, str, Any]]) -> None:
        super().__init__(name="background", daemon=True)
        self.token = Token()
        self.question = question
        self._out = out

    def run(self) -> None:
        try:
            self._put("take", self.question.work(self.token, lambda done, of: self._put("tell", (done, of))))
        except Cancelled:
            self._put("stopped", None)
        except FormatError as error:
            self._put("fail", error)
        except OSError as error:
            self._put("fail", FormatError(error.strerror or str(error)))
        except MemoryError:
            self._put("fail", FormatError(tr("there is not enough memory")))
        except Exception as error:
            from app.store.reading import unexpected  # imports the readers

            self._put("fail", unexpected(error))

    def _put(self, what: str, value: Any) -> None:
        self._out.put((self, what, value))


class _State:
    """State that outlives the QObject, so that a thread can be stopped after the QObject is destroyed."""

    def __init__(self) -> None:
        self.out: queue.SimpleQueue[tuple[_Thread, str, Any]] = queue.SimpleQueue()
        self.running: _Thread | None = None
        self.waiting: Question[Any] | None = None

    def stop(self) -> None:
        self.waiting = None
        if self.running is not None:
            self.running.token.cancel()
            self.running.join(CLOSE_SECONDS)
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

    def ask(self, question: Question[Any]) -> None:
        """Starts ``question`` and cancels the previous one."""
        self._state.waiting = question
        if self._state.running is None:
            self._start()
        else:
            self._state.running.token.cancel()

    def cancel(self) -> None:
        """Cancels the request; none of its functions are called."""
        self._state.waiting = None
        if self._state.running is not None:
            self._state.running.token.cancel()

    def _start(self) -> None:
        question, self._state.waiting = self._state.waiting, None
        if question is not None:
            self._state.running = _Thread(question, self._state.out)
            self._state.running.start()
            self._timer.start()

    def _poll(self) -> None:
        state = self._state
        for _ in range(state.out.qsize()):
            thread, what, value = state.out.get()
            wanted = thread is state.running and not thread.token.cancelled
            if what == "tell":
                if wanted and thread.question.tell is not None:
                    thread.question.tell(*value)
                continue
            thread.join()
            if thread is state.running:
                state.running = None
            if wanted and what == "take":
                thread.question.take(value)
            elif wanted and what == "fail":
                thread.question.fail(value)
        if state.running is None:
            self._start()
        else:
            self._timer.start()
