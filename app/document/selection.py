"""Observable values that exist once per document: selection, hover, matches of a search, ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.profile.selection import Kind, Ranges, Selection

if TYPE_CHECKING:
    from app.profile.arrays import I64  # numpy is imported after the window can be used


class SelectionModel(QObject):
    """The shared selection (or hover). Signal ``changed`` (Selection or None), emitted only when the value differs."""

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value: Selection | None = None

    @property
    def value(self) -> Selection | None:
        return self._value

    def set(self, value: Selection | None) -> None:
        if value != self._value:
            self._value = value
            self.changed.emit(value)

    def clear(self) -> None:
        self.set(None)


class MatchModel(QObject):
    """All things that the search of everything matches, so that panels can bring them forward. Signal ``changed``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: dict[Kind, I64] = {}

    def of(self, kind: Kind) -> I64 | None:
        """int64: the matching things of a kind; None for none, or while nothing is searched for."""
        return self._groups.get(kind)

    def set(self, groups: Mapping[Kind, I64]) -> None:
        if groups or self._groups:
            self._groups = dict(groups)
            self.changed.emit()

    def clear(self) -> None:
        self.set({})


class RangeHistory(Struct, frozen=True):
    """``past``: ranges that were set, the last one current; ``future``: ranges that were undone."""

    past: tuple[Ranges, ...] = (Ranges(),)
    future: tuple[Ranges, ...] = ()


class RangeModel(QObject):
    """The time range and the tiles that statistics cover, with undo. Signal ``changed`` (Ranges)."""

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._past: list[Ranges] = [Ranges()]
        self._future: list[Ranges] = []

    @property
    def value(self) -> Ranges:
        return self._past[-1]

    def set(self, value: Ranges) -> None:
        """Sets new ranges; ``undo`` restores the previous ones."""
        if value != self.value:
            self._past.append(value)
            self._future.clear()
            self.changed.emit(value)

    def can_undo(self) -> bool:
        return len(self._past) > 1

    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> None:
        if self.can_undo():
            self._future.append(self._past.pop())
            self.changed.emit(self.value)

    def redo(self) -> None:
        if self.can_redo():
            self._past.append(self._future.pop())
            self.changed.emit(self.value)

    @property
    def history(self) -> RangeHistory:
        """The ranges with their history, for ``restore``."""
        return RangeHistory(tuple(self._past), tuple(self._future))

    def restore(self, history: RangeHistory) -> None:
        """Replaces the ranges and their history, when another profile is shown."""
        before = self.value
        self._past, self._future = list(history.past), list(history.future)
        if self.value != before:
            self.changed.emit(self.value)
