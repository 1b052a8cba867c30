"""An axis of a view: what of it is seen, the history of that, where it shows something, and the names of tiles along
it.
"""

from __future__ import annotations

import math
import time
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from app.language import tr

NOTCHES_SECONDS = 0.6
"""Seconds: steps of the same kind that follow one another this fast are one gesture (wheel notches, key presses)."""
DEPTH = 200

ViewT = TypeVar("ViewT")


class Span(Struct, frozen=True):
    """The visible part, ``start`` to ``end``, of 0 .. ``size``; never narrower than ``least``, nor beyond the ends."""

    start: float
    end: float
    size: float
    least: float = 1.0

    @classmethod
    def whole(cls, size: float, least: float = 1.0) -> Span:
        return cls(0.0, size, size, least)

    @property
    def width(self) -> float:
        return self.end - self.start

    def zoomed(self, factor: float, about: float | None = None) -> Span:
        """Zoomed in by ``factor``; the place ``about`` (default: the middle) keeps its position on screen."""
        if not self.width > 0 or not factor > 0:
            return self
        middle = (self.start + self.end) / 2 if about is None else min(max(about, self.start), self.end)
        width = min(max(self.width / factor, min(self.least, self.size)), self.size)
        start = middle - (middle - self.start) / self.width * width
        return self.at(start, start + width)

    def moved(self, distance: float) -> Span:
        """Shifted by ``distance``, stopping at the ends."""
        distance = min(max(distance, -self.start), self.size - self.end)
        return Span(self.start + distance, self.end + distance, self.size, self.least)

    def at(self, start: float, end: float) -> Span:
        """The view of ``start`` to ``end``, clamped to the axis and made at least ``least`` wide."""
        width = min(max(end - start, min(self.least, self.size)), self.size)
        start = min(max((start + end - width) / 2, 0.0), self.size - width)
        return Span(start, start + width, self.size, self.least)

    def showing(self, start: float, end: float, margin: float = 0.0) -> Span:
        """Moved as little as possible (and widened if necessary) to show ``start`` .. ``end`` with ``margin`` around
        it."""
        start, end = max(start - margin, 0.0), min(end + margin, self.size)
        if end - start > self.width:
            return self.at(start, end)
        if start < self.start:
            return self.moved(start - self.start)
        return self.moved(end - self.end) if end > self.end else self


class History(Generic[ViewT]):
    """The current view and the views before and after it, one for each gesture."""

    def __init__(self, view: ViewT) -> None:
        self.view = view
        self._past: list[ViewT] = []
        self._future: list[ViewT] = []
        self._last: tuple[str, float] = ("", 0.0)

    def reset(self, view: ViewT) -> None:
        """Clears the history: a different picture is shown."""
        self.view = view
        self._past.clear()
        self._future.clear()
        self._last = ("", 0.0)

    def go(self, view: ViewT, gesture: str = "", now: float | None = None, *, held: bool = False) -> None:
        """Goes to a new view. Steps of one ``gesture`` in quick succession, or by a key that is ``held`` down, become
        one entry."""
        if view == self.view:
            return
        now = time.monotonic() if now is None else now
        soon = held or now - self._last[1] < NOTCHES_SECONDS
        follows = bool(gesture) and gesture == self._last[0] and soon
        if not follows:
            self._past.append(self.view)
            del self._past[:-DEPTH]
        self._future.clear()
        self._last = (gesture, now)
        self.view = view

    def back(self) -> bool:
        return self._turn(self._past, self._future)

    def forward(self) -> bool:
        return self._turn(self._future, self._past)

    def _turn(self, source: list[ViewT], target: list[ViewT]) -> bool:
        if not source:
            return False
        target.append(self.view)
        self.view = source.pop()
        self._last = ("", 0.0)
        return True


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
