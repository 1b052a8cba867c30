"""The strip of blobs: a scene that zooms along one axis, and how it is drawn on the screen and for export."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.language import tr
from app.panels.spec import PlotSpec
from app.profile.arrays import U32, distinct
from app.profile.popef import BLOB_TYPES, blob_type
from app.profile.profile import Profile
from app.views.axis import Span
from app.views.blobs import Filling, dwarfed, filling, pixels
from app.views.colours import palette, text_on
from app.views.look import Look, Theme
from app.views.units import percent, size
from app.widgets.heat.draw import outline
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, draw_whole, neighbour
from app.widgets.plane.view import PlaneView
from app.widgets.texts import advance, elided

DEEPEST = 2.0**40


class StripScene(PlainScene, Struct, frozen=True, eq=False):
    """A scene whose items are blobs. ``names``: of the files."""

    strip: Filling
    names: Sequence[str]
    kind = ""

    @property
    def title(self) -> str:
        return tr("File layout")

    @property
    def shape(self) -> tuple[object, ...]:
        return (self.strip.size,)

    def whole(self) -> PlaneView:
        return PlaneView.whole(self.strip.size, 1.0, (self.strip.size / DEEPEST, 1.0))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> StripLayout:
        return lay_out(place, self.strip, view.x, metrics)

    def height(self, metrics: QFontMetricsF) -> int:
        return height_of(self.strip, metrics)

    def draw(self, painter: QPainter, layout: StripLayout, look: Look) -> None:
        draw_strip(painter, layout, self.strip, self.names, look)

    def draw_marks(self, painter: QPainter, layout: StripLayout, marks: Marks, look: Look) -> None:
        draw_strip_marks(painter, layout, self.strip, marks, look.theme)

    def item_at(self, layout: StripLayout, point: QPointF) -> int:
        """The largest blob in the pixel column under a point."""
        column = self._under(layout, point)
        return -1 if column is None else column[0]

    def describe(self, layout: StripLayout, point: QPointF, look: Look) -> str:
        column = self._under(layout, point)
        if column is None:
            return ""
        blob, count = column
        lines = [self.words(Hit(blob), look)]
        if count > 1:
            lines.append(tr("the largest of {count:,} blobs here", count=count))
        return "\n".join(lines)

    def words(self, hit: Hit, look: Look) -> str:
        blob, blobs = hit.item, self.strip.blobs
        if not 0 <= blob < len(self.strip):
            return ""
        taken, kind = int(blobs.size[blob]), blob_type(int(blobs.type[blob]))
        share = percent(100.0 * taken / max(float(blobs.size.sum(dtype="float64")), 1.0))
        lines = [
            f"{kind} {blob_name(self.strip, blob)}",
            tr(
                "{size} ({bytes:,} B), {share} of all blobs, at byte {offset:,}",
                size=size(taken, look.bytes_as),
                bytes=taken,
                share=share,
                offset=int(blobs.offset[blob]),
            ),
        ]
        return "\n".join(lines)

    def bounds(self, item: int) -> Bounds | None:
        return (*self.strip.ends(item), 0.0, 1.0) if 0 <= item < len(self.strip) else None

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, len(self.strip))

    def _under(self, layout: StripLayout, point: QPointF) -> tuple[int, int] | None:
        """(the largest blob, the number of blobs) in the pixel column under ``point``."""
        track = layout.plot
        if not track.contains(point):
            return None
        x = min(int(point.x() - track.left()), int(track.width()) - 1) + track.left()
        column = pixels(self.strip, layout.place_at(x), layout.place_at(x + 1), 1)
        return int(column.blob[0]), int(column.many[0])


SIDE = 8.0
TOP = 6.0
TRACK = 30.0
EDGE = 4.0
"""Height below the track, for the marks of selected blobs."""
SWATCH = 10.0
GAP = 6.0
NAME_ROOM = 36.0
MOST_NAMES = 400
MOST_MARKS = 2000
UNKNOWN = tr("unknown type")
WORDS = dict(zip(BLOB_TYPES, (tr("executable"), tr("metadata"), tr("tensor"), tr("feed"), tr("opaque")), strict=True))


class StripLayout(Struct, frozen=True, eq=False):
    """Geometry of the strip. ``files``: the row of file names (empty for a single file); ``plot``: the track of blobs;
    ``metrics``: of the font it was made for."""

    files: QRectF
    plot: QRectF
    legend: QRectF
    view: Span
    metrics: QFontMetricsF

    def at(self, point: QPointF) -> tuple[float, float]:
        """The position under a point of the screen; y is always 0, as there is no second axis."""
        return self.place_at(point.x()), 0.5

    def x_of(self, place: float) -> float:
        return self.plot.left() + (place - self.view.start) / self.view.width * self.plot.width()

    def place_at(self, x: float) -> float:
        return self.view.start + (x - self.plot.left()) / self.plot.width() * self.view.width

    def box(self, start: float, end: float) -> QRectF:
        """The visible part of a blob between two edges, at least 2 pixels wide."""
        left = min(max(self.x_of(start), self.plot.left()), self.plot.right())
        right = min(max(self.x_of(end), left), self.plot.right())
        return QRectF(left, self.plot.top(), max(right - left, 2.0), self.plot.height())


def lay_out(place: QRectF, strip: Filling, view: Span, metrics: QFontMetricsF) -> StripLayout:
    """Divides ``place`` into its parts; the track takes the remaining height."""
    line = math.ceil(metrics.height())
    files = line + 2 if len(strip.files) > 1 else 0
    inside = place.adjusted(SIDE, TOP, -SIDE, -2.0)
    below = line + EDGE + 6
    height = max(inside.height() - files - below, 8.0)
    track = QRectF(inside.left(), inside.top() + files, max(math.floor(inside.width()), 1.0), height)
    return StripLayout(
        QRectF(track.left(), inside.top(), track.width(), files),
        track,
        QRectF(track.left(), track.bottom() + EDGE + 4, track.width(), line),
        view,
        metrics,
    )


def height_of(strip: Filling, metrics: QFontMetricsF) -> int:
    """The preferred height of a strip."""
    line = math.ceil(metrics.height())
    files = line + 2 if len(strip.files) > 1 else 0
    return math.ceil(TOP + files + TRACK + EDGE + 6 + line + 2)


def draw_strip(painter: QPainter, layout: StripLayout, strip: Filling, file_names: Sequence[str], look: Look) -> None:
    """Draws the visible part of the strip."""
    metrics, colours = layout.metrics, type_colours(look.theme)
    _draw_blobs(painter, layout, strip, look.theme, colours)
    _draw_names(painter, layout, strip, colours, metrics)
    _draw_files(painter, layout, strip, file_names, look.theme, metrics)
    _draw_legend(painter, layout.legend, strip, look.theme, colours, metrics)


def draw_strip_marks(painter: QPainter, layout: StripLayout, strip: Filling, marks: Marks, theme: Theme) -> None:
    """Draws lines above and below selected blobs, and a frame around the hovered one."""
    accent, view = QColor(theme.selection), layout.view
    for blob in marks.selected[:MOST_MARKS].tolist():
        start, end = strip.ends(blob)
        if end >= view.start and start <= view.end:
            box = layout.box(start, end)
            painter.fillRect(QRectF(box.left(), box.bottom() + 1, box.width(), EDGE), accent)
            painter.fillRect(QRectF(box.left(), box.top() - 3, box.width(), 2), accent)
    if 0 <= marks.item < len(strip):
        outline(painter, layout.box(*strip.ends(marks.item)).adjusted(0, 0, -1, -1), theme)


def type_colours(theme: Theme) -> dict[int, str]:
    """The colour of each blob type; -1 stands for all unknown types."""
    chosen = palette(BLOB_TYPES, theme)
    return {**{number: chosen[name] for number, name in enumerate(BLOB_TYPES)}, -1: theme.muted}


def _draw_blobs(painter: QPainter, layout: StripLayout, strip: Filling, theme: Theme, colours: dict[int, str]) -> None:
    width = max(1, round(layout.plot.width() * painter.device().devicePixelRatio()))
    columns = pixels(strip, layout.view.start, layout.view.end, width)
    table = np.array([_packed(colours[number]) for number in (*range(len(BLOB_TYPES)), -1)], np.uint32)
    types = strip.blobs.type[columns.blob]
    row: U32 = table[np.where((types < 0) | (types >= len(BLOB_TYPES)), len(BLOB_TYPES), types)]
    row[columns.border] = _packed(theme.surface)
    row = np.ascontiguousarray(row)
    image = QImage(row.data, width, 1, width * 4, QImage.Format.Format_RGB32)
    painter.drawImage(layout.plot, image)


def _draw_names(
    painter: QPainter, layout: StripLayout, strip: Filling, colours: dict[int, str], metrics: QFontMetricsF
) -> None:
    room = NAME_ROOM * layout.view.width / layout.plot.width()
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    first, last = strip.at(layout.view.start), strip.at(layout.view.end)
    for count, (blob, start, end) in enumerate(strip.fitting(first, last, room)):
        if count >= MOST_NAMES:
            return
        box = layout.box(start, end).adjusted(4, 0, -3, 0)
        if box.width() < NAME_ROOM - 8:
            continue  # mostly out of view
        kind = int(strip.blobs.type[blob])
        painter.setPen(QColor(text_on(colours.get(kind, colours[-1]))))
        painter.drawText(box, flags, elided(blob_name(strip, blob), metrics, box.width(), Qt.TextElideMode.ElideMiddle))


def blob_name(strip: Filling, blob: int) -> str:
    """The name of a blob, or its type if it has none."""
    kind = blob_type(int(strip.blobs.type[blob]))
    return strip.blobs.strings.get(int(strip.blobs.name[blob])) or WORDS.get(kind, kind)


def _draw_files(
    painter: QPainter,
    layout: StripLayout,
    strip: Filling,
    names: Sequence[str],
    theme: Theme,
    metrics: QFontMetricsF,
) -> None:
    """Draws the names of the files above the track, each with a line where its blobs begin."""
    if len(strip.files) < 2:
        return
    starts = [float(strip.edges[first]) for _, first in strip.files]
    for (number, _), start, end in zip(strip.files, starts, [*starts[1:], strip.size], strict=True):
        left = max(layout.x_of(start), layout.plot.left())
        right = min(layout.x_of(end), layout.plot.right())
        if right - left < NAME_ROOM:
            continue
        painter.setPen(QColor(theme.line))
        painter.drawLine(QPointF(left, layout.files.top()), QPointF(left, layout.plot.top()))
        painter.setPen(QColor(theme.muted))
        box = QRectF(left + 4, layout.files.top(), right - left - 8, layout.files.height())
        text = elided(names[number], metrics, box.width(), Qt.TextElideMode.ElideMiddle)
        painter.drawText(box, Qt.TextFlag.TextSingleLine.value, text)


def _draw_legend(
    painter: QPainter, place: QRectF, strip: Filling, theme: Theme, colours: dict[int, str], metrics: QFontMetricsF
) -> None:
    """Draws each type with its share of the bytes, the largest first; types without room are in the table only."""
    x = place.left()
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    for number, text in legend(strip):
        width = advance(text, metrics)
        if x + SWATCH + GAP + width > place.right():
            return
        painter.fillRect(QRectF(x, place.center().y() - SWATCH / 2, SWATCH, SWATCH), QColor(colours[number]))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(x + SWATCH + GAP, place.top(), width + 4, place.height()), flags, text)
        x += SWATCH + GAP + width + 2 * GAP


def legend(strip: Filling) -> list[tuple[int, str]]:
    """(type, its name and share of the bytes), the largest first; type -1 stands for all unknown types."""
    types = np.where((strip.blobs.type < 0) | (strip.blobs.type >= len(BLOB_TYPES)), -1, strip.blobs.type)
    entries = []
    total = float(strip.blobs.size.sum(dtype=np.float64))
    for number in distinct(types).tolist():
        taken = float(strip.blobs.size[types == number].sum(dtype=np.float64))
        word = WORDS.get(blob_type(number), UNKNOWN) if number >= 0 else UNKNOWN
        share = percent(100.0 * taken / max(total, 1.0))
        entries.append((-taken, number, f"{word} {share}"))
    return [(number, text) for _, number, text in sorted(entries)]


def _packed(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)


HIGHEST = 120.0
"""Maximum height of the strip in an exported picture."""


def _offered(profile: Profile) -> bool:
    return profile.blobs is not None and len(profile.blobs) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    assert profile.blobs is not None
    strip = filling(profile.blobs, compact=dwarfed(profile.blobs))
    names = [path.name for path in profile.origin.paths]
    inside = QRectF(place.left(), place.top(), place.width(), min(place.height(), HIGHEST))
    draw_whole(painter, inside, StripScene(strip, names), Look(theme=theme))


PLOTS = (PlotSpec("blobs", tr("File layout"), _offered, _draw),)
