"""Work that a panel puts off until it is seen: sections arrive one by one, and most docks lie behind a tab."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

PATIENCE_MS = 200


class Refresh(QObject):
    """Runs ``work`` (a method of ``widget``) once however often it was asked for: soon while ``widget`` is
    visible, else when it is shown. ``now`` runs it at once if it is due (a screenshot, an export, a test). Holds
    its widget weakly, so that no reference goes round in a circle."""

    _due = False  # an event may still come when the instance is being taken apart

    def __init__(self, widget: QWidget, work: Callable[[], object]) -> None:
        super().__init__(widget)
        self._work = WeakMethod(work)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._if_seen)
        widget.installEventFilter(self)

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
            self._due = False
            self._timer.stop()
            work = self._work()
            if work is not None:
                work()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and self._due:
            self.now()
        return super().eventFilter(watched, event)

    def _if_seen(self) -> None:
        if self._seen():
            self.now()

    def _seen(self) -> bool:
        widget = self.parent()
        return isinstance(widget, QWidget) and widget.isVisible()
