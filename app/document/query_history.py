"""Statements that were run, the last one first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QObject, Signal

MOST: Final = 100
LONGEST: Final = 10_000
"""Characters; a longer statement is not remembered."""


class QueryHistory(QObject):
    """Signal ``changed`` when a statement was added, or all were cleared or restored."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.statements: tuple[str, ...] = ()
        self._cleared: tuple[str, ...] = ()

    def load(self, statements: Iterable[str]) -> None:
        """Sets what earlier runs of the program remembered, without a signal."""
        self.statements = tuple(statements)[:MOST]

    def add(self, statement: str) -> None:
        """Puts a statement in front; each is there once."""
        if statement and len(statement) <= LONGEST and self.statements[:1] != (statement,):
            self.statements = tuple(dict.fromkeys((statement, *self.statements)))[:MOST]
            self.changed.emit()

    def clear(self) -> None:
        """Forgets all; ``undo_clear`` restores them."""
        self._cleared, self.statements = self.statements, ()
        self.changed.emit()

    @property
    def can_undo_clear(self) -> bool:
        return bool(self._cleared)

    def undo_clear(self) -> None:
        """Restores what was cleared, behind what was run since."""
        self.statements = tuple(dict.fromkeys((*self.statements, *self._cleared)))[:MOST]
        self._cleared = ()
        self.changed.emit()
