"""Which open profile is the baseline of which other, and which rows were paired by hand, remembered with the state of
the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.analysis.compare.names import DEFAULT, Names
from app.document.entry import Entries
from app.document.states import States

if TYPE_CHECKING:
    from app.analysis.compare.alignment import Check
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.kept import Kept
    from app.analysis.compare.matching import Pair, Side
    from app.profile.profile import Profile


VIEW: Final = "baseline"
PATHS: Final = "paths"
PAIRS: Final = "pairs"
PAIRS_VIEW: Final = "baseline_pairs"
"""A view of its own: what a person paired earlier is not lost when a comparison begins before it was read."""
FIELDS: Final = 5
MOST_PAIRS: Final = 10_000
"""Pairs that are read from a saved state."""


class BaselineDocument(Struct, frozen=True, eq=False):
    """What `tilesight baseline` wrote to ``path``: ``kept``, and the ``profile`` without sections in its place.
    ``beside``: the files that were opened with it."""

    path: Path
    kept: Kept
    profile: Profile
    beside: frozenset[Path] = frozenset()


class Baselines(QObject):
    """Baselines by entry id: open profiles, or documents, which only the Comparison panel takes. A profile that is
    closed is no baseline any more; when both files are opened again, they are compared again, unless the user had ended
    that. Signals: ``changed``: a baseline was set, swapped, ended or read again; ``begun`` (entry id): the user began a
    comparison."""

    changed = Signal()
    begun = Signal(object)

    def __init__(self, document: Entries, states: States, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._states = states
        self._of: dict[int, int] = {}
        self._documents: dict[int, BaselineDocument] = {}
        self._made: dict[int, Comparison] = {}
        self._names: Names = DEFAULT
        self._pairs: dict[tuple[int, int], tuple[Pair, ...]] = {}
        states.restored.connect(self.recall)

    def of(self, entry: int | None) -> int | None:
        """The id of the baseline of an entry; None without one, and if it is a document."""
        return None if entry is None else self._of.get(entry)

    def document_of(self, entry: int | None) -> BaselineDocument | None:
        """The baseline document of an entry; None without one, and if its baseline is a profile."""
        return None if entry is None else self._documents.get(entry)

    def has(self, entry: int | None) -> bool:
        """Whether the entry has a baseline."""
        return entry in self._of or entry in self._documents

    def set(self, entry: int, baseline: int) -> None:
        """Compare ``entry`` with ``baseline``, as the user wants; ignores entries that are closed, and a profile with
        itself."""
        if self._set(entry, baseline):
            self.begun.emit(entry)

    def set_document(self, entry: int, document: BaselineDocument) -> None:
        """Compare ``entry`` with a document, as the user wants; ignores an entry that is closed. It is not remembered
        with the state of the files."""
        if self._document.entry(entry) is not None:
            self._of.pop(entry, None)
            self._documents[entry] = document
            self._remember(entry)
            self.changed.emit()
            self.begun.emit(entry)

    @property
    def names(self) -> Names:
        """What is ignored in names that have no equal on the other side."""
        return self._names

    def set_names(self, names: Names) -> None:
        """Match all profiles again by this setting."""
        if names != self._names:
            self._names = names
            self._made.clear()
            if self._of or self._documents:
                self.changed.emit()

    def swap(self, entry: int) -> None:
        """Make ``entry`` the baseline of its baseline, and show that."""
        baseline = self._of.pop(entry, None)
        if baseline is not None:
            self._of[baseline] = entry
            self._documents.pop(baseline, None)
            pairs = self._pairs.pop((entry, baseline), ())
            self._remember(entry)
            self._remember(baseline)
            if pairs:
                self._keep_pairs(baseline, entry, tuple(pair.swapped() for pair in pairs))
            self._document.show(baseline)
            self.changed.emit()

    def end(self, entry: int) -> None:
        """End the comparison of ``entry``."""
        if self.has(entry):
            self._of.pop(entry, None)
            self._documents.pop(entry, None)
            self._made.pop(entry, None)
            self._remember(entry)
            self.changed.emit()

    def pairs(self, entry: int | None) -> tuple[Pair, ...]:
        """The rows that the user paired or unpaired in the comparison of an entry."""
        return () if entry is None else self._pairs.get((entry, self._of.get(entry, 0)), ())

    def set_pairs(self, entry: int, pairs: tuple[Pair, ...]) -> None:
        """Match the profiles of an entry's comparison again with these pairs; ignores an entry without a baseline."""
        baseline = self._of.get(entry)
        if baseline is not None and pairs != self.pairs(entry):
            self._keep_pairs(entry, baseline, pairs)
            self.changed.emit()

    def _keep_pairs(self, entry: int, baseline: int, pairs: tuple[Pair, ...]) -> None:
        self._pairs[entry, baseline] = pairs
        self._made.pop(entry, None)
        paths = self._paths(baseline)
        if paths:  # a part of a profile has no files of its own
            self._states.set_view(entry, PAIRS_VIEW, {PATHS: paths, PAIRS: pairs_to_json(pairs)})

    @property
    def comparison(self) -> Comparison | None:
        """That of the shown profile, None without a baseline, and if it is a document."""
        current = self._document.current_id
        return None if current is None else self.comparison_of(current)

    def comparison_of(self, entry_id: int) -> Comparison | None:
        """That of an open profile, None without a baseline, and if it is a document."""
        made = self.explained_of(entry_id)
        return None if made is None or made.kept is not None else made

    @property
    def explained(self) -> Comparison | None:
        """That of the shown profile with its baseline, which may be a document; None without one."""
        current = self._document.current_id
        return None if current is None else self.explained_of(current)

    def explained_of(self, entry_id: int) -> Comparison | None:
        """That of an open profile with its baseline, which may be a document; None without one. Its matches are kept
        until one of its profiles changes."""
        entry, before = self._document.entry(entry_id), self._before(entry_id)
        if entry is None or before is None:
            self._made.pop(entry_id, None)
            return None
        made = self._made.get(entry_id)
        if made is None or made.before is not before or made.after is not entry.profile:
            from app.analysis.compare.comparison import Comparison  # imports numpy

            document, pairs = self._documents.get(entry_id), self.pairs(entry_id)
            kept, contents = (None, _same_contents) if document is None else (document.kept, None)
            self._made[entry_id] = made = Comparison(before, entry.profile, pairs, self._names, contents, kept)
        return made

    def _before(self, entry: int) -> Profile | None:
        document, baseline = self._documents.get(entry), self._document.entry(self._of.get(entry, 0))
        if document is not None:
            return document.profile
        return None if baseline is None else baseline.profile

    def follow(self) -> None:
        """Report a baseline that was read again, or further, meanwhile."""
        current = self._document.current_id
        made = None if current is None else self._made.get(current)
        baseline = None if made is None else self._document.entry(self._of.get(current or 0, 0))
        if made is not None and baseline is not None and made.before is not baseline.profile:
            self.changed.emit()

    def drop_closed(self) -> None:
        """Ends comparisons with profiles that have been closed."""
        left = {entry: baseline for entry, baseline in self._of.items() if self._open(entry) and self._open(baseline)}
        documents = {entry: document for entry, document in self._documents.items() if self._open(entry)}
        changed = left != self._of or len(documents) < len(self._documents)
        self._of, self._documents = left, documents
        self._pairs = {ids: pairs for ids, pairs in self._pairs.items() if all(map(self._open, ids))}
        for entry in list(self._made):
            self.explained_of(entry)  # drops what holds a closed profile
        if changed:
            self.changed.emit()

    def _set(self, entry: int, baseline: int) -> bool:
        known = self._document.entry(entry), self._document.entry(baseline)
        if None in known or entry == baseline or self._of.get(entry) == baseline:
            return False
        self._of[entry] = baseline
        self._documents.pop(entry, None)
        self._recall_pairs(entry)
        self._remember(entry)
        self.changed.emit()
        return True

    def _recall_pairs(self, entry: int) -> bool:
        """Take the pairs that were made of the same files in an earlier run; returns whether there are any."""
        baseline, view = self._of.get(entry), self._states.view(entry, PAIRS_VIEW)
        if baseline is None or view is None or (entry, baseline) in self._pairs:
            return False
        if view.get(PATHS) != self._paths(baseline):
            return False
        self._pairs[entry, baseline] = pairs_from_json(view)
        self._made.pop(entry, None)
        return bool(self._pairs[entry, baseline])

    def _open(self, entry: int) -> bool:
        return self._document.entry(entry) is not None

    def _remember(self, entry: int) -> None:
        """Store the files of the baseline in the state of the entry."""
        baseline = self._of.get(entry)
        paths = [] if baseline is None else self._paths(baseline)
        if paths or self._states.view(entry, VIEW) is not None:
            self._states.set_view(entry, VIEW, {PATHS: paths})

    def recall(self) -> None:
        """Compare profiles again that were compared in an earlier run."""
        entries = [entry for entry in self._document.entries if entry.done and not entry.is_part]
        compared = [entry for entry in entries if not self._states.of(entry.id).empty]
        by_paths = {tuple(self._paths(entry.id)): entry.id for entry in entries} if compared else {}
        for entry in compared:
            view = self._states.view(entry.id, VIEW)
            stored = view.get(PATHS) if view is not None and not self.has(entry.id) else None
            if isinstance(stored, list) and stored and all(isinstance(path, str) for path in stored):
                baseline = by_paths.get(tuple(stored))
                if baseline is not None:
                    self._set(entry.id, baseline)
            elif self._recall_pairs(entry.id):
                self.changed.emit()

    def _paths(self, entry: int) -> list[str]:
        known = self._document.entry(entry)
        return [] if known is None or known.is_part else [str(path.absolute()) for path in known.profile.origin.paths]


def _same_contents(before: Side, after: Side, check: Check) -> Iterable[tuple[int, int]]:
    """Imported when tables with contents are compared."""
    from app.store.compare_contents import same_contents

    return same_contents(before, after, check)


def pairs_to_json(pairs: Iterable[Pair]) -> list[list[object]]:
    return [[pair.table, pair.before, pair.after, pair.label_before, pair.label_after] for pair in pairs]


def pairs_from_json(view: Mapping[str, Any]) -> tuple[Pair, ...]:
    """The pairs in a saved view, which is not trusted: what is no pair is left out."""
    from app.analysis.compare.matching import Pair

    values = view.get(PAIRS)
    if not isinstance(values, list):
        return ()
    return tuple(Pair(*value) for value in values[:MOST_PAIRS] if _is_pair(value))


def _is_pair(value: object) -> bool:
    if not isinstance(value, list) or len(value) != FIELDS:
        return False
    table, before, after, *labels = value
    rows = [row for row in (before, after) if row is not None]
    plain = all(isinstance(row, int) and not isinstance(row, bool) and row >= 0 for row in rows)
    return isinstance(table, str) and bool(rows) and plain and all(isinstance(label, str) for label in labels)
