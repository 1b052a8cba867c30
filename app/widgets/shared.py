"""Access to the state shared by all panels (selection, hover, ranges) for one part of a panel."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.analysis.relations import translate
from app.document.document import Document
from app.profile.arrays import I64
from app.profile.selection import Kind, Ranges, Selection, TileRange

NONE: I64 = np.empty(0, np.int64)


class Shared:
    """Reads and writes the shared state. ``source`` identifies the part, so that it can ignore its own changes.
    ``shown_at``: ``Document.showing`` of what the part shows (None: it shows nothing of a profile). While that is a
    former profile, nothing is written: its items have other numbers. References no widget."""

    def __init__(self, document: Document, source: str) -> None:
        self._document = document
        self.source = source
        self.shown_at: int | None = None

    @property
    def stale(self) -> bool:
        """Whether the part still shows a former profile."""
        return self.shown_at is not None and self.shown_at != self._document.showing

    @property
    def selection(self) -> Selection | None:
        return self._document.selection.value

    def own(self, selection: Selection | None) -> bool:
        """Whether this part set the selection."""
        return selection is not None and selection.source == self.source

    def items(self, selection: Selection | None, kind: Kind) -> I64:
        """Items of ``kind`` that ``selection`` translates to (int64)."""
        profile = self._document.profile
        return NONE if profile is None or selection is None else translate(profile, selection, kind)

    def linked(self, selection: Selection | None, kind: Kind) -> I64:
        """The same, looked up once for all panels. Raises LinksPending where that takes long: only within
        ``Linked.attempt``, as when a panel shows selection and hover."""
        profile = self._document.profile
        return NONE if profile is None or selection is None else self._document.linked.items(profile, selection, kind)

    def select(self, kind: Kind, items: Iterable[int]) -> None:
        """Selects ``items``; clears the selection if there are none."""
        if self.stale:
            return
        chosen = tuple(map(int, items))
        self._document.selection.set(Selection(kind, chosen, self.source) if chosen else None)

    def toggle(self, kind: Kind, item: int, *, adding: bool) -> None:
        """Selects one item; ``adding``: adds it to the selected items of its kind, or removes it from them."""
        before = self.selection
        selected = before.indices if adding and before is not None and before.kind == kind else ()
        self.select(kind, [one for one in selected if one != item] if item in selected else [*selected, item])

    def point(self, kind: Kind, item: int) -> None:
        """Sets the item under the pointer; -1 for none."""
        if self.stale:
            return
        self._document.hover.set(Selection(kind, (item,), self.source) if item >= 0 else None)

    def limit_to_tiles(self, tiles: Iterable[int]) -> None:
        """Sets the range to ``tiles``; its time interval is kept."""
        if self.stale:
            return
        ranges = self._document.ranges
        ranges.set(Ranges(ranges.value.time, TileRange(tuple(map(int, tiles)))))
