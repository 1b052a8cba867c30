"""Which open profile is the baseline of which other, remembered with the state of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from app.document.entry import Entries
from app.document.states import States

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


VIEW: Final = "baseline"
PATHS: Final = "paths"


class Baselines(QObject):
    """Baselines by entry id. A profile that is closed is no baseline any more; when both files are opened again, they
    are compared again, unless the user had ended that. Signal ``changed``: a baseline was set, swapped or ended."""

    changed = Signal()

    def __init__(self, open_profiles: Entries, states: States, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open_profiles = open_profiles
        self._states = states
        self._of: dict[int, int] = {}
        self._made: Comparison | None = None
        states.restored.connect(self.recall)

    def of(self, entry: int | None) -> int | None:
        """The id of the baseline of an entry; None without one."""
        return None if entry is None else self._of.get(entry)

    def set(self, entry: int, baseline: int) -> None:
        """Compare ``entry`` with ``baseline``; ignores entries that are closed, and a profile with itself."""
        known = self._open_profiles.entry(entry), self._open_profiles.entry(baseline)
        if None not in known and entry != baseline and self._of.get(entry) != baseline:
            self._of[entry] = baseline
            self._remember(entry)
            self.changed.emit()

    def swap(self, entry: int) -> None:
        """Make ``entry`` the baseline of its baseline, and show that."""
        baseline = self._of.pop(entry, None)
        if baseline is not None:
            self._of[baseline] = entry
            self._remember(entry)
            self._remember(baseline)
            self._open_profiles.show(baseline)
            self.changed.emit()

    def end(self, entry: int) -> None:
        """End the comparison of ``entry``."""
        if self._of.pop(entry, None) is not None:
            self._remember(entry)
            self.changed.emit()

    @property
    def comparison(self) -> Comparison | None:
        """That of the shown profile, None without a baseline. Its matches are kept until a profile changes."""
        entry, baseline = self._open_profiles.current, self.of(self._open_profiles.current_id)
        before = None if baseline is None else self._open_profiles.entry(baseline)
        if entry is None or before is None:
            self._made = None
            return None
        made = self._made
        if made is None or made.before is not before.profile or made.after is not entry.profile:
            from app.analysis.compare.comparison import Comparison  # imports numpy

            self._made = made = Comparison(before.profile, entry.profile)
        return made

    def drop_closed(self) -> None:
        """Ends comparisons with profiles that have been closed."""
        left = {entry: baseline for entry, baseline in self._of.items() if self._open(entry) and self._open(baseline)}
        changed = left != self._of
        self._of, self._made = left, None
        if changed:
            self.changed.emit()

    def _open(self, entry: int) -> bool:
        return self._open_profiles.entry(entry) is not None

    def _remember(self, entry: int) -> None:
        """Store the files of the baseline in the state of the entry."""
        baseline = self._of.get(entry)
        paths = [] if baseline is None else self._paths(baseline)
        if paths or self._states.view(entry, VIEW) is not None:
            self._states.set_view(entry, VIEW, {PATHS: paths})

    def recall(self) -> None:
        """Compare profiles again that were compared in an earlier run."""
        entries = [entry for entry in self._open_profiles.entries if entry.done and not entry.is_part]
        by_paths = {tuple(self._paths(entry.id)): entry.id for entry in entries}
        for entry in entries:
            view = self._states.view(entry.id, VIEW)
            stored = view.get(PATHS) if view is not None and entry.id not in self._of else None
            if isinstance(stored, list) and stored and all(isinstance(path, str) for path in stored):
                baseline = by_paths.get(tuple(stored))
                if baseline is not None:
                    self.set(entry.id, baseline)

    def _paths(self, entry: int) -> list[str]:
        known = self._open_profiles.entry(entry)
        return [] if known is None or known.is_part else [str(path.absolute()) for path in known.profile.origin.paths]
