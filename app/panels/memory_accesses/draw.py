"""Drawing of memory accesses, for the screen and for export."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from app.language import tr
from app.profile.arrays import I64, U32
from app.views.colours import blend, fitted
from app.views.memory_accesses.raster import Bars, Window
from app.views.memory_accesses.records import ALL, LOAD, OTHER, STORE, Records
from app.views.theme import Theme
from app.views.timeline.ticks import multiples, nice_step
from app.widgets.plane.axes import Tick, draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.view import GAP, PlaneLayout
from app.widgets.texts import advance

GREEN, RED, PINK = "#009E73", "#D55E00", "#CC79A7"
"""Colours of loads, stores and others, distinguishable with colour blindness."""
SINGLY = 2000
"""Up to this many bars are drawn one by one: stores hatched, with their letter if it fits."""
WIDEST, LOWEST = 28.0, 3.0
HATCHED = 4.0
LETTER = 12.0
SWATCH = 12.0
SINGLE = Qt.TextFlag.TextSingleLine.value
CENTRED = Qt.AlignmentFlag.AlignCenter.value | SINGLE
SEVERAL = 8
"""The legend's entry for a pixel that several kinds touch."""
WORDS = {LOAD: "LOAD", STORE: "STORE", OTHER: tr("other"), SEVERAL: tr("several here")}


class KindStyle(Struct, frozen=True, eq=False):
    """How the kinds of bars look, by their bits. ``fills``: colours in a theme; ``patterns`` over them; ``letters`` in
    large bars; ``broken``: the kind whose bars are interrupted where they are too low for a pattern; ``across``: what
    the horizontal axis counts."""

    words: dict[int, str]
    fills: Callable[[Theme], dict[int, str]]
    patterns: dict[int, Qt.BrushStyle]
    letters: dict[int, str]
    broken: int
    across: str


class Kinds(NamedTuple):
    """Bits of the kinds that the file has, and of the visible ones."""

    present: int
    shown: int


def colours(theme: Theme) -> dict[int, str]:
    """The colour of each kind; pixels touched by several kinds get the text colour."""
    made = {LOAD: GREEN, STORE: RED, OTHER: PINK}
    fitting = {kind: fitted(colour, theme) for kind, colour in made.items()}
    return {**fitting, SEVERAL: theme.text}


_PATTERNS = {STORE: Qt.BrushStyle.BDiagPattern, OTHER: Qt.BrushStyle.Dense5Pattern}
OPERATIONS = KindStyle(
    WORDS, colours, _PATTERNS, {kind: WORDS[kind][0] for kind in (LOAD, STORE, OTHER)}, STORE, tr("record")
)


def draw_accesses(
    painter: QPainter,
    layout: PlaneLayout,
    bars: Bars,
    kinds: Kinds,
    title: str,
    theme: Theme,
    style: KindStyle = OPERATIONS,
) -> None:
    """Draws axes, gaps, bars and the legend."""
    painter.save()
    _draw_axes(painter, layout, bars.records, theme, style.across)
    _draw_gaps(painter, layout, bars.records, theme)
    view, plot = layout.view, layout.plot
    ratio = painter.device().devicePixelRatio()
    wide, high = max(1, round(plot.width() * ratio)), max(1, round(plot.height() * ratio))
    window = Window(view.x.start, view.x.end, view.y.start, view.y.end, wide, high)
    few = bars.inside(window) if bars.count(window) <= 20 * SINGLY else None
    painter.setClipRect(plot)
    if few is not None and len(few) <= SINGLY:
        _draw_singly(painter, layout, bars.records, few, theme, style)
    else:
        _draw_raster(painter, layout, bars, window, theme, style)
    painter.setClipping(False)
    draw_frame(painter, layout, theme)
    entries = legend(layout, kinds.present, style)
    draw_title(painter, layout, title, theme, layout.head.right() - min(place.left() for _, place in entries))
    _draw_legend(painter, entries, kinds.shown, theme, style)
    painter.restore()


def box_of(layout: PlaneLayout, records: Records, place: int) -> QRectF:
    """The rectangle of a bar, enlarged if necessary to be visible."""
    left, right = layout.x_of(float(records.x[place])), layout.x_of(float(records.x[place]) + 1)
    width = min(max((right - left) * 0.8, 1.0), WIDEST)
    top, bottom = layout.y_of(float(records.high[place])), layout.y_of(float(records.low[place]))
    return QRectF(
        (left + right - width) / 2 if right - left > 1 else left,
        top - max(LOWEST - (bottom - top), 0.0) / 2,
        width,
        max(bottom - top, LOWEST),
    )


def legend(layout: PlaneLayout, present: int, style: KindStyle = OPERATIONS) -> list[tuple[int, QRectF]]:
    """(kind, rectangle) of the legend's entries, at the right of the heading."""
    x = layout.head.right() - GAP
    entries = []
    several = (SEVERAL,) if present & (present - 1) else ()
    for kind in (*several, *(kind for kind in (OTHER, STORE, LOAD) if kind & present)):
        width = SWATCH + 6 + advance(style.words[kind], layout.metrics)
        x -= width
        entries.append((kind, QRectF(x, layout.head.top(), width, layout.head.height())))
        x -= 2 * GAP
    return entries[::-1]


