"""The tables of the current profile, listed in a thread for the command palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.language import labelled

if TYPE_CHECKING:
    from app.analysis.tables import ListedTable
    from app.profile.profile import Profile
    from app.store.token import Token

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.background import Background, Task, raise_error
from app.document.document import Document, Update

if TYPE_CHECKING:
    from app.analysis.tables import ListedTable
    from app.profile.profile import Profile


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
