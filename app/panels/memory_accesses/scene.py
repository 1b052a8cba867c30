"""Memory accesses as a scene of a plane: record number against address. Items are indices of the records."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.panels.memory_accesses.draw import OPERATIONS, SEVERAL, Kinds, KindStyle, draw_accesses, draw_marks, legend
from app.profile.arrays import I64, union
from app.profile.ascend import MemoryAccesses
from app.views.look import Look
from app.views.memory_accesses.raster import Bars, Window
from app.views.memory_accesses.records import Filter
from app.views.memory_accesses.words import about
from app.views.plane.nearest import nearest_beside
from app.views.units import size
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

LEAST_RECORDS, LEAST_BYTES = 8.0, 64.0
REACH = 4.0
MOST_MARKED = 2000


class AccessScene(PlainScene, Struct, frozen=True, eq=False):
    """``wanted``: the filter that ``bars`` were made for; ``present``: bits of all kinds in the file."""

    section: MemoryAccesses
    bars: Bars
    wanted: Filter
    present: int
    compact: bool
    title: str

    @property
    def style(self) -> KindStyle:
        """How the kinds of bars look."""
        return OPERATIONS

    @property
    def rows(self) -> I64:
        """int64: the row of the section that each bar is, -1 none."""
        return self.bars.records.row

    def about(self, place: int, look: Look, others: int) -> str:
        """The tool tip of a bar, with ``others`` at the same place."""
        return about(self.section, int(self.bars.records.row[place]), look.bytes_as, others)

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
