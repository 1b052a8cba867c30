"""Opens parts of an open profile as profiles of their own, to compare them."""

from __future__ import annotations

from collections.abc import Callable
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

        def work(token: Token, _progress: Callable[[int, int], None]) -> list[Profile]:
            from app.analysis.parts.offered import part_of

            made = []
            for part in (before, after):
                token.check()
                made.append(part_of(entry.profile, part))
            return made

        self._background.run(Task(work, lambda made: self._show(entry, made), self._fail))

    def cancel(self) -> None:
        """Looks for and makes nothing more."""
        self._background.cancel()

    def _show(self, entry: Entry, made: list[Profile]) -> None:
        open_now = self._document.entry(entry.id)
        if open_now is None or open_now.job != entry.job:
            return  # closed or reloaded meanwhile
        with self._document.together():
            before, after = (self._entry_of(entry, profile) for profile in made)
        self._document.show(after)
        self._document.baselines.set(after, before)

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
