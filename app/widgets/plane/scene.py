"""What a canvas shows: numbered items on a plane, a part of which is visible."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.profile.arrays import I64
from app.views.look import Look
from app.widgets.plane.view import Extent, PlaneView

NONE: I64 = np.empty(0, np.int64)
MOST_BOUNDED = 2000
"""Most selected items whose bounds are looked up, one by one."""
Bounds: TypeAlias = tuple[float, float, float, float]
"""Left, right, low, high."""
Drag: TypeAlias = Literal["move", "across", "box"]
"""What a drag does: pans the view, or selects the items in an interval of x, or in a box."""


class Hit(Struct, frozen=True):
    """A hovered item. ``place``: what the scene outlines, if that is more than the item; ``selectable``: a click
    selects it."""

    item: int
    place: Hashable = None
    selectable: bool = True


class Marks(Struct, frozen=True, eq=False, dict=True):
    """Marks over the picture: selected items (int64, ascending), items in the range (None: no range), the hovered item,
    and the box of a drag."""

    selected: I64 = field(default_factory=lambda: NONE)
    within: I64 | None = None
    hovered: Hit | None = None
    dragged: QRectF | None = None

    @cached_property
    def chosen(self) -> frozenset[int]:
        """The selected items as a set."""
        return frozenset(self.selected.tolist())

    @property
    def item(self) -> int:
        """The hovered item; -1 for none."""
        return -1 if self.hovered is None else self.hovered.item

    @property
    def both(self) -> list[int]:
        """The selected and hovered items, ascending."""
        return sorted(self.chosen | {self.item}) if self.item >= 0 else self.selected.tolist()

    def but(self, **changes: object) -> Marks:
        return replace(self, **changes)


class Layout(Protocol):
    """Positions of the parts of a scene on screen."""

    @property
    def plot(self) -> QRectF:
        """The area that zooms."""

    def at(self, point: QPointF, /) -> tuple[float, float]:
        """The plane coordinates of a screen point."""


LeftOf: TypeAlias = Callable[[float, Look, QFontMetricsF], float]
"""The pixels left of the plot in a picture of that width."""


class Scene(Protocol):
    """What a canvas shows. Immutable. ``shape``: the view is kept when a scene of equal shape replaces this one;
    ``kind``: the sort of picture, "" if the title says it; ``together``: both axes zoom by the same factor. Layouts are
    those of the scene's own ``lay_out``, hence Any."""

    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def shape(self) -> tuple[object, ...]: ...
    @property
    def drag(self) -> Drag: ...
    @property
    def together(self) -> bool: ...

    def whole(self) -> PlaneView:
        """The full view. An axis whose least width is its size does not zoom."""

    def lay_out(self, place: QRectF, view: PlaneView, look: Look, metrics: QFontMetricsF, /) -> Layout:
        """Lays out the parts inside ``place``."""

    def height(self, metrics: QFontMetricsF, /) -> int:
        """The preferred height in pixels; 0: as high as there is space."""

    def draw(self, painter: QPainter, layout: Any, look: Look, /) -> None:
        """Draws everything but the marks."""

    def for_file(self) -> Scene:
        """What is drawn into image files, where no controls stand beside it."""

    def draw_marks(self, painter: QPainter, layout: Any, marks: Marks, look: Look, /) -> None:
        """Draws the marks over the picture; called on every pointer movement."""

    def hit(self, layout: Any, point: QPointF, /) -> Hit | None:
        """The item under ``point``."""

    def hit_of(self, item: int, /) -> Hit:
        """The hit for an item that is hovered elsewhere."""

    def legend_at(self, layout: Any, point: QPointF, /) -> int:
        """The legend entry under ``point``; -1 for none."""

    def describe(self, layout: Any, point: QPointF, look: Look, /) -> str:
        """The tool tip text at ``point``; "" for none."""

    def words(self, hit: Hit, look: Look, /) -> str:
        """The description of a hovered item for the line below the picture."""

    def extent(self, layout: Any, items: I64, /) -> Extent | None:
        """The extent of items; None if they are not on the plane."""

    def lead(self, items: I64, /) -> I64:
        """The selected items that are scrolled into view."""

    def extent_of(self, layout: Any, hit: Hit, /) -> Extent | None:
        """The extent of what the keyboard's cursor is at; None if it is not on the plane."""

    def step(self, item: int, direction: int, /) -> int:
        """The item after (or before) ``item``, the first (or last) for -1; -1 if there is none."""

    def walk(self, layout: Any, hit: Hit, across: int, down: int, /) -> Hit:
        """What is so many items to the right of ``hit`` and below it; ``hit`` itself at the edge."""

    def end(self, hit: Hit | None, direction: int, /) -> Hit | None:
        """The first (-1) or last (+1) item of the row of ``hit``, or of all if it is None; None without items."""

    def swept(self, layout: Any, box: QRectF, /) -> I64:
        """The items that a drag over ``box`` selects."""

    def range_of(self, items: I64, /) -> tuple[int, int] | None:
        """First and last place of the range over these items; None if they have no range."""


