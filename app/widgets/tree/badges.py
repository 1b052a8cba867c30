"""The kinds of items as small badges before their names: a colour, and two letters for those to whom the colours
look alike."""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.analysis.table import Column
from app.widgets.colours import text_on
from app.widgets.table.delegate import PADDING, CellDelegate
from app.widgets.theme import Theme
from app.widgets.tree.model import TreeModel

SMALLER = 0.72
AROUND = 6
"""Pixels of a badge beside its letters."""
GAP = 6
CENTRED = Qt.AlignmentFlag.AlignCenter.value


class BadgeDelegate(CellDelegate):
    """Draws cells as tables do, and a badge where the model has a swatch."""

    def __init__(self, model: TreeModel, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(model, theme, font, parent)
        self._items = model
        self._badge_font = QFont(font)
        if font.pointSizeF() > 0:
            self._badge_font.setPointSizeF(font.pointSizeF() * SMALLER)
        self._badge_font.setWeight(QFont.Weight.DemiBold)
        self._badge_width = round(QFontMetricsF(self._badge_font).horizontalAdvance("OT")) + AROUND

    def _draw_cell_text(
        self,
        painter: QPainter,
        rect: QRect,
        text: str | None,
        index: QModelIndex | QPersistentModelIndex,
        column: Column,
    ) -> None:
        fill = self._items.swatch(index)
        if fill is None:
            super()._draw_cell_text(painter, rect, text, index, column)
            return
        kind = self._items.kind(self._items.source(index)) or ""
        badge = QRect(rect.x() + PADDING - 2, rect.y() + 4, self._badge_width, rect.height() - 9)
        painter.fillRect(badge, QColor(fill))
        painter.setFont(self._badge_font)
        painter.setPen(QColor(text_on(fill)))
        painter.drawText(badge, CENTRED, letters(kind))
        painter.setPen(self._muted if text is None else self._text)
        self.draw_text(painter, rect.adjusted(self._badge_width + GAP - 4, 0, 0, 0), text, index, numbers=False)


@lru_cache(maxsize=1024)
def letters(kind: str) -> str:
    """Two letters that tell the kinds apart: ``OnTileExecute`` OT, ``DoExchange`` DE, ``Sync`` Sy, ``Sequence`` Se."""
    parts = re.findall(r"[A-Z][^A-Z]*|[^A-Z]+", kind)
    return "".join(part[0] for part in parts[:2]) if len(parts) > 1 else kind[:2]
