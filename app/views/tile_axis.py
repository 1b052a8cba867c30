"""The axis of tiles under plots and heat maps."""

from __future__ import annotations

import math
from typing import Protocol

from msgspec import Struct

from app.language import tr


class Names(Protocol):
    """Looks up names by place; a table of texts is one."""

    def get(self, index: int, default: str = "") -> str:
        """The name, or ``default`` for a place without one."""


class TileAxis(Struct, frozen=True):
    """An axis of ``size`` places called ``title``, numbered from 0, or named by ``names`` where given. ``group``:
    places per IPU (0: unknown); ``group_title``: what a group is called."""

    size: int
    title: str = tr("Tile")
    group: int = 0
    group_title: str = "IPU"
    names: Names | None = None

    def name(self, place: int) -> str:
        """``tile 17``, with its IPU where there are several."""
        own = f"{self.title.lower()} {place:,}"
        if self.names is not None:
            return self.names.get(place, own)
        return f"{own} ({self.group_title} {place // self.group})" if self.group and self.size > self.group else own

    def borders(self, start: float = 0.0, end: float = math.inf) -> range:
        """The first place of each group but the first; only those from ``start`` to ``end``."""
        if not self.group:
            return range(0)
        first = max(math.ceil(start / self.group), 1) * self.group
        return range(first, math.ceil(min(end, self.size)), self.group)
