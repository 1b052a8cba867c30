"""What the user did to ranges, lanes and notes, in order, so that it can be undone and redone."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

MOST = 200
"""Edits of a profile that can be undone."""


class Edit(Struct, frozen=True, eq=False):
    """``what``: completes "Undo {what}"; ``undo`` and ``redo`` apply the state before and after it; ``of``: what it
    changed, by which edits are continued or dropped."""

    what: str
    undo: Callable[[], object]
    redo: Callable[[], object]
    of: str = ""


class Edits(QObject):
    """The edits of each profile, by entry id; those of the shown one are undone and redone. Signal ``changed``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entry: int | None = None
        self._past: dict[int | None, list[Edit]] = {}
        self._future: dict[int | None, list[Edit]] = {}
        self._open = False

    @property
    def to_undo(self) -> Edit | None:
        """The last edit; None without one."""
        past = self._past.get(self._entry)
        return past[-1] if past else None

    @property
    def to_redo(self) -> Edit | None:
        """The edit that was undone last; None without one, or after another edit."""
        future = self._future.get(self._entry)
        return future[-1] if future else None

    def show(self, entry: int | None) -> None:
        """Switches to the edits of another profile."""
        self._entry, self._open = entry, False
        self.changed.emit()

    def add(self, edit: Edit, *, going_on: bool = False) -> None:
        """Adds an edit, after which nothing can be redone; ``going_on``: one that more may continue, such as a name
        while it is written, until ``seal``: they are undone together."""
        past, last = self._past.setdefault(self._entry, []), self.to_undo
        if going_on and self._open and last is not None and last.of == edit.of:
            past[-1] = replace(last, redo=edit.redo)
        else:
            past.append(edit)
            del past[:-MOST]
        self._open = going_on
        self._future.pop(self._entry, None)
        self.changed.emit()

    def seal(self) -> None:
        """Lets nothing continue the last edit any more."""
        self._open = False

    def undo(self) -> None:
        """Undoes the last edit."""
        self._step(self._past, self._future, lambda edit: edit.undo)

    def redo(self) -> None:
        """Redoes the edit that was undone last."""
        self._step(self._future, self._past, lambda edit: edit.redo)

    def drop(self, entry: int, of: str) -> None:
        """Drops the edits of something that is no longer there."""
        for edits in (self._past, self._future):
            edits[entry] = [edit for edit in edits.get(entry, ()) if edit.of != of]
        self.changed.emit()

    def forget(self, entry: int) -> None:
        """Drops all edits of a profile that is closed."""
        self._past.pop(entry, None)
        self._future.pop(entry, None)

    def _step(
        self,
        source: dict[int | None, list[Edit]],
        target: dict[int | None, list[Edit]],
        direction: Callable[[Edit], Callable[[], object]],
    ) -> None:
        if source.get(self._entry):
            edit = source[self._entry].pop()
            target.setdefault(self._entry, []).append(edit)
            self._open = False
            direction(edit)()
            self.changed.emit()
