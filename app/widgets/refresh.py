"""Work that a panel puts off until it is seen: sections arrive one by one, and most docks lie behind a tab."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class Refresh(QObject):
    """Runs ``work`` once however often it was asked for: soon while ``widget`` is visible, else when it is
    shown. ``now`` runs it at once if it is due (a screenshot, an export, a test)."""

    def __init__(self, widget: QWidget, work: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._work = work
        self._due = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._if_seen)
        widget.installEventFilter(self)

    def request(self) -> None:
        self._due = True
        if self._widget.isVisible():
            self._timer.start()

    def now(self) -> None:
        if self._due:
            self._due = False
            self._timer.stop()
            self._work()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and self._due:
            self.now()
        return super().eventFilter(watched, event)

    def _if_seen(self) -> None:
        if self._widget.isVisible():
            self.now()
