"""What a plane shows: things at two coordinates, numbered."""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.widgets.display import Look
from app.widgets.plane.view import PlaneLayout, PlaneView


class Scene(Protocol):
    """Immutable. ``shape`` tells scenes apart whose view cannot be kept when one takes the other's place."""

    @property
    def title(self) -> str:
        """What the picture is, for its name."""

    @property
    def shape(self) -> tuple[object, ...]:
        """Equal for scenes over the same plane."""

    def whole(self) -> PlaneView:
        """All of it."""

    def lay_out(self, place: QRectF, view: PlaneView, look: Look, metrics: QFontMetricsF, /) -> PlaneLayout:
        """Where its parts lie inside ``place``."""

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look, /) -> None:
        """Everything but marks."""

    def draw_marks(
        self, painter: QPainter, layout: PlaneLayout, selected: Set[int], hovered: int, look: Look, /
    ) -> None:
        """Over the picture: what is selected (filled) and what is pointed at (outlined)."""

    def item_at(self, layout: PlaneLayout, point: QPointF, /) -> int:
        """The thing under ``point``; -1 none."""

    def legend_at(self, layout: PlaneLayout, point: QPointF, /) -> int:
        """The entry of the legend under ``point``; -1 none."""

    def describe(self, layout: PlaneLayout, point: QPointF, look: Look, /) -> str:
        """What the tool tip says at ``point``; "" for nothing."""

    def bounds(self, item: int) -> tuple[float, float, float, float] | None:
        """left, right, low, high of a thing; None where it is not on the plane."""

    def step(self, item: int, direction: int) -> int:
        """The thing after (or before) ``item``, the first (or last) for -1; -1 where there is none."""


def neighbour(place: int, direction: int, count: int) -> int:
    """``step`` for things that are numbered 0 to ``count`` - 1: stops at the ends; -1 where there are none."""
    now = place if place >= 0 else -1 if direction > 0 else count
    return min(max(now + direction, 0), count - 1)
