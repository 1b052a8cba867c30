"""What the search field looks up in threads: hits for what is typed, and the tables of the profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.background import Background, Task, raise_error
from app.document.document import Document, Update
from app.language import labelled

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Answer, Mode, Source
    from app.analysis.tables import ListedTable
    from app.formats.errors import FormatError
    from app.profile.file_state import TimeNote
    from app.profile.profile import Profile
    from app.store.token import Token


REDRAW_MS = 40
"""Answers that arrive within this time are shown together."""


class Lookup(QObject):
    """Looks up the latest text; a new query cancels the previous one. Signal ``changed`` when there are more results,
    or all."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._threads = Background(self), Background(self)  # the second for what is slow
        self._later = QTimer(self, interval=REDRAW_MS, singleShot=True)
        self._later.timeout.connect(self.changed)
        self._answers: list[dict[str, Answer]] = [{}, {}]
        self._sources: tuple[Source, ...] = ()
        self.failure = ""
        self.asked: tuple[Profile, tuple[TimeNote, ...], str, Mode] | None = None

    @property
    def quick_busy(self) -> bool:
        """Whether the lookup of names and numbers is still running."""
        return self._threads[0].busy

    @property
    def busy(self) -> bool:
        return any(thread.busy for thread in self._threads)

    def search(self, profile: Profile, notes: tuple[TimeNote, ...], text: str, mode: Mode) -> None:
        """Starts looking up ``text`` in a profile and the user's notes on it, unless that is the current query."""
        if self.asked is not None and self.asked[0] is profile and self.asked[1:] == (notes, text, mode):
            return
        from app.analysis.lookup.sources import (
            SOURCES,  # imports every table
            notes_source,
        )

        self.cancel()
        self.asked = profile, notes, text, mode
        self._sources = tuple(source for source in (notes_source(notes), *SOURCES) if mode in source.modes)
        self._answers = [{}, {}]
        self.failure = ""
        for place, slow in enumerate((False, True)):
            sources = tuple(source for source in self._sources if source.slow == slow)
            if sources:
                self._begin(place, sources, profile, text)

    def cancel(self) -> None:
        """Cancels the current query and releases its results, which refer to the profile."""
        self.asked = None
        self._sources, self._answers = (), [{}, {}]
        self._later.stop()
        for thread in self._threads:
            thread.cancel()

    def groups(self) -> list[tuple[Source, Answer]]:
        """Returns the results so far, in the order of the list of sources; sources without hits are omitted."""
        known = {**self._answers[0], **self._answers[1]}
        return [(source, known[source.id]) for source in self._sources if source.id in known and known[source.id].hits]

    def _begin(self, place: int, sources: tuple[Source, ...], profile: Profile, text: str) -> None:
        answers = self._answers[place]

        def work(token: Token, report_progress: Callable[[int, int], None]) -> None:
            for number, source in enumerate(sources, 1):
                token.check()
                answers[source.id] = source.find(profile, text, token.check)
                report_progress(number, len(sources))

        self._threads[place].run(Task(work, lambda _: self._arrived(), self._failed, lambda *_: self._more()))

    def _more(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def _arrived(self) -> None:
        self._later.stop()
        self.changed.emit()

    def _failed(self, error: FormatError) -> None:
        self.failure = str(error)
        self._arrived()


class TableList(QObject):
    """The list of tables. Signal ``changed``: the list is complete."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._background = Background(self)
        self._profile: Profile | None = None
        self._listed: tuple[ListedTable, ...] = ()
        document.updated.connect(self._forget)

    def get(self) -> tuple[ListedTable, ...]:
        """Returns the tables known so far; starts computing the list if it is outdated."""
        profile = self._document.profile
        if profile is not None and profile is not self._profile:
            self._profile = profile
            self._background.run(Task(lambda token, _: _tables(profile, token), self._take, raise_error))
        return self._listed

    def _take(self, listed: tuple[ListedTable, ...]) -> None:
        self._listed = listed
        self.changed.emit()

    def _forget(self, update: Update) -> None:
        """Invalidates the list: another profile is shown, or more of this one was read."""
        self._background.cancel()
        self._profile = None
        if update.whole:
            self._listed = ()


def _tables(profile: Profile, token: Token) -> tuple[ListedTable, ...]:
    from app.analysis.tables import specs

    listed = []
    for spec in specs(profile):
        token.check()
        tables = list(spec.listed(profile))
        if len(tables) == 1:
            listed.append(replace(tables[0], title=spec.title))
        else:
            listed += [replace(table, title=labelled(spec.title, table.title)) for table in tables]
    return tuple(listed)
