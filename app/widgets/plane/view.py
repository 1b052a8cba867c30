"""The visible part of a plane, and its layout on screen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.views.axis import Span

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState, ViewValue

GAP = 8.0
TICK = 4.0
NEAR = 1e-6
MARGIN = 0.05
"""Margin around an item that is scrolled into view, as a share of the view."""
MOST_PLACE = 1e300
Stretch: TypeAlias = tuple[float, float]


class Extent(NamedTuple):
    """The extent of items on both axes; None for an axis on which they have no position."""

    x: Stretch | None
    y: Stretch | None


class PlaneView(Struct, frozen=True):
    """The visible interval of each axis. y grows upwards unless a layout says otherwise."""

    x: Span
    y: Span

    @classmethod
    def whole(cls, width: float, height: float, least: tuple[float, float]) -> PlaneView:
        """The full view of a plane; ``least``: the narrowest view of each axis."""
        return cls(Span.whole(width, least[0]), Span.whole(height, least[1]))

    def zoomed(self, x: float, y: float, about: tuple[float, float]) -> PlaneView:
        """Zoomed in by these factors; the place ``about`` keeps its position on screen."""
        return PlaneView(self.x.zoomed(x, about[0]), self.y.zoomed(y, about[1]))

    def moved(self, x: float, y: float) -> PlaneView:
        """Shifted by these distances along the axes."""
        return PlaneView(self.x.moved(x), self.y.moved(y))

    def showing(self, extent: Extent) -> PlaneView:
        """Moved as little as possible to show a box."""
        x = self.x if extent.x is None else self.x.showing(*extent.x, MARGIN * self.x.width)
        return PlaneView(x, self.y if extent.y is None else self.y.showing(*extent.y, MARGIN * self.y.width))

    def around(self, extent: Extent) -> PlaneView:
        """A view of a box with a margin of half its size on every side."""
        x = self.x if extent.x is None else _around(self.x, *extent.x)
        return PlaneView(x, self.y if extent.y is None else _around(self.y, *extent.y))

    def state(self) -> dict[str, ViewValue]:
        """The ends of both axes by name."""
        return {"left": self.x.start, "right": self.x.end, "bottom": self.y.start, "top": self.y.end}

    def like(self, saved: ViewState) -> PlaneView:
        """The view with these ends; axes that lack one, or end before they begin, are unchanged."""
        ends = [_place(saved.get(name)) for name in ("left", "right", "bottom", "top")]
        x = self.x if ends[0] is None or ends[1] is None or not ends[0] < ends[1] else self.x.at(ends[0], ends[1])
        y = self.y if ends[2] is None or ends[3] is None or not ends[2] < ends[3] else self.y.at(ends[2], ends[3])
        return PlaneView(x, y)

    def is_near(self, other: PlaneView) -> bool:
        """Whether the views differ by less than anybody can see."""
        pairs = ((self.x, other.x), (self.y, other.y))
        return all(
            math.isclose(one, two, abs_tol=NEAR * mine.width)
            for mine, its in pairs
            for one, two in ((mine.start, its.start), (mine.end, its.end))
        )

    def in_proportion(self) -> PlaneView:
        """The view with equal zoom on both axes: that of the axis of which more is visible."""
        share = max(span.width / span.size if span.size > 0 else 0.0 for span in (self.x, self.y))
        return PlaneView(_share(self.x, share), _share(self.y, share))


class PlaneLayout(Struct, frozen=True, eq=False):
    """``place``: the whole area; ``head``: a line for the title; ``scale``: labels of y; ``plot``; ``axis``: labels of
    x; ``side``: a legend; ``metrics``: of the font it was laid out for."""

    place: QRectF
    head: QRectF
    scale: QRectF
    plot: QRectF
    axis: QRectF
    side: QRectF
    view: PlaneView
    metrics: QFontMetricsF

    @property
    def line(self) -> float:
        """Height of a line of text in pixels."""
        return math.ceil(self.metrics.height())

    def x_of(self, place: float) -> float:
        span = self.view.x
        return self.plot.left() + (place - span.start) / max(span.width, 1e-300) * self.plot.width()

    def y_of(self, place: float) -> float:
        span = self.view.y
        return self.plot.bottom() - (place - span.start) / max(span.width, 1e-300) * self.plot.height()

    def at(self, point: QPointF) -> tuple[float, float]:
        """The plane coordinates of a screen point."""
        x = self.view.x.start + (point.x() - self.plot.left()) / max(self.plot.width(), 1.0) * self.view.x.width
        y = self.view.y.start + (self.plot.bottom() - point.y()) / max(self.plot.height(), 1.0) * self.view.y.width
        return x, y


def lay_out(
    place: QRectF, view: PlaneView, metrics: QFontMetricsF, left: float, side: float = 0.0, below: int = 1
) -> PlaneLayout:
    """Lays out the parts inside ``place``: ``left`` pixels for the labels of y, ``side`` for a legend at the right,
    ``below`` lines of text under the plot."""
    line = math.ceil(metrics.height())
    head = QRectF(place.left(), place.top(), place.width(), line + 6)
    top = head.bottom() + math.ceil(line / 2) - 2  # half a line for the topmost label of y
    foot = TICK + 4 + below * line
    plot = QRectF(
        math.floor(place.left() + left),
        top,
        math.floor(max(place.width() - left - GAP - (side + GAP if side else 0.0), 1.0)),
        math.floor(max(place.bottom() - top - foot - 2, 1.0)),
    )
    return PlaneLayout(
        place,
        head,
        QRectF(place.left(), plot.top(), left - TICK, plot.height()),
        plot,
        QRectF(plot.left(), plot.bottom(), plot.width(), foot),
        QRectF(plot.right() + GAP, plot.top(), side, plot.height()),
        view,
        metrics,
    )


def _place(value: object) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MOST_PLACE:
        return None
    return float(value)


def _around(span: Span, start: float, end: float) -> Span:
    half = (end - start) / 2
    return span.at(start - half, end + half)


def _share(span: Span, share: float) -> Span:
    """The view of that share of an axis around its current middle; unchanged if it already shows that share."""
    width = share * span.size
    if math.isclose(width, span.width, rel_tol=1e-9):
        return span
    middle = (span.start + span.end) / 2
    return span.at(middle - width / 2, middle + width / 2)
