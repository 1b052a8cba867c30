"""Comparing in the window: opens the files that are to be compared with one another, and shows what is compared with
what above the panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject

from app.document.baselines import BaselineDocument
from app.document.document import Document
from app.document.entry import Entry
from app.document.threads import absolute
from app.language import tr
from app.views.names_apart import side_names
from app.views.texts import shown_line

SHARE: Final = 5
"""The names get at most this part of the window's width: a fifth."""
NARROWEST: Final = 150
ICON: Final = 14
AIR: Final = 24
"""Pixels beside the text: borders, and the arrow of the menu."""


class Wanted(Struct, frozen=True):
    """A comparison that begins as soon as both sides have been read: files, or an entry that is open. ``after``: None
    for the profile that is shown, or the next one; ``before``: also a document."""

    after: int | frozenset[Path] | None
    before: int | frozenset[Path] | BaselineDocument


class BaselineOpener(QObject):
    """Waits until both sides of a comparison are read, and then begins it. A new request replaces the previous one."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._waiting: Wanted | None = None
        self._last: BaselineDocument | None = None
        document.entries_changed.connect(self._look)

    def compare(self, entry: int, baseline: int) -> None:
        """Compare two open profiles, as soon as both are complete."""
        self._want(Wanted(entry, baseline))

    def wait(self, entry: int, paths: Sequence[Path]) -> None:
        """Use the profile of these files as the baseline of ``entry`` as soon as it is complete."""
        self._want(Wanted(entry, absolute(paths)))

    def open_pair(
        self, after: Sequence[Path], before: Sequence[Path], open_: Callable[[Sequence[Path]], object]
    ) -> None:
        """Open the files of both sides that are not open yet, and compare them."""
        self._want(Wanted(absolute(after), absolute(before)))
        for paths in (before, after):
            if not any(is_of(entry, absolute(paths)) for entry in self._document.entries):
                open_(paths)

    def take(self, document: BaselineDocument) -> None:
        """Use a baseline document for the profile that waits for it, was opened with it, or is shown; else for the next
        one that is opened."""
        self._last, waiting = document, self._waiting
        after: int | frozenset[Path] | None = document.beside or self._document.current_id
        if waiting is not None and isinstance(waiting.before, frozenset):
            own = document.path.absolute()
            if own in waiting.before or not waiting.before.isdisjoint(own.parents):
                after = waiting.after
        self._want(Wanted(after, document))

    @property
    def unused(self) -> BaselineDocument | None:
        """The document that waits for a profile to be opened."""
        waiting = self._waiting
        before = None if waiting is None or waiting.after is not None else waiting.before
        return before if isinstance(before, BaselineDocument) else None

    def compare_all(self, path: Path) -> None:
        """Make the profile of this file or folder, or this document, the baseline of all others that are open, and show
        the first of these."""
        paths = absolute((path,))
        if self._last is not None and self._last.path.absolute() in paths:
            self._waiting = None
            for entry in self._document.entries:
                self._document.baselines.set_document(entry.id, self._last)
            return
        baseline = next((entry for entry in self._document.entries if is_of(entry, paths)), None)
        others = [entry for entry in self._document.entries if not is_of(entry, paths)]
        if baseline is None or not others:
            return
        self._document.show(others[0].id)
        for entry in others:
            self._document.baselines.set(entry.id, baseline.id)

    def _want(self, wanted: Wanted) -> None:
        self._waiting = wanted
        self._look()

    def _look(self) -> None:
        """Begin what is waited for, if both sides are complete; forget it if one was closed."""
        wanted = self._waiting
        if wanted is None:
            return
        after = self._entry(wanted.after)
        if isinstance(wanted.before, BaselineDocument):
            self._begin_with(wanted.before, after)
            return
        before = self._entry(wanted.before, but=after)
        if any(isinstance(side, int) and self._document.entry(side) is None for side in (wanted.after, wanted.before)):
            self._waiting = None
            return
        if after is None or before is None or not (after.done and before.done):
            return
        self._waiting = None
        self._document.show(after.id)
        self._document.baselines.set(after.id, before.id)

    def _begin_with(self, document: BaselineDocument, after: Entry | None) -> None:
        if after is not None and after.done:
            self._waiting = None
            self._document.show(after.id)
            self._document.baselines.set_document(after.id, document)

    def _entry(self, side: int | frozenset[Path] | None, but: Entry | None = None) -> Entry | None:
        """The entry of one side, not ``but``; of several with the same files one that is complete."""
        if side is None:
            return self._document.current
        if isinstance(side, int):
            return self._document.entry(side)
        own = [entry for entry in self._document.entries if is_of(entry, side) and entry is not but]
        return next((entry for entry in own if entry.done), None)


def is_of(entry: Entry, paths: frozenset[Path]) -> bool:
    """Whether it is the profile of one of the paths, or of a file in a folder among them."""
    if entry.is_part:
        return False
    own = [path.absolute() for path in entry.profile.origin.paths]
    return any(path in paths or not paths.isdisjoint(path.parents) for path in own)


def pair_text(after: str, before: str) -> str:
    """What is compared with what, on one line."""
    return tr("{after} vs. {before} (baseline)", after=after, before=before)


def compared_names(document: Document) -> tuple[str, str] | None:
    """The names of the shown profile and of its baseline; None without one."""
    after, own = document.current, document.baselines.document_of(document.current_id)
    before = document.entry(document.baselines.of(document.current_id) or 0)
    name = own.path.name if own is not None else None if before is None else before.profile.name
    if name is None or after is None:
        return None
    if own is not None or before is None:
        return shown_line(after.profile.name), shown_line(name)
    names = side_names(after.profile, before.profile)
    return shown_line(names[0]), shown_line(names[1])
