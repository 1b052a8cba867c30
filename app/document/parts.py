"""Opens parts of an open profile as profiles of their own, to compare them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.store.token import Token

if TYPE_CHECKING:
    from app.analysis.parts.profile_part import PartList, ProfilePart
    from app.document.entry import Entry
    from app.profile.profile import Profile


class PartOpener(QObject):
    """Parts are made in the background, since they copy the columns of a timeline. Signal ``failed`` (text): a part
    could not be made."""

    failed = Signal(str)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._background = Background(self)
        self._opened: dict[tuple[int, int, str], int] = {}

    @property
    def busy(self) -> bool:
        """Whether parts are being looked for or made."""
        return self._background.busy

    def find(self, entry: Entry, done: Callable[[list[PartList]], object]) -> None:
        """Calls ``done`` with the kinds of parts of an entry, unless something else is wanted before."""
        shown = entry.id == self._document.current_id
        chosen = self._document.ranges.value.time if shown else None
        notes = self._document.states.of(entry.id).notes

        def work(token: Token, _progress: Callable[[int, int], None]) -> list[PartList]:
            from app.analysis.parts.offered import parts

            token.check()
            return parts(entry.profile, chosen, notes)

        self._background.run(Task(work, done, self._fail))

    def compare(self, entry: Entry, before: ProfilePart, after: ProfilePart) -> None:
        """Shows the part ``after`` compared with the part ``before`` of the profile of ``entry``."""

        def show(opened: list[int]) -> None:
            self._document.show(opened[1])
            self._document.baselines.set(opened[1], opened[0])

        self._make(entry, lambda _: [before, after], show)

    def open(self, entry: Entry, names: Sequence[str], done: Callable[[list[int]], object]) -> None:
        """Adds the parts with these names (``block=3``), and calls ``done`` with their entry ids."""

        def named(profile: Profile) -> list[ProfilePart]:
            from app.analysis.parts.offered import NoPart, part_named

            try:
                return [part_named(profile, name) for name in names]
            except NoPart as error:
                raise FormatError(str(error)) from None

        self._make(entry, named, done)

    def cancel(self) -> None:
        """Looks for and makes nothing more."""
        self._background.cancel()

    def _make(
        self,
        entry: Entry,
        wanted: Callable[[Profile], Sequence[ProfilePart]],
        done: Callable[[list[int]], object],
    ) -> None:
        """Makes the parts that ``wanted`` names in a thread, adds them, and calls ``done`` with their entry ids."""

        def work(token: Token, _progress: Callable[[int, int], None]) -> list[Profile]:
            from app.analysis.parts.offered import part_of

            made = []
            for part in wanted(entry.profile):
                token.check()
                made.append(part_of(entry.profile, part))
            return made

        def add(made: list[Profile]) -> None:
            open_now = self._document.entry(entry.id)
            if open_now is None or open_now.job != entry.job:
                return  # closed or reloaded meanwhile
            with self._document.together():
                opened = [self._entry_of(entry, profile) for profile in made]
            done(opened)

        self._background.run(Task(work, add, self._fail))

    def _entry_of(self, entry: Entry, profile: Profile) -> int:
        """The entry of a part, added unless it is open. It holds the columns of the load that read the whole."""
        key = entry.id, entry.job, profile.origin.part
        known = self._opened.get(key)
        if known is not None and self._document.entry(known) is not None:
            return known
        self._opened[key] = made = self._document.add(profile, entry.job, show=False)
        self._document.finish(made)
        return made

    def _fail(self, error: FormatError) -> None:
        self.failed.emit(str(error))
