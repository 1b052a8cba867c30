"""What a timeline needs for quick zoomed-out views is made in idle moments."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from app.widgets.timeline.stage import Stage

REDRAW_MS = 120
"""While it goes on, the picture is refreshed this often."""


class Preparation(QObject):
    """Works a few milliseconds at a time. Signals: ``progressed`` now and then; ``settled`` when nothing is left to
    do."""

    progressed = Signal()
    settled = Signal()

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage
        self._idle = QTimer(self, interval=0)
        self._idle.timeout.connect(self._work)
        self._refresh = QTimer(self, interval=REDRAW_MS, singleShot=True)
        self._refresh.timeout.connect(self.progressed)

    @property
    def active(self) -> bool:
        return self._idle.isActive()

    def start(self) -> None:
        """There is something to do."""
        self._idle.start()

    def _work(self) -> None:
        shown = self._stage.shown
        if shown is None or not shown.contents.work():
            self._idle.stop()
            self._refresh.stop()
            self.progressed.emit()
            self.settled.emit()
        elif not self._refresh.isActive():
            self._refresh.start()
