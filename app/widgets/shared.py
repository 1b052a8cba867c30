"""What all panels share (selection, hover, ranges), as one part of a panel reads and writes it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.analysis.links import translate
from app.document.document import Document
from app.profile.arrays import I64
from app.profile.selection import Kind, Ranges, Selection, TileRange

NONE: I64 = np.empty(0, np.int64)


class Shared:
    """``source`` names the part: what it wrote itself it does not answer. Holds no widget."""

    def __init__(self, document: Document, source: str) -> None:
        self._document = document
        self.source = source

    @property
    def selection(self) -> Selection | None:
        return self._document.selection.value

    def own(self, selection: Selection | None) -> bool:
        """Whether this part wrote it."""
        return selection is not None and selection.source == self.source

    def items(self, selection: Selection | None, kind: Kind) -> I64:
        """Things of ``kind`` that ``selection`` stands for."""
        profile = self._document.profile
        return NONE if profile is None or selection is None else translate(profile, selection, kind)

    def select(self, kind: Kind, items: Iterable[int]) -> None:
        """Selects ``items``, or nothing where there are none."""
        chosen = tuple(map(int, items))
        self._document.selection.set(Selection(kind, chosen, self.source) if chosen else None)

    def toggle(self, kind: Kind, item: int, *, adding: bool) -> None:
        """Selects one thing; ``adding``: to those of its kind, or takes it out of them."""
        before = self.selection
        kept = before.indices if adding and before is not None and before.kind == kind else ()
        self.select(kind, [one for one in kept if one != item] if item in kept else [*kept, item])

    def point(self, kind: Kind, item: int) -> None:
        """The thing under the pointer; -1 for none."""
        self._document.hover.set(Selection(kind, (item,), self.source) if item >= 0 else None)

    def limit_to_tiles(self, tiles: Iterable[int]) -> None:
        """Makes ``tiles`` the range; the stretch of time stays."""
        ranges = self._document.ranges
        ranges.set(Ranges(ranges.value.time, TileRange(tuple(map(int, tiles)))))
