"""The name column of a tree: indentation, expand arrow, and the kind as a small badge before the name: a colour, and
two letters for colour-blind users."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QObject, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPolygonF

from app.profile.arrays import Bool
from app.views.colours import blend, text_on
from app.views.theme import Theme
from app.views.tree.indents import ARROW, STEP, Indents
from app.widgets.table.cell_text import PADDING
from app.widgets.table.delegate import CellDelegate
from app.widgets.table.rows import Row
from app.widgets.texts import advance
from app.widgets.tree.model import TreeModel

SMALLER = 0.72
HIT = 0.22
"""How strong the highlight of a hit is."""
RIM = 2
"""Pixels of it on either side of the name."""
AROUND = 6
"""Horizontal padding of a badge in pixels."""
GAP = 6
CENTRED = Qt.AlignmentFlag.AlignCenter.value


class BadgeDelegate(CellDelegate):
    """Draws cells as tables do; in the name column also the expand arrow and, if the kind has a colour, a badge.
    ``indents``: those of the visible rows; ``hits``: bool[items], the items whose names are highlighted, None without a
    search."""

    def __init__(self, model: TreeModel, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(model, theme, font, parent)
        self._items = model
        self.indents = Indents(0, STEP)
        self.hits: Bool | None = None

    def set_font(self, font: QFont) -> None:
        super().set_font(font)
        self._badge_font = QFont(font)
        if font.pointSizeF() > 0:
            self._badge_font.setPointSizeF(font.pointSizeF() * SMALLER)
        self._badge_font.setWeight(QFont.Weight.DemiBold)
        self._badge_width = round(QFontMetricsF(self._badge_font).horizontalAdvance("OT")) + AROUND

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._hit = QColor(blend(theme.surface, theme.warning, HIT))

    def draw_texts(self, painter: QPainter, place: int, rows: Sequence[Row], rooms: Sequence[QRect | None]) -> None:
        if place:
            super().draw_texts(painter, place, rows, rooms)
            return
        for row, room in zip(rows, rooms, strict=True):
            if room is not None:
                self._draw_name(painter, room, row)

    def _draw_name(self, painter: QPainter, rect: QRect, row: Row) -> None:
        left = self.indents.left(row.level)
        if row.opened is not None:
            self._draw_arrow(painter, QRect(rect.x() + left, rect.y(), ARROW, rect.height()), opened=row.opened)
        rect = rect.adjusted(left + ARROW - PADDING // 2, 0, 0, 0)
        fill = self._items.swatch(row.source)
        if fill is not None:
            self._draw_badge(painter, rect, fill, self._items.kind(row.source) or "")
            rect = rect.adjusted(self._badge_width + GAP - 4, 0, 0, 0)
        label = self._items.label(row.identity)
        if self.hits is not None and 0 <= row.source < len(self.hits) and self.hits[row.source]:
            width = min(advance(label, self.words.metrics), rect.width() - 2 * PADDING) + 2 * RIM
            painter.fillRect(rect.x() + PADDING - RIM, rect.y() + 2, width, rect.height() - 5, self._hit)
        painter.setPen(self.text_pen)
        painter.setFont(self.words.font)
        self.words.draw(painter, rect, label)

    def _draw_badge(self, painter: QPainter, rect: QRect, fill: str, kind: str) -> None:
        badge = QRect(rect.x() + PADDING - 2, rect.y() + 4, self._badge_width, rect.height() - 9)
        painter.fillRect(badge, QColor(fill))
        painter.setFont(self._badge_font)
        painter.setPen(QColor(text_on(fill)))
        painter.drawText(badge, CENTRED, letters(kind))

    def _draw_arrow(self, painter: QPainter, place: QRect, *, opened: bool) -> None:
        x, y = place.center().x() + 0.5, place.center().y() + 0.5
        points = ((-4, -2), (4, -2), (0, 3)) if opened else ((-2, -4), (-2, 4), (3, 0))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.muted_pen.color())
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in points]))
        painter.restore()


@lru_cache(maxsize=1024)
def letters(kind: str) -> str:
    """Two letters that distinguish the kinds: ``OnTileExecute`` OT, ``DoExchange`` DE, ``Sync`` Sy, ``Sequence`` Se."""
    parts = re.findall(r"[A-Z][^A-Z]*|[^A-Z]+", kind)
    return "".join(part[0] for part in parts[:2]) if len(parts) > 1 else kind[:2]
