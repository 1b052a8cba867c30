"""Memory accesses over addresses, of one profile or of both: the scene (items are indices of its records), and how it
is drawn on the screen and for export."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QImage, QPainter, QPen

from app.analysis.compare.operators import BIT_AFTER, BIT_BEFORE, BIT_BOTH, MergedAccesses
from app.language import plural, tr
from app.panels.spec import scene_plot
from app.profile.arrays import I64, U32, distinct, union
from app.profile.ascend import MemoryAccesses
from app.profile.profile import Profile
from app.views.colours import blend, fitted
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.look import Look, Theme
from app.views.memory_accesses.raster import Bars, Window
from app.views.memory_accesses.records import (
    ALL,
    LOAD,
    OTHER,
    STORE,
    Filter,
    Records,
    about,
    chosen,
    commonest,
    kinds_of,
    placed,
    records,
    space_name,
)
from app.views.plane.nearest import nearest_beside
from app.views.timeline.ticks import multiples, nice_step
from app.views.units import size
from app.widgets.plane.axes import Tick, draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

LEAST_RECORDS, LEAST_BYTES = 8.0, 64.0
REACH = 4.0
MOST_MARKED = 2000


class AccessScene(PlainScene, Struct, frozen=True, eq=False):
    """``wanted``: the filter that ``bars`` were made for; ``present``: bits of all kinds in the file. ``merged``: the
    bars are the accesses of a baseline, too, in one order, and their kinds are which side has them."""

    section: MemoryAccesses
    bars: Bars
    wanted: Filter
    present: int
    compact: bool
    title: str
    merged: MergedAccesses | None = None

    @property
    def style(self) -> KindStyle:
        """How the kinds of bars look."""
        return OPERATIONS if self.merged is None else SIDES

    @property
    def rows(self) -> I64:
        """int64: the row of the section that each bar is, -1 none."""
        rows = self.bars.records.row
        return rows if self.merged is None else self.merged.rows_after[rows]

    def about(self, place: int, look: Look, others: int) -> str:
        """The tool tip of a bar, with ``others`` at the same place."""
        row = int(self.bars.records.row[place])
        if self.merged is None:
            return about(self.section, row, look.bytes_as, others)
        before, after = int(self.merged.rows_before[row]), int(self.merged.rows_after[row])
        baseline = self.merged.comparison.before.memory_accesses
        if after < 0 and baseline is not None:
            lines = [ONLY_BASELINE.capitalize(), about(baseline, before, look.bytes_as)]
        elif before < 0 or baseline is None:
            lines = [ONLY_COMPARISON.capitalize(), about(self.section, after, look.bytes_as)]
        else:
            record, address = int(baseline.record[before]), int(baseline.address[before])
            where = tr("the same address") if address == int(self.section.address[after]) else f"{address:#x}"
            lines = [
                about(self.section, after, look.bytes_as),
                tr("Baseline: record {record:,}, {where}", record=record, where=where),
            ]
        if others:
            lines.append(tr("and {others:,} more at this pixel: zoom in to tell them apart", others=others))
        return "\n".join(lines)

    @property
    def shape(self) -> tuple[object, ...]:
        records = self.bars.records
        return self.wanted.space, self.compact, records.width, records.axis.size

    def whole(self) -> PlaneView:
        records = self.bars.records
        return PlaneView.whole(records.width, records.axis.size, (LEAST_RECORDS, LEAST_BYTES))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        longest = "0x" + "0" * (len(f"{int(self.bars.records.axis.end[-1]):x}") + 1)
        return lay_out(place, view, metrics, advance(longest, metrics) + 2 * GAP)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        draw_accesses(
            painter, layout, self.bars, Kinds(self.present, self.wanted.kinds), self.title, look.theme, self.style
        )

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        shown = marks.selected[:MOST_MARKED].tolist()
        draw_marks(painter, layout, self.bars.records, shown, marks.item, look.theme)

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        near = self._near(layout, point)
        return int(near[0]) if len(near) else -1

    def legend_at(self, layout: PlaneLayout, point: QPointF) -> int:
        if not layout.head.contains(point):
            return -1
        entries = legend(layout, self.present, self.style)
        return next((kind for kind, place in entries if kind != SEVERAL and place.contains(point)), -1)

    def describe(self, layout: PlaneLayout, point: QPointF, look: Look) -> str:
        near = self._near(layout, point)
        if len(near):
            return self.about(int(near[0]), look, len(near) - 1)
        if not layout.plot.contains(point):
            return ""
        _, y = layout.at(point)
        for low, high, length in self.bars.records.axis.gaps():
            if low < y < high:
                return tr(
                    "No access in {size} ({bytes:,} B): shortened",
                    size=size(length, look.bytes_as),
                    bytes=length,
                )
        address = self.bars.records.axis.address(y)
        return "" if address is None else f"{address:#x} ({address:,})"

    def bounds(self, item: int) -> Bounds | None:
        records = self.bars.records
        if not 0 <= item < len(records.x):
            return None
        x = float(records.x[item])
        return x, x + 1, float(records.low[item]), float(records.high[item])

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, len(self.bars.records.x))

    def words(self, hit: Hit, look: Look) -> str:
        return self.about(hit.item, look, 0) if 0 <= hit.item < len(self.bars.records.x) else ""

    def walk(self, layout: PlaneLayout, hit: Hit, across: int, down: int) -> Hit:
        """The next record; up and down, the nearest one in view by address."""
        if across:
            return Hit(self.step(hit.item, across))
        records, view = self.bars.records, layout.view
        window = Window(view.x.start, view.x.end, view.y.start, view.y.end, 1, 1)
        there = union(self.bars.inside(window), [hit.item])
        middles = records.x[there] / view.x.width, -(records.low[there] + records.high[there]) / 2 / view.y.width
        return Hit(int(there[nearest_beside(*middles, int(np.searchsorted(there, hit.item)), (0, down))]))

    def _near(self, layout: PlaneLayout, point: QPointF) -> I64:
        """Indices of the accesses under the pointer, the nearest first."""
        if not layout.plot.contains(point):
            return np.empty(0, np.int64)
        left, low = layout.at(QPointF(point.x() - REACH, point.y() + REACH))
        right, high = layout.at(QPointF(point.x() + REACH, point.y() - REACH))
        x, y = layout.at(point)
        records = self.bars.records
        near = self.bars.inside(Window(left, right, low, high, 1, 1))
        beside = np.maximum(np.maximum(records.x[near] - x, x - records.x[near] - 1), 0) / max(
            layout.view.x.width, 1e-300
        )
        above = np.maximum(np.maximum(records.low[near] - y, y - records.high[near]), 0) / max(
            layout.view.y.width, 1e-300
        )
        far = np.hypot(beside * layout.plot.width(), above * layout.plot.height())
        return near[np.argsort(far, kind="stable")]


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


def _fills(theme: Theme) -> dict[int, str]:
    return {BIT_BOTH: theme.muted, BIT_AFTER: theme.more, BIT_BEFORE: theme.less, SEVERAL: theme.text}


SIDES = KindStyle(
    words={
        BIT_BOTH: tr("in both"),
        BIT_AFTER: ONLY_COMPARISON,
        BIT_BEFORE: ONLY_BASELINE,
        SEVERAL: tr("several here"),
    },
    fills=_fills,
    patterns={BIT_AFTER: Qt.BrushStyle.BDiagPattern, BIT_BEFORE: Qt.BrushStyle.Dense5Pattern},
    letters={BIT_BOTH: "=", BIT_AFTER: "+", BIT_BEFORE: "−"},
    broken=BIT_AFTER,
    across=tr("position in the merged order"),
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


def scene_of(
    section: MemoryAccesses, wanted: Filter, *, compact: bool, merged: MergedAccesses | None = None
) -> AccessScene:
    """The scene of the accesses that pass a filter; with ``merged``, those of both sides."""
    where = "" if wanted.space is None else tr(" to {space_name}", space_name=space_name(wanted.space))
    if merged is None:
        bars, kinds = Bars(records(section, wanted, compact=compact)), kinds_of(section.operation)
        title = tr("Memory accesses{where}: address over record number", where=where)
    else:
        kinds, width = merged.kind, float(max(len(merged.kind), 1))
        rows = chosen(merged.section, Filter(wanted.core, wanted.block_type, wanted.space, ALL))
        rows = rows[(kinds[rows] & wanted.kinds) > 0]
        bars = Bars(placed(merged.section, rows, rows, kinds[rows], width=width, compact=compact))
        title = tr("Memory accesses{where} of both: address over their order", where=where)
    present = int(np.bitwise_or.reduce(kinds, initial=0))
    return AccessScene(section, bars, wanted, present, compact, title, merged)


def summary(scene: AccessScene) -> str:
    """How many accesses are shown; of both sides: ``190 in both, 3 only in the baseline, 10 only in the
    comparison``."""
    merged = scene.merged
    if merged is not None:
        return tr(
            "{both:,} in both, {before:,} only in the baseline, {after:,} only in the comparison",
            both=merged.count(BIT_BOTH),
            before=merged.count(BIT_BEFORE),
            after=merged.count(BIT_AFTER),
        )
    shown, total = len(scene.bars.records.row), len(scene.section.record)
    if shown == total:
        return plural("{count:,} access", "{count:,} accesses", count=shown)
    return plural("{shown:,} of {count:,} access", "{shown:,} of {count:,} accesses", count=total, shown=shown)


def _scene(profile: Profile, _look: Look) -> AccessScene | None:
    """All accesses to the memory with the most accesses."""
    section = profile.memory_accesses
    if section is None:
        return None
    space = commonest(section.space, set(distinct(section.space).tolist()))
    return scene_of(section, Filter(space=space), compact=True)


def has_accesses(profile: Profile) -> bool:
    return profile.memory_accesses is not None and len(profile.memory_accesses.record) > 0


PLOTS = (scene_plot("memory-accesses", tr("Memory accesses"), has_accesses, _scene),)
