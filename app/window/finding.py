"""Steps through matches: of the search of everything, which MatchStepper collects, and of the search in a panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QLineEdit, QWidget

from app.document.background import Background, Task, raise_error
from app.document.document import Document, Update
from app.profile.selection import Selection
from app.widgets.abilities import Searchable
from app.window.nearest import nearest

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Hit
    from app.analysis.search import Matches


SOURCE = "search"


class MatchPosition(Struct, frozen=True):
    """Match ``place`` of ``total``, counted from 1; total 0: no matches (or no search)."""

    place: int = 0
    total: int = 0


class MatchStepper(QObject):
    """Selects one match after the other; matches are collected in a thread. Signals: ``changed`` (MatchPosition),
    ``stepped`` (Selection) after each step."""

    changed = Signal(object)
    stepped = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._background = Background(self)
        self._matches: list[Matches] = []
        self._wanted: object = None
        self.position = MatchPosition()
        document.updated.connect(self._forget)

    @property
    def active(self) -> bool:
        return self._wanted is not None

    def step_text(self, text: str, direction: int) -> None:
        """Selects the next (+1) or previous (-1) item whose name contains ``text``."""
        profile = self._document.profile
        if profile is None:
            return
        from app.analysis.search import search  # the window is painted without it

        self._step((profile, text), lambda: search(profile, text), direction)

    def step_hit(self, hit: Hit, direction: int = 1) -> None:
        """Selects the next (+1) or previous (-1) item with the name of ``hit``."""
        kind, profile = hit.kind, self._document.profile
        if kind is None or profile is None:
            return
        from app.analysis.search import Matches

        find = lambda: [Matches(kind, hit.bearers())]  # noqa: E731
        self._step((profile, kind, hit.text_id), find, direction)

    def again(self, direction: int) -> None:
        """Steps through the matches of the last search."""
        self._move(direction)

    def clear(self) -> None:
        self._background.cancel()
        self._wanted, self._matches = None, []
        self._document.matches.clear()
        self._publish(MatchPosition())

    def _forget(self, update: Update) -> None:
        """Clears the search when another profile is shown: its matches belong to the previous one."""
        if update.whole:
            self.clear()

    def _step(self, wanted: object, find: Callable[[], list[Matches]], direction: int) -> None:
        if wanted == self._wanted:
            if not self._background.busy:
                self._move(direction)
            return
        self._wanted, self._matches = wanted, []
        self._background.run(Task(lambda *_: find(), self._begin, raise_error))

    def _begin(self, matches: list[Matches]) -> None:
        self._matches = matches
        self._document.matches.set({group.kind: group.indices for group in matches})
        self.position = MatchPosition(0, sum(len(group.indices) for group in matches))
        self._move(1)

    def _move(self, direction: int) -> None:
        total = self.position.total
        if not total:
            self._publish(self.position)
            return
        place = (self.position.place - 1 + direction) % total if self.position.place else 0
        offset = place
        for group in self._matches:
            if offset < len(group.indices):
                selection = Selection(group.kind, (int(group.indices[offset]),), SOURCE)
                self._document.selection.set(selection)
                self.stepped.emit(selection)
                break
            offset -= len(group.indices)
        self._publish(MatchPosition(place + 1, total))

    def _publish(self, position: MatchPosition) -> None:
        self.position = position
        self.changed.emit(position)


def can_find(focus: QWidget | None) -> bool:
    return nearest(focus, Searchable) is not None or _field(focus) is not None


def start_find(focus: QWidget | None) -> None:
    finds = nearest(focus, Searchable)
    field = _field(focus)
    if finds is not None:
        finds.start_find()
    elif field is not None:
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()


def find_step(focus: QWidget | None, direction: int) -> None:
    finds = nearest(focus, Searchable)
    if finds is not None:
        finds.find_step(direction)


def _field(focus: QWidget | None) -> QLineEdit | None:
    dock = nearest(focus, QDockWidget)
    fields = dock.findChildren(QLineEdit) if dock is not None else []
    return next((field for field in fields if field.isVisible() and field.isEnabled()), None)
