"""Deferred work of a panel: sections arrive one by one, and most docks are hidden behind a tab."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from weakref import WeakMethod

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer
from PySide6.QtWidgets import QWidget

from app.document.background import WAITING

PATIENCE_MS = 200
LOOK_MS = 10
"""The time between two looks whether a thread is done."""
BUDGET = 0.008
"""Seconds of incremental work at a time, so that no frame is delayed."""
DONE = object()


class Refresh(QObject):
    """Runs ``work`` (a method of ``widget``) once for any number of requests: soon if ``widget`` is on the screen, else
    when it comes there (a dock behind another tab counts as visible for Qt, which moves it out of the window). Long
    work is a generator that yields between pieces: frames are painted in between, and a new request restarts it. It
    yields WAITING while a thread works for it.
    ``now`` runs all pending work at once (for a screenshot, an export, a test). References the widget weakly to avoid
    a reference cycle."""

    _due = False  # an event may still arrive while the instance is being destroyed
    _pieces: Iterator[object] | None = None
    _postponed = False

    def __init__(self, widget: QWidget, work: Callable[[], object]) -> None:
        super().__init__(widget)
        self._work = WeakMethod(work)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._if_seen)
        widget.installEventFilter(self)

    @property
    def due(self) -> bool:
        """Whether requested work has not started yet."""
        return self._due

    @property
    def busy(self) -> bool:
        """Whether work runs in the next turns of the event loop."""
        soon = self._timer.isActive() and not self._timer.interval()
        return self.seen and (soon or self._pieces is not None)

    def request(self, *, patient: bool = False) -> None:
        """Schedules the work; ``patient``: a few times a second is enough (while sections keep arriving)."""
        self._due = True
        if not self.seen:
            return
        if not patient:
            self._timer.start(0)
        elif not self._timer.isActive():
            self._timer.start(PATIENCE_MS)

    def hurry(self) -> None:
        """Runs patiently requested work soon after all (everything has arrived)."""
        if self._due and self.seen:
            self._timer.start(0)

    def now(self) -> None:
        if self._due:
            self._begin()
        self._timer.stop()
        while self._pieces is not None:
            if self._go_on():
                time.sleep(LOOK_MS / 1000)

    def postpone(self) -> None:
        """Leaves the work to a later turn of the event loop when the widget is shown: making it has taken this one."""
        self._postponed = True

    def stop(self) -> None:
        """Ends the work that is under way, and what was requested; a later request begins it anew."""
        pieces, self._due, self._pieces = self._pieces, False, None
        self._timer.stop()
        if isinstance(pieces, Generator):
            pieces.close()

    def catch_up(self) -> None:
        """Runs pending work as the widget comes to the screen: at once, so that nothing outdated is painted, unless it
        was postponed."""
        if self._due and not self._postponed:
            self._begin()
        if self._due or self._pieces is not None:
            self._timer.start(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.catch_up()
        elif event.type() == QEvent.Type.Paint and (self._due or self._pieces) and not self._timer.isActive():
            self._timer.start(0)
        return super().eventFilter(watched, event)

    def _if_seen(self) -> None:
        if not self.seen:
            return
        if self._due:
            self._begin()
        waiting = self._go_on()
        if self._pieces is not None:
            self._timer.start(LOOK_MS if waiting else 0)

    def _begin(self) -> None:
        self._due, self._pieces, self._postponed = False, None, False
        work = self._work()
        if work is not None:
            begun = work()
            self._pieces = begun if isinstance(begun, Iterator) else None

    def _go_on(self) -> bool:
        """Does some pieces; returns whether the work waits for a thread."""
        until = time.perf_counter() + BUDGET
        while self._pieces is not None:
            pieces = self._pieces
            try:
                piece = next(pieces, DONE)
            except BaseException:
                self._end(pieces)  # a generator that has raised is over: who waits for it would wait for ever
                raise
            if piece is DONE:
                self._end(pieces)
            if piece is WAITING:
                return True
            if time.perf_counter() >= until:
                break
        return False

    def _end(self, pieces: Iterator[object]) -> None:
        if self._pieces is pieces:  # else it was begun again meanwhile
            self._pieces = None

    @property
    def seen(self) -> bool:
        """Whether the widget is on the screen."""
        widget = self.parent()
        if not (isinstance(widget, QWidget) and widget.isVisible()):
            return False
        window = widget.window()
        return QRect(widget.mapTo(window, QPoint()), widget.size()).intersects(window.rect())