class PlainScene:
    """Default implementations for scenes. A subclass overrides what differs: at least ``title``, ``shape``, ``whole``,
    ``lay_out`` and ``draw``."""

    kind: str = tr("Plot")
    drag: Drag = "move"
    together: bool = False

    def height(self, _metrics: QFontMetricsF) -> int:
        return 0

    def for_file(self) -> Any:
        return self

    def draw_marks(self, _painter: QPainter, _layout: Any, _marks: Marks, _look: Look) -> None:
        return

    def item_at(self, _layout: Any, _point: QPointF) -> int:
        """The item under a point; -1 for none."""
        return -1

    def hit(self, layout: Any, point: QPointF) -> Hit | None:
        item = self.item_at(layout, point)
        return None if item < 0 else self.hit_of(item)

    def hit_of(self, item: int) -> Hit:
        return Hit(item)

    def legend_at(self, _layout: Any, _point: QPointF) -> int:
        return -1

    def describe(self, _layout: Any, _point: QPointF, _look: Look) -> str:
        return ""

    def words(self, _hit: Hit, _look: Look) -> str:
        return ""

    def bounds(self, _item: int) -> Bounds | None:
        """The bounds of one item; None if it is not on the plane."""
        return None

    def extent(self, _layout: Any, items: I64) -> Extent | None:
        boxes = [box for box in map(self.bounds, items[:MOST_BOUNDED].tolist()) if box is not None]
        if not boxes:
            return None
        left, right, low, high = zip(*boxes, strict=True)
        return Extent((min(left), max(right)), (min(low), max(high)))

    def lead(self, items: I64) -> I64:
        return items[:1]

    def extent_of(self, layout: Any, hit: Hit) -> Extent | None:
        return self.extent(layout, np.array([hit.item], np.int64))

    def step(self, _item: int, _direction: int) -> int:
        return -1

    def walk(self, _layout: Any, hit: Hit, across: int, down: int) -> Hit:
        """Items in one row: both directions lead along it."""
        item = self.step(hit.item, across or down)
        return hit if item < 0 else self.hit_of(item)

    def end(self, _hit: Hit | None, direction: int) -> Hit | None:
        item = self.step(-1, -direction)
        return None if item < 0 else self.hit_of(item)

    def swept(self, _layout: Any, _box: QRectF) -> I64:
        return NONE

    def range_of(self, _items: I64) -> tuple[int, int] | None:
        return None


def draw_whole(painter: QPainter, place: QRectF, scene: Scene, look: Look) -> Any:
    """Draws a whole scene into ``place``; returns its layout."""
    layout = scene.lay_out(place, scene.whole(), look, QFontMetricsF(painter.font(), painter.device()))
    scene.draw(painter, layout, look)
    return layout


def in_grid(item: int, across: int, down: int, columns: int, count: int) -> int:
    """The cell so many columns to the right and rows below, of ``count`` cells in rows of ``columns``; at the edge of
    the grid the last one in that direction."""
    row, column = divmod(item, columns)
    column = min(max(column + across, 0), columns - 1)
    row = min(max(row + down, 0), (count - 1) // columns)
    return min(row * columns + column, count - 1)


def row_end(item: int, direction: int, columns: int, count: int) -> int:
    """The first (-1) or last (+1) cell of the row of ``item``."""
    first = item - item % columns
    return first if direction < 0 else min(first + columns, count) - 1


def neighbour(place: int, direction: int, count: int) -> int:
    """``step`` for items numbered 0 to ``count`` - 1: stops at the ends; -1 if there are none."""
    now = place if place >= 0 else -1 if direction > 0 else count
    return min(max(now + direction, 0), count - 1)
