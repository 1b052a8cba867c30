"""Work that a panel puts off until it is seen: sections arrive one by one, and most docks lie behind a tab."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from weakref import WeakMethod

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

PATIENCE_MS = 200
BUDGET = 0.008
"""Seconds of work in pieces at a time, so that no frame is late for it."""
DONE = object()


class Refresh(QObject):
    """Runs ``work`` (a method of ``widget``) once however often it was asked for: soon while ``widget`` is
    visible, else when it is shown. Long work is a generator that yields between its pieces: frames are painted
    between them, and it begins anew when it is asked for again. ``now`` runs all of it at once if it is due (a
    screenshot, an export, a test). Holds its widget weakly, so that no reference goes round in a circle."""

    _due = False  # an event may still come when the instance is being taken apart
    _pieces: Iterator[object] | None = None

    def __init__(self, widget: QWidget, work: Callable[[], object]) -> None:
        super().__init__(widget)
        self._work = WeakMethod(work)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._if_seen)
        widget.installEventFilter(self)

    @property
    def due(self) -> bool:
        """Whether work waits to be begun."""
        return self._due

    def request(self, *, patient: bool = False) -> None:
        """``patient``: a few times a second is enough (sections that arrive one after the other)."""
        self._due = True
        if not self._seen():
            return
        if not patient:
            self._timer.start(0)
        elif not self._timer.isActive():
            self._timer.start(PATIENCE_MS)

    def hurry(self) -> None:
        """What was asked for patiently is wanted soon after all (everything has arrived)."""
        if self._due and self._seen():
            self._timer.start(0)

    def now(self) -> None:
        if self._due:
            self._begin()
        self._timer.stop()
        while self._pieces is not None:
            self._go_on()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and (self._due or self._pieces is not None):
            if self._due:
                self._begin()
            if self._pieces is not None:
                self._timer.start(0)
        return super().eventFilter(watched, event)

    def _if_seen(self) -> None:
        if not self._seen():
            return
        if self._due:
            self._begin()
        self._go_on()
        if self._pieces is not None:
            self._timer.start(0)

    def _begin(self) -> None:
        self._due, self._pieces = False, None
        work = self._work()
        if work is not None:
            begun = work()
            self._pieces = begun if isinstance(begun, Iterator) else None

    def _go_on(self) -> None:
        until = time.perf_counter() + BUDGET
        while self._pieces is not None:
            pieces = self._pieces
            if next(pieces, DONE) is DONE and self._pieces is pieces:
                self._pieces = None
            if time.perf_counter() >= until:
                break

    def _seen(self) -> bool:
        widget = self.parent()
        return isinstance(widget, QWidget) and widget.isVisible()
