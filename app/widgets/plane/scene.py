"""What a canvas shows: things at two coordinates, numbered, on a plane of which a part is seen."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.profile.arrays import I64
from app.widgets.display import Look
from app.widgets.plane.view import Extent, PlaneView

NONE: I64 = np.empty(0, np.int64)
MOST_BOUNDED = 2000
"""Of so many selected things the places are asked, one by one."""
Bounds: TypeAlias = tuple[float, float, float, float]
"""Left, right, low, high."""
Drag: TypeAlias = Literal["move", "across", "box"]
"""What a drag does: moves the view, or selects what lies in a stretch of x, or in a box."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that is pointed at. ``place`` says what the scene outlines, where that is more than the thing;
    ``selectable``: a click selects it."""

    item: int
    place: Hashable = None
    selectable: bool = True


@dataclass(frozen=True, eq=False)
class Marks:
    """What is drawn over the picture: selected things (rising), those of the range (None: no range), what is pointed
    at, and the box that a drag spans."""

    selected: I64 = field(default_factory=lambda: NONE)
    within: I64 | None = None
    hovered: Hit | None = None
    dragged: QRectF | None = None

    @cached_property
    def chosen(self) -> frozenset[int]:
        """The selected things as a set."""
        return frozenset(self.selected.tolist())

    @property
    def item(self) -> int:
        """The thing that is pointed at; -1 none."""
        return -1 if self.hovered is None else self.hovered.item

    @property
    def both(self) -> list[int]:
        """What is selected and what is pointed at, rising."""
        return sorted(self.chosen | {self.item}) if self.item >= 0 else self.selected.tolist()

    def but(self, **changes: object) -> Marks:
        return replace(self, **changes)  # type: ignore[arg-type]


class Layout(Protocol):
    """Where the parts of a scene lie on the screen."""

    @property
    def plot(self) -> QRectF:
        """The part that zooms."""

    def at(self, point: QPointF, /) -> tuple[float, float]:
        """The place under a point of the screen."""


class Scene(Protocol):
    """Immutable. ``shape`` tells scenes apart whose view cannot be kept when one takes the other's place; ``kind``
    says what sort of picture it is, "" where the title does; ``together``: both axes zoom by the same factor. Layouts
    are those of its own ``lay_out``, hence Any."""

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
        """All of it. An axis that cannot be narrowed is one that does not zoom."""

    def lay_out(self, place: QRectF, view: PlaneView, look: Look, metrics: QFontMetricsF, /) -> Layout:
        """Where its parts lie inside ``place``."""

    def height(self, metrics: QFontMetricsF, /) -> int:
        """How high it wants to be; 0 for as high as there is room."""

    def draw(self, painter: QPainter, layout: Any, look: Look, /) -> None:
        """Everything but marks."""

    def draw_marks(self, painter: QPainter, layout: Any, marks: Marks, look: Look, /) -> None:
        """Over the picture, as often as the pointer moves."""

    def hit(self, layout: Any, point: QPointF, /) -> Hit | None:
        """The thing under ``point``."""

    def hit_of(self, item: int, /) -> Hit:
        """A thing that is pointed at elsewhere."""

    def legend_at(self, layout: Any, point: QPointF, /) -> int:
        """The entry of the legend under ``point``; -1 none."""

    def describe(self, layout: Any, point: QPointF, look: Look, /) -> str:
        """What the tool tip says at ``point``; "" for nothing."""

    def words(self, hit: Hit, look: Look, /) -> str:
        """What a line below the picture says of the thing that is pointed at."""

    def extent(self, layout: Any, items: I64, /) -> Extent | None:
        """Where things lie; None where they are not on the plane."""

    def lead(self, items: I64, /) -> I64:
        """Those of several selected things that are brought to view."""

    def step(self, item: int, direction: int, /) -> int:
        """The thing after (or before) ``item``, the first (or last) for -1; -1 where there is none."""

    def beside(self, layout: Any, item: int, across: int, down: int, /) -> int:
        """The neighbour that an arrow key selects; -1 where arrow keys move the view."""

    def swept(self, layout: Any, box: QRectF, /) -> I64:
        """The things that a drag over ``box`` selects."""

    def range_of(self, items: I64, /) -> tuple[int, int] | None:
        """First and last place of the range over these things; None without one."""


class PlainScene:
    """What most scenes answer. One that derives from it says what differs: at least ``title``, ``shape``, ``whole``,
    ``lay_out`` and ``draw``."""

    kind: str = tr("Plot")
    drag: Drag = "move"
    together: bool = False

    def height(self, _metrics: QFontMetricsF) -> int:
        return 0

    def draw_marks(self, _painter: QPainter, _layout: Any, _marks: Marks, _look: Look) -> None:
        return

    def item_at(self, _layout: Any, _point: QPointF) -> int:
        """The thing under a point; -1 none."""
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
        """Where one thing lies; None where it is not on the plane."""
        return None

    def extent(self, _layout: Any, items: I64) -> Extent | None:
        boxes = [box for box in map(self.bounds, items[:MOST_BOUNDED].tolist()) if box is not None]
        if not boxes:
            return None
        left, right, low, high = zip(*boxes, strict=True)
        return Extent((min(left), max(right)), (min(low), max(high)))

    def lead(self, items: I64) -> I64:
        return items[:1]

    def step(self, _item: int, _direction: int) -> int:
        return -1

    def beside(self, _layout: Any, _item: int, _across: int, _down: int) -> int:
        return -1

    def swept(self, _layout: Any, _box: QRectF) -> I64:
        return NONE

    def range_of(self, _items: I64) -> tuple[int, int] | None:
        return None


def draw_whole(painter: QPainter, place: QRectF, scene: Scene, look: Look) -> Any:
    """All of a scene into ``place``; returns where everything lies."""
    layout = scene.lay_out(place, scene.whole(), look, QFontMetricsF(painter.font(), painter.device()))
    scene.draw(painter, layout, look)
    return layout


def neighbour(place: int, direction: int, count: int) -> int:
    """``step`` for things that are numbered 0 to ``count`` - 1: stops at the ends; -1 where there are none."""
    now = place if place >= 0 else -1 if direction > 0 else count
    return min(max(now + direction, 0), count - 1)
