"""What part of a timeline is seen, and how it moves: pure arithmetic."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

MARGIN = 0.01
"""Share of the whole that the view may reach past it on either side."""
SAME = 1e-9
"""Share of the view that makes no difference."""
CLOSEST = 0.9
"""Share of the view that a slice takes when it is zoomed to."""


class Bounds(Struct, frozen=True):
    """How far a view may go: ``start``..``end`` of all there is, ``shortest`` stretch of time worth showing, and
    ``height`` of all rows against the ``room`` they are seen in (pixels)."""

    start: float
    end: float
    shortest: float
    height: int = 0
    room: int = 0

    @property
    def span(self) -> float:
        return self.end - self.start


class View(Struct, frozen=True):
    """``start``..``end`` in the timeline's unit; ``top``: the first pixel of the rows that is shown."""

    start: float
    end: float
    top: int = 0

    @property
    def span(self) -> float:
        return self.end - self.start

    def shifted(self, time: float) -> View:
        """The same part of a timeline whose times are larger by ``time``."""
        return replace(self, start=self.start + time, end=self.end + time) if time else self

    def time(self, x: float, width: float) -> float:
        """The time at pixel ``x`` of ``width``."""
        return self.start + self.span * x / max(width, 1.0)

    def x(self, time: float, width: float) -> float:
        """The pixel at ``time``."""
        return (time - self.start) / self.span * width if self.span > 0 else 0.0


def alike(one: View, other: View) -> bool:
    """Whether two views look the same: what lies between them is less than any pixel, and comes of rounding."""
    close = SAME * max(one.span, other.span)
    return one.top == other.top and abs(one.start - other.start) <= close and abs(one.end - other.end) <= close


def whole(bounds: Bounds) -> View:
    """Everything, with a little air."""
    air = bounds.span * MARGIN
    return clamped(View(bounds.start - air, bounds.end + air), bounds)


def clamped(view: View, bounds: Bounds) -> View:
    """``view`` moved and cut so that it stays within ``bounds``."""
    air = bounds.span * MARGIN
    low, high = bounds.start - air, bounds.end + air
    span = min(max(view.span, bounds.shortest), max(high - low, bounds.shortest))
    middle = (view.start + view.end) / 2 if view.span != span else view.start + span / 2
    start = min(max(middle - span / 2, low), max(high - span, low))
    top = min(max(view.top, 0), max(bounds.height - bounds.room, 0))
    return View(start, start + span, top)


def zoomed(view: View, factor: float, at: float, bounds: Bounds) -> View:
    """Narrowed (factor > 1) or widened about time ``at``, which keeps its place as long as the bounds allow."""
    span = min(max(view.span / factor, bounds.shortest), bounds.span * (1 + 2 * MARGIN))
    share = (at - view.start) / view.span if view.span > 0 else 0.5
    start = at - span * share
    return clamped(View(start, start + span, view.top), bounds)


def fitted_into(view: View, start: float, end: float, bounds: Bounds) -> View:
    """Widened so that what ``view`` shows takes the place of ``start``..``end`` in it."""
    share = view.span / (end - start) if end > start else float("inf")
    span = min(view.span * share, bounds.span * (1 + 2 * MARGIN))
    begin = view.start - (start - view.start) / view.span * span if view.span > 0 else bounds.start
    return clamped(View(begin, begin + span, view.top), bounds)


def panned(view: View, fraction: float, bounds: Bounds) -> View:
    """Moved by a share of its width."""
    shift = view.span * fraction
    return clamped(View(view.start + shift, view.end + shift, view.top), bounds)


def scrolled(view: View, pixels: int, bounds: Bounds) -> View:
    """Moved down (positive) or up."""
    return clamped(replace(view, top=view.top + pixels), bounds)


def around(view: View, start: float, end: float, bounds: Bounds) -> View:
    """The view that shows ``start``..``end`` nearly as wide as it is."""
    span = max((end - start) / CLOSEST, bounds.shortest)
    middle = (start + end) / 2
    return clamped(View(middle - span / 2, middle + span / 2, view.top), bounds)


def revealing(view: View, start: float, end: float, bounds: Bounds) -> View:
    """The same zoom, moved no farther than needed to see ``start``..``end``; its start where it is longer."""
    margin = view.span * 0.05
    if start >= view.start and end <= view.end:
        return view
    if end - start > view.span - 2 * margin or start < view.start:
        shift = start - margin - view.start
    else:
        shift = end + margin - view.end
    return clamped(View(view.start + shift, view.end + shift, view.top), bounds)


def revealing_rows(view: View, top: int, bottom: int, bounds: Bounds) -> View:
    """Scrolled no farther than needed to see the pixels ``top``..``bottom`` of the rows."""
    if top < view.top:
        return clamped(replace(view, top=top), bounds)
    if bottom > view.top + bounds.room:
        return clamped(replace(view, top=bottom - bounds.room), bounds)
    return view


TOGETHER = 0.6
"""Seconds within which steps of the same kind (notches of a wheel, taps of a key) are one gesture."""
MOST_STEPS = 200


class History(Struct):
    """Views to go back to, one for each gesture."""

    past: list[View] = field(default_factory=list)
    future: list[View] = field(default_factory=list)
    kind: str = ""
    last: float = float("-inf")

    def leave(self, view: View, kind: str, now: float, *, held: bool = False) -> None:
        """``view`` is about to change by a gesture of ``kind``; "" never joins with the one before. ``held``: by a key
        that is held down, whose steps are one gesture however slowly they come."""
        together = kind != "" and kind == self.kind and (held or now - self.last < TOGETHER)
        self.kind, self.last = kind, now
        self.future.clear()
        if not together and (not self.past or self.past[-1] != view):
            self.past.append(view)
            del self.past[:-MOST_STEPS]

    def back(self, view: View) -> View:
        """The view before the last gesture; ``view`` itself where there is none."""
        return self._step(self.past, self.future, view)

    def forward(self, view: View) -> View:
        """Takes ``back`` back."""
        return self._step(self.future, self.past, view)

    def shifted(self, time: float) -> History:
        """The same views of a timeline whose times are larger by ``time``."""
        past, future = ([view.shifted(time) for view in views] for views in (self.past, self.future))
        return replace(self, past=past, future=future)

    def clear(self) -> None:
        self.past.clear()
        self.future.clear()
        self.kind = ""

    def _step(self, source: list[View], target: list[View], view: View) -> View:
        self.kind = ""
        if not source:
            return view
        target.append(view)
        return source.pop()