def draw_marks(
    painter: QPainter, layout: PlaneLayout, records: Records, selected: Iterable[int], hovered: int, theme: Theme
) -> None:
    """Draws selected bars filled with an outline, and the outline of the hovered one."""
    painter.save()
    painter.setClipRect(layout.plot.adjusted(-1, -1, 1, 1))
    painter.setPen(QPen(QColor(theme.surface), 1))
    painter.setBrush(QColor(theme.selection))
    for place in selected:
        box = box_of(layout, records, place)
        painter.drawRect(box.adjusted(-2, -2, 2, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if hovered >= 0:
        box = box_of(layout, records, hovered).adjusted(-2, -2, 2, 2)
        painter.setPen(QPen(QColor(theme.surface), 3))
        painter.drawRect(box)
        painter.setPen(QPen(QColor(theme.hover), 1))
        painter.drawRect(box)
    painter.restore()


def _draw_axes(painter: QPainter, layout: PlaneLayout, records: Records, theme: Theme, title: str) -> None:
    view, plot = layout.view, layout.plot
    step = max(nice_step(view.x.width, int(plot.width() / 90)), 1.0)
    start, end = view.x.start + records.origin, view.x.end + records.origin
    across = [Tick(number - records.origin + 0.5, f"{number:,.0f}") for number in multiples(start, end, step)]
    draw_x(painter, layout, across, title, theme)
    most = int(plot.height() / (2.2 * layout.line))
    up = [Tick(place, f"{address:#x}") for place, address in records.axis.ticks(view.y.start, view.y.end, most)]
    draw_y(painter, layout, up, theme)


def _draw_gaps(painter: QPainter, layout: PlaneLayout, records: Records, theme: Theme) -> None:
    """Draws shortened gaps on the address axis."""
    painter.setPen(Qt.PenStyle.NoPen)
    for low, high, _ in records.axis.gaps():
        top, bottom = layout.y_of(high), layout.y_of(low)
        if bottom >= layout.plot.top() and top <= layout.plot.bottom():
            band = QRectF(layout.plot.left(), top, layout.plot.width(), bottom - top).intersected(layout.plot)
            painter.fillRect(band, QColor(theme.raised))
            painter.fillRect(band, QBrush(QColor(theme.line), Qt.BrushStyle.BDiagPattern))


def _draw_raster(
    painter: QPainter, layout: PlaneLayout, bars: Bars, window: Window, theme: Theme, style: KindStyle
) -> None:
    picture = bars.raster(window)
    known = style.fills(theme)
    table = np.full(ALL + 1, _packed(theme.text), np.uint32)
    table[0] = 0
    for kind in (LOAD, STORE, OTHER):
        table[kind] = _packed(known[kind])
    pixels: U32 = np.take(table, picture)
    image = QImage(
        pixels.data, window.width, window.height, window.width * 4, QImage.Format.Format_ARGB32_Premultiplied
    )
    painter.drawImage(layout.plot, image)


def _draw_singly(
    painter: QPainter, layout: PlaneLayout, records: Records, places: I64, theme: Theme, style: KindStyle
) -> None:
    known = style.fills(theme)
    line = layout.line
    for place in places.tolist():
        kind, box = int(records.kind[place]), box_of(layout, records, place)
        if kind == style.broken and box.height() < HATCHED <= box.width():
            third = box.width() / 3  # a bar too low for hatching is interrupted in the middle
            painter.fillRect(box.adjusted(0, 0, -2 * third, 0), QColor(known[kind]))
            painter.fillRect(box.adjusted(2 * third, 0, 0, 0), QColor(known[kind]))
            continue
        painter.fillRect(box, QColor(known[kind]))
        if kind in style.patterns and box.width() >= HATCHED and box.height() >= HATCHED:
            ink = QColor(blend(known[kind], theme.surface, 0.6))
            painter.fillRect(box, QBrush(ink, style.patterns[kind]))
        if box.width() >= LETTER and box.height() >= line:
            spot = QRectF(box.center().x() - 5, box.center().y() - line / 2, 10, line)
            painter.fillRect(spot, QColor(theme.surface))
            painter.setPen(QColor(theme.text))
            painter.drawText(spot, CENTRED, style.letters[kind])


def _draw_legend(
    painter: QPainter, entries: list[tuple[int, QRectF]], kinds: int, theme: Theme, style: KindStyle
) -> None:
    """Draws the legend; a click on an entry hides that kind."""
    known = style.fills(theme)
    for kind, place in entries:
        there = bool(kinds & kind) or kind == SEVERAL
        swatch = QRectF(place.left(), place.center().y() - SWATCH / 2, SWATCH, SWATCH)
        if there:
            painter.fillRect(swatch, QColor(known[kind]))
            if kind in style.patterns:
                painter.fillRect(swatch, QBrush(QColor(blend(known[kind], theme.surface, 0.6)), style.patterns[kind]))
        else:
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawRect(swatch)
        painter.setPen(QColor(theme.text if there else theme.muted))
        text = place.adjusted(SWATCH + 6, 0, 1, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, style.words[kind])
        if not there:
            middle = text.center().y()
            painter.drawLine(QPointF(text.left(), middle), QPointF(text.right(), middle))


def _packed(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
