"""Which open profile is the baseline of which other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.document.document import Document


class Baselines(QObject):
    """Baselines by entry id. A profile that is closed is no baseline any more. Signal ``changed``: a baseline was set,
    swapped or ended."""

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._of: dict[int, int] = {}
        self._made: Comparison | None = None
        document.entry_closed.connect(self._drop_closed)

    def of(self, entry: int | None) -> int | None:
        """The id of the baseline of an entry; None without one."""
        return None if entry is None else self._of.get(entry)

    def set(self, entry: int, baseline: int) -> None:
        """Compare ``entry`` with ``baseline``; ignores entries that are closed, and a profile with itself."""
        known = self._document.entry(entry), self._document.entry(baseline)
        if None not in known and entry != baseline and self._of.get(entry) != baseline:
            self._of[entry] = baseline
            self.changed.emit()

    def swap(self, entry: int) -> None:
        """Make ``entry`` the baseline of its baseline, and show that."""
        baseline = self._of.pop(entry, None)
        if baseline is not None:
            self._of[baseline] = entry
            self._document.show(baseline)
            self.changed.emit()

    def end(self, entry: int) -> None:
        """End the comparison of ``entry``."""
        if self._of.pop(entry, None) is not None:
            self.changed.emit()

    @property
    def comparison(self) -> Comparison | None:
        """That of the shown profile, None without a baseline. Its matches are kept until a profile changes."""
        entry, baseline = self._document.current, self.of(self._document.current_id)
        before = None if baseline is None else self._document.entry(baseline)
        if entry is None or before is None:
            self._made = None
            return None
        made = self._made
        if made is None or made.before is not before.profile or made.after is not entry.profile:
            from app.analysis.compare.comparison import Comparison  # imports numpy

            self._made = made = Comparison(before.profile, entry.profile)
        return made

    def _drop_closed(self) -> None:
        left = {entry: baseline for entry, baseline in self._of.items() if self._open(entry) and self._open(baseline)}
        changed = left != self._of
        self._of, self._made = left, None
        if changed:
            self.changed.emit()

    def _open(self, entry: int) -> bool:
        return self._document.entry(entry) is not None
