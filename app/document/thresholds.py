"""The thresholds of findings that the user has chosen."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal


class ThresholdsModel(QObject):
    """The values that differ from the defaults, by name; the rules that know the names are imported when they are
    needed. Signal: ``changed``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, float] = {}

    @property
    def values(self) -> dict[str, float]:
        """A copy."""
        return dict(self._values)

    def set(self, values: Mapping[str, float]) -> None:
        if dict(values) != self._values:
            self._values = dict(values)
            self.changed.emit()
