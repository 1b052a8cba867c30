"""Where the parts of the memory path diagram, its texts and what is beside it stand, and what is under a point."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from app.analysis.ascend.diagram.figures import BlockFigures, PathFigures
from app.analysis.ascend.diagram.parts import LABEL, TEXT, Arrow, Box, Diagram, Point, Rect, Side
from app.views.axis import Span
from app.views.memory_paths import (
    MARK,
    NO_BASELINE,
    PARENTHESES,
    Show,
    box_lines,
    difference,
    label,
    label_of,
    largest,
    notes,
)
from app.views.texts import shown_line
from app.widgets.plane.view import PlaneView
from app.widgets.texts import advance, elided

SMALL = 10.0
SHRUNK = 0.75
"""A text that is too wide shrinks to this share of its size, then it is elided."""
INSET = 3.0
BAR, NARROWEST_BAR = 2.5, 24.0


class Written(Struct, frozen=True):
    """One line of text. ``size`` in logical pixels; ``width``: the width that the text needs."""

    text: str
    place: Rect
    size: float
    width: float
    bold: bool = False
    side: Side = "centre"
    muted: bool = False

    @property
    def extent(self) -> Rect:
        """The rectangle that the letters cover."""
        free = self.place.width - self.width
        left = self.place.x + (0.0 if self.side == "left" else free if self.side == "right" else free / 2)
        return Rect(left, self.place.y, self.width, self.place.height)


class ChangeBar(Struct, frozen=True):
    """The difference of a path to the baseline: ``share`` of half of the ``track``, from its middle, with its sign."""

    path: int
    track: Rect
    share: float

    @property
    def bar(self) -> Rect:
        middle, half = self.track.x + self.track.width / 2, self.track.width / 2
        length = half * abs(self.share)
        return Rect(middle if self.share > 0 else middle - length, self.track.y, length, self.track.height)


def font_of(base: QFont, size: float, bold: bool = False) -> QFont:
    """A font that scales linearly with the diagram."""
    font = QFont(base)
    font.setPixelSize(max(1, round(size)))
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def write(
    base: QFont,
    text: str,
    place: Rect,
    size: float = TEXT,
    *,
    bold: bool = False,
    side: Side = "centre",
    muted: bool = False,
) -> Written:
    """Fits ``text`` into ``place``."""
    text = shown_line(text)
    width = advance(text, QFontMetricsF(font_of(base, size, bold)))
    while width > place.width and size - 1 >= SHRUNK * TEXT:
        size -= 1
        width = advance(text, QFontMetricsF(font_of(base, size, bold)))
    if width > place.width:
        metrics = QFontMetricsF(font_of(base, size, bold))
        text = elided(text, metrics, place.width)
        width = advance(text, metrics)
    return Written(text, place, size, width, bold, side, muted)


def texts(figures: BlockFigures, show: Show, base: QFont) -> Iterator[Written]:
    """Titles, names, figures and labels of the diagram."""
    diagram = figures.diagram
    for frame in diagram.frames:
        yield write(base, frame.title, frame.title_place, side="left", muted=True)
    for box in diagram.boxes:
        yield from _in_box(box, figures, base)
    for arrow in drawn(diagram, figures):
        yield from _at_arrow(arrow, figures, show, base)


def drawn(diagram: Diagram, figures: BlockFigures) -> list[Arrow]:
    """The visible arrows."""
    hidden = {path.path for path in figures.hidden} - set(figures.shown)
    return [arrow for arrow in diagram.arrows if arrow.path not in hidden]


def all_notes(figures: BlockFigures, show: Show) -> list[str]:
    """The notes beside the diagram: with a baseline, first how it is shown."""
    lines = notes(figures, show, marked(figures, show))
    baseline = figures.baseline
    return lines if baseline is None else [PARENTHESES if baseline.block else NO_BASELINE, *lines]


def marked(figures: BlockFigures, show: Show) -> list[PathFigures]:
    """Paths whose remarks do not fit beside their arrows."""
    return [
        figures.shown[arrow.path]
        for arrow in drawn(figures.diagram, figures)
        if arrow.path in figures.shown and label(figures.shown[arrow.path], show)[1] and not _roomy(arrow)
    ]


def _in_box(box: Box, figures: BlockFigures, base: QFont) -> Iterator[Written]:
    lines = box_lines(box, figures)
    rect = box.rect
    top = rect.y + (rect.height - LABEL * (1 + len(lines))) / 2
    room = Rect(rect.x + INSET, top, rect.width - 2 * INSET, LABEL)
    yield write(base, box.name, room, bold=True)
    for number, line in enumerate(lines, start=1):
        yield write(base, line, Rect(room.x, top + LABEL * number, room.width, LABEL))


def _roomy(arrow: Arrow) -> bool:
    return arrow.label.height > LABEL


def change_bars(figures: BlockFigures, show: Show, base: QFont) -> Iterator[ChangeBar]:
    """The bars of differences below the figures of the arrows; none without a baseline."""
    most = 0.0 if figures.baseline is None else largest(figures, show)
    for arrow in drawn(figures.diagram, figures) if most else ():
        more = difference(arrow.path, figures, show)
        if more:
            extent = next(_at_arrow(arrow, figures, show, base)).extent
            width = max(extent.width, NARROWEST_BAR)
            track = Rect(extent.x + (extent.width - width) / 2, extent.bottom - 1, width, BAR)
            yield ChangeBar(arrow.path, track, more / most)


def _at_arrow(arrow: Arrow, block: BlockFigures, show: Show, base: QFont) -> Iterator[Written]:
    figure, remark = label_of(arrow.path, block, show)
    place, missing = arrow.label, label(block.shown.get(arrow.path), show)[0] == label(None, show)[0]
    if not _roomy(arrow):
        text = figure + MARK if remark else figure
        yield write(base, text, place, side=arrow.side, muted=missing)
        return
    lines = _wrapped(base, remark, place.width, round(place.height / LABEL) - 1)
    over = place.y < arrow.lines[0].points[0][1]  # the figure goes next to its arrow, the remark beyond it
    first = place.bottom - LABEL * (1 + len(lines)) if over else place.y
    yield write(base, figure, Rect(place.x, first, place.width, LABEL), muted=missing)
    for number, line in enumerate(lines, start=1):
        yield write(base, line, Rect(place.x, first + LABEL * number, place.width, LABEL), SMALL, muted=True)


def _wrapped(base: QFont, text: str, width: float, most: int) -> list[str]:
    """``text`` in at most ``most`` lines, wrapped at spaces."""
    metrics = QFontMetricsF(font_of(base, SMALL))
    lines: list[str] = []
    for word in shown_line(text).split():
        if lines and (len(lines) == most or advance(f"{lines[-1]} {word}", metrics) <= width):
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


PAD = 8.0
SIDE_SHARE = 0.2
SIDE_EMS = (15.0, 17.0)
"""Least and greatest width of the side column, in widths of the letter m."""
WORTHWHILE = 1.05
"""Legend and notes are below the diagram if that makes it larger by more than this factor."""
LEGEND_LINES = 7
BELOW_LINES = (7, 18)
"""Least and greatest number of lines below the diagram; more than the least only if there is room."""
MOST_SCALE = 2.5
DEEPEST = 12.0
"""Greatest zoom factor."""
REACH = 7.0
"""An arrow is hit within this distance in pixels of the screen."""


class Layout(Struct, frozen=True):
    """``plot``: the visible area of the diagram; ``legend`` and ``notes`` beside or below it. A logical pixel of the
    diagram takes ``scale`` pixels; its upper left corner is at ``origin``."""

    plot: QRectF
    legend: QRectF
    notes: QRectF
    scale: float
    origin: QPointF

    def at(self, point: QPointF) -> Point:
        """The point of the diagram at a point of the screen."""
        return (point.x() - self.origin.x()) / self.scale, (point.y() - self.origin.y()) / self.scale


def lay_out(place: QRectF, diagram: Diagram, view: PlaneView, metrics: QFontMetricsF) -> Layout:
    """Divides ``place`` into its parts, and centres the visible part of the diagram in its area. Legend and notes are
    beside it, or below it where that leaves a larger diagram."""
    inside = place.adjusted(PAD, PAD, -PAD, -PAD)
    beside, below = _beside(inside, metrics), _below(inside, diagram, metrics)
    larger = _fit(below[0], diagram) > WORTHWHILE * _fit(beside[0], diagram)
    area, legend, notes = below if larger else beside
    scale = max(_fit(area, diagram), 1e-3) * view.x.size / view.x.width
    origin = QPointF(
        _edge(area.left(), area.width(), diagram.width * scale, _middle(view.x)),
        _edge(area.top(), area.height(), diagram.height * scale, _middle(view.y)),
    )
    return Layout(area, legend, notes, scale, origin)


def _fit(area: QRectF, diagram: Diagram) -> float:
    """The scale at which the whole diagram is visible in ``area``."""
    return min(area.width() / diagram.width, area.height() / diagram.height, MOST_SCALE)


def _beside(inside: QRectF, metrics: QFontMetricsF) -> tuple[QRectF, QRectF, QRectF]:
    """The areas of diagram, legend and notes, with these in a column at the right."""
    em, line = metrics.horizontalAdvance("m"), math.ceil(metrics.height())
    width = min(max(inside.width() * SIDE_SHARE, SIDE_EMS[0] * em), SIDE_EMS[1] * em)
    area = QRectF(inside.left(), inside.top(), max(inside.width() - width - 2 * PAD, 1.0), inside.height())
    legend = QRectF(area.right() + 2 * PAD, area.top(), width, LEGEND_LINES * line)
    notes = QRectF(legend.left(), legend.bottom() + PAD, width, max(area.bottom() - legend.bottom() - PAD, 0.0))
    return area, legend, notes


def _below(inside: QRectF, diagram: Diagram, metrics: QFontMetricsF) -> tuple[QRectF, QRectF, QRectF]:
    """The areas of diagram, legend and notes, with these in a row below."""
    line = math.ceil(metrics.height())
    used = min(inside.width() / diagram.width, MOST_SCALE) * diagram.height
    left = max(inside.height() - PAD - used, BELOW_LINES[0] * line)
    below = min(left, BELOW_LINES[1] * line, max(inside.height() / 2, inside.height() - PAD - used))
    area = QRectF(inside.left(), inside.top(), inside.width(), max(inside.height() - below - PAD, 1.0))
    half = (inside.width() - 2 * PAD) / 2
    legend = QRectF(area.left(), area.bottom() + PAD, half, below)
    notes = QRectF(legend.right() + 2 * PAD, legend.top(), half, below)
    return area, legend, notes


def _middle(span: Span) -> float:
    return (span.start + span.end) / 2 / span.size


def _edge(start: float, room: float, size: float, middle: float) -> float:
    """Where the diagram begins along one axis: centred if it fits, otherwise with ``middle`` (a share of its size) in
    the centre as far as no room is wasted."""
    if size <= room:
        return start + (room - size) / 2
    return min(max(start + room / 2 - size * middle, start + room - size), start)


def arrow_at(layout: Layout, arrows: list[Arrow], point: QPointF) -> Arrow | None:
    """The arrow nearest to ``point``, or the one whose label is under it."""
    x, y = layout.at(point)
    for arrow in arrows:
        if _inside(arrow.label, x, y):
            return arrow
    distances = [(distance_to(arrow, (x, y)), number) for number, arrow in enumerate(arrows)]
    nearest, number = min(distances, default=(math.inf, -1))
    return arrows[number] if nearest * layout.scale <= REACH else None


def box_at(layout: Layout, diagram: Diagram, point: QPointF) -> Box | None:
    """The box under ``point``."""
    x, y = layout.at(point)
    return next((box for box in diagram.boxes if _inside(box.rect, x, y)), None)


def distance_to(arrow: Arrow, point: Point) -> float:
    """Distance of ``point`` from the arrow's lines, in logical pixels."""
    return min(
        _from_segment(point, first, second)
        for line in arrow.lines
        for first, second in zip(line.points, line.points[1:], strict=False)
    )


def _inside(rect: Rect, x: float, y: float) -> bool:
    return rect.x <= x <= rect.right and rect.y <= y <= rect.bottom


def _from_segment(point: Point, first: Point, second: Point) -> float:
    (x, y), (ax, ay), (bx, by) = point, first, second
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = 0.0 if not length else min(max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0.0), 1.0)
    return math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
