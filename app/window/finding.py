"""Steps through what a search found: the state behind the search field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.document import Document, Update
from app.profile.selection import Selection

if TYPE_CHECKING:
    from app.analysis.search import Found, Hit, Search

SOURCE = "search"


@dataclass(frozen=True, slots=True)
class Position:
    """``place`` of ``total``, counted from 1; total 0: nothing is found (or nothing is searched)."""

    place: int = 0
    total: int = 0


class Finding(QObject):
    """Selects one match after the other. ``changed`` carries the Position."""

    changed = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._search: Search | None = None
        self._found: list[Found] = []
        self._wanted: object = None
        self.position = Position()
        document.updated.connect(self._forget)

    @property
    def active(self) -> bool:
        return self._wanted is not None

    def search(self) -> Search | None:
        """The search over the profile that is shown now. Imported then: the window is painted without it."""
        from app.analysis.search import Search

        profile = self._document.profile
        if profile is None:
            self._search = None
        elif self._search is None or self._search.profile is not profile:
            self._search = Search(profile)
        return self._search

    def step_text(self, text: str, direction: int) -> None:
        """The next or previous of everything whose name contains ``text``."""
        search = self.search()
        if search is not None:
            self._step((search.profile, text), lambda: search.found(text), direction)

    def step_hit(self, hit: Hit, direction: int = 1) -> None:
        """The next or previous of the things that bear this name."""
        search = self.search()
        if search is not None:
            self._step((search.profile, hit.named.what, hit.text_id), lambda: [search.named_so(hit)], direction)

    def again(self, direction: int) -> None:
        """One step further in what was searched last."""
        self._move(direction)

    def clear(self) -> None:
        self._wanted, self._found = None, []
        self._tell(Position())

    def _forget(self, update: Update) -> None:
        """Another profile is shown: what was found belongs to the one before."""
        if update.whole:
            self._search = None
            self.clear()

    def _step(self, wanted: object, find: Callable[[], list[Found]], direction: int) -> None:
        if wanted != self._wanted:
            self._found, self._wanted = find(), wanted
            self.position = Position(0, sum(len(found.indices) for found in self._found))
            direction = 1
        self._move(direction)

    def _move(self, direction: int) -> None:
        total = self.position.total
        if not total:
            self._tell(self.position)
            return
        place = (self.position.place - 1 + direction) % total if self.position.place else 0
        offset = place
        for found in self._found:
            if offset < len(found.indices):
                index = int(found.indices[offset])
                self._document.selection.set(Selection(found.kind, (index,), SOURCE))
                break
            offset -= len(found.indices)
        self._tell(Position(place + 1, total))

    def _tell(self, position: Position) -> None:
        self.position = position
        self.changed.emit(position)
