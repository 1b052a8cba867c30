"""The elements of a diagram, without figures: those come from a profile. Main memory and the L2 cache are at the left
of every diagram."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Point: TypeAlias = tuple[float, float]
Figure: TypeAlias = Literal["", "hit_rate", "cube", "vector", "vector1"]
"""What a box displays: the L2 cache's hit rate, or how busy a unit is."""
Family: TypeAlias = Literal["shared", "cube", "vector"]
Side: TypeAlias = Literal["centre", "left", "right"]

TEXT = 12.0
"""Text height that the geometry is designed for."""
LABEL = 15.0
"""Height of a label line."""
CLEAR = 4.0
"""Between an arrow and its label, and between a label and a box."""


class Rect(Struct, frozen=True):
    """x grows to the right, y downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


class Box(Struct, frozen=True):
    """A memory or a unit. ``family`` decides its colour."""

    name: str
    rect: Rect
    family: Family
    figure: Figure = ""


class Line(Struct, frozen=True):
    """A line through ``points``; ``head``: an arrowhead at the last one, else the line joins another one of its
    path."""

    points: tuple[Point, ...]
    head: bool = True


class Arrow(Struct, frozen=True):
    """One memory path; several lines if it has two sources. ``label``: the space reserved for its figure."""

    path: int
    lines: tuple[Line, ...]
    label: Rect
    side: Side = "centre"

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, right, top and bottom of its lines and its label."""
        points = [point for line in self.lines for point in line.points]
        across = [*(x for x, _ in points), self.label.x, self.label.right]
        down = [*(y for _, y in points), self.label.y, self.label.bottom]
        return min(across), max(across), min(down), max(down)


class Frame(Struct, frozen=True):
    """The outline of one core; its title is in the upper left corner."""

    title: str
    rect: Rect

    @property
    def title_place(self) -> Rect:
        return Rect(self.rect.x + 8, self.rect.y + 3, 92, LABEL)


class Diagram(Struct, frozen=True):
    """``width`` and ``height`` enclose everything."""

    id: str
    title: str
    width: float
    height: float
    frames: tuple[Frame, ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    @property
    def paths(self) -> frozenset[int]:
        return frozenset(arrow.path for arrow in self.arrows)


def above(left: float, right: float, y: float, lines: int = 1) -> Rect:
    """The rectangle of a label above a horizontal line at ``y``."""
    return Rect(left, y - CLEAR - LABEL * lines, right - left, LABEL * lines)


def below(left: float, right: float, y: float, lines: int = 1) -> Rect:
    """The rectangle of a label below a horizontal line at ``y``."""
    return Rect(left, y + CLEAR, right - left, LABEL * lines)


def rightwards(path: int, start: float, end: float, y: float, label: Rect) -> Arrow:
    """A straight arrow from x ``start`` to ``end``; leftwards where ``end`` is smaller."""
    return Arrow(path, (Line(((start, y), (end, y))),), label)


def bent(path: int, label: Rect, *points: Point, side: Side = "centre") -> Arrow:
    """An arrow through ``points``."""
    return Arrow(path, (Line(points),), label, side)


def to_and_fro(
    there: int, back: int | None, start: float, end: float, middle: float, label_from: float = 0
) -> list[Arrow]:
    """Two arrows between x ``start`` and ``end`` around y ``middle``: ``there`` with its label above, ``back`` with its
    label below. Labels begin at ``label_from`` if something is in their way."""
    left, right = max(start + CLEAR, label_from), end - CLEAR
    upper, lower = middle - APART, middle + APART
    made = [rightwards(there, start, end, upper, above(left, right, upper))]
    if back is not None:
        made.append(rightwards(back, end, start, lower, below(left, right, lower)))
    return made


APART = 9.0
"""Half the distance between two opposite arrows."""


MARGIN = 8.0
GM = (MARGIN, 64.0)
L2 = (150.0, 78.0)
L2_RIGHT = L2[0] + L2[1]
FRAME = L2_RIGHT + 10.0
"""Where the frames of the cores begin."""
LABELS = FRAME + CLEAR
"""Where labels of paths that leave the L2 cache begin."""
SUFFIX_LINES = 3
"""Figures between main memory and the cache come with remarks such as "(theoretical value)"."""


def boxes(height: float) -> list[Box]:
    """The two boxes in a diagram of this height."""
    return [
        Box("GM", Rect(GM[0], MARGIN, GM[1], height - 2 * MARGIN), "shared"),
        Box("L2 cache", Rect(L2[0], MARGIN, L2[1], height - 2 * MARGIN), "shared", "hit_rate"),
    ]


def arrows(height: float) -> list[Arrow]:
    """Paths 0 and 1."""
    left, right = GM[0] + GM[1], L2[0]
    upper, lower = height / 2 - APART, height / 2 + APART
    room = left + 2, right - 2
    return [
        rightwards(0, left, right, upper, above(*room, upper, SUFFIX_LINES)),
        rightwards(1, right, left, lower, below(*room, lower, SUFFIX_LINES)),
    ]
