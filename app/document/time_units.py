"""The units of time that the user set for open profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.states import States
from app.profile.file_state import ChosenUnit

if TYPE_CHECKING:
    from app.profile.profile import Profile


class TimeUnits(QObject):
    """Units by entry id; they are saved with the state of the file. Signal ``changed`` (entry id), also when the saved
    unit of an earlier run was merged in."""

    changed = Signal(object)

    def __init__(self, states: States, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states = states
        self._shown: dict[int, ChosenUnit | None] = {}
        self._before: dict[int, list[ChosenUnit | None]] = {}
        states.restored.connect(self._follow)

    def of(self, entry: int) -> ChosenUnit | None:
        """The unit that the user set; None for the one that the reader determined."""
        return self._states.of(entry).unit

    def set(self, entry: int, unit: ChosenUnit | None) -> None:
        """Sets the unit; None resets it."""
        if unit != self.of(entry):
            self._before.setdefault(entry, []).append(self.of(entry))
            self._states.set_unit(entry, unit)
            self._follow(entry)

    def can_undo(self, entry: int) -> bool:
        return bool(self._before.get(entry))

    def undo(self, entry: int) -> None:
        """Restores the unit before the last change."""
        if self.can_undo(entry):
            self._states.set_unit(entry, self._before[entry].pop())
            self._follow(entry)

    def applied(self, entry: int, profile: Profile) -> Profile:
        """``profile`` with its times in the unit of the entry."""
        unit = self._shown[entry] = self.of(entry)
        timeline = profile.timeline
        if timeline is None or (unit is None and timeline.basis != "hand"):
            return profile
        from app.analysis.chosen_unit import with_unit  # imports numpy

        return with_unit(profile, unit)

    def forget(self, entry: int) -> None:
        self._shown.pop(entry, None)
        self._before.pop(entry, None)

    def _follow(self, entry: int) -> None:
        if self._shown.get(entry) != self.of(entry):
            self.changed.emit(entry)
