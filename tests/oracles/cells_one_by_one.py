"""Paints the cells of tables and trees one by one, as an item delegate of Qt would: the views must look like this."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QImage, QPainter, QPolygonF
from PySide6.QtWidgets import QTreeView

from app.analysis.table import Column
from app.views.colours import blend, legible, text_on
from app.views.look import Theme
from app.views.units import NO_DATA
from app.widgets.code.colouring import colours
from app.widgets.code.table import CodeModel, pieces
from app.widgets.table.view import TableView
from app.widgets.texts import advance, shortened
from app.widgets.tree.view import TreeView, letters

LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine


def picture(view: TableView | TreeView, theme: Theme, scale: float) -> QImage:
    """The viewport of ``view`` on a screen of that scale, painted cell by cell."""
    image = QImage(view.viewport().size() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(QColor(theme.surface))
    painter = QPainter(image)
    index = view.indexAt(view.viewport().rect().topLeft()).siblingAtColumn(0)
    while index.isValid() and view.visualRect(index).top() < view.viewport().height():
        for place in range(view.model().columnCount()):
            cell = index.siblingAtColumn(place)
            if not view.visualRect(cell).isEmpty():
                Cell(view, cell, theme).paint(painter)
        index = view.indexBelow(index) if isinstance(view, QTreeView) else index.siblingAtRow(index.row() + 1)
    painter.end()
    return image


class Cell:
    """One cell of a view."""

    def __init__(self, view: TableView | TreeView, index: QModelIndex, theme: Theme) -> None:
        self.view, self.index, self.theme = view, index, theme
        self.rect = view.visualRect(index)
        self.place = index.column()
        self.number_font = view.cell_delegate.numbers.font
        if isinstance(view, TreeView):
            self.source = view.items.item(index)
            self.hovered = index.internalId() == view.cell_delegate.hovered
        else:
            self.source = int(view.items.rows[index.row()])
            self.hovered = index.row() == view.cell_delegate.hovered
        self.hovered = self.hovered or 0 <= self.source == view.cell_delegate.hovered_source
        self.selected = view.selectionModel().isSelected(index) or view.items.marked(self.source)

    @property
    def column(self) -> Column:
        return self.view.items.column(self.place)

    @property
    def text(self) -> str | None:
        items = self.view.items
        if isinstance(self.view, TreeView):
            own = None if self.place else self.view.items.label(self.index.internalId())
        else:
            own = items.own_text(self.place, self.source)
        return items.cells.text(self.place, self.source) if own is None and self.source >= 0 else own

    def paint(self, painter: QPainter) -> None:
        delegate, theme, rect, text = self.view.cell_delegate, self.theme, self.rect, self.text
        painter.fillRect(rect, QColor(self._ground()))
        left: QRect | None = rect
        if self.place in delegate.drawn and self.source >= 0:
            left = delegate.drawn[self.place].draw(painter, rect, self.source, theme)
        elif self.source >= 0 and text is not None:
            self._bar(painter)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, QColor(blend(theme.surface, theme.line, 0.6)))
        if left is not None and (self.source >= 0 or text is not None):
            self._words(painter, left, text)
        if self.hovered:
            painter.setPen(QColor(theme.hover))
            painter.drawLine(rect.left(), rect.top(), rect.right(), rect.top())
            painter.drawLine(rect.left(), rect.bottom() - 1, rect.right(), rect.bottom() - 1)
        if self.index == self.view.currentIndex() and self.view.hasFocus():
            painter.setPen(QColor(theme.accent))
            painter.drawRect(rect.adjusted(0, 0, -1, -2))

    def _ground(self) -> str:
        """The colour behind the text."""
        theme, statuses = self.theme, self.view.cell_delegate.statuses
        if self.selected:
            return blend(theme.surface, theme.selection, 0.24)
        status = 0 if statuses is None or self.source < 0 else statuses[self.source]
        return blend(theme.surface, theme.less if status == 1 else theme.more, 0.16) if status else theme.surface

    def _bar(self, painter: QPainter) -> None:
        full = self.view.cell_delegate.bars.get(self.place, 100.0 if self.column.unit == "%" else 0.0)
        value = self.column.value(self.source) if full else None
        if isinstance(value, int | float) and value > 0:
            width = round((self.rect.width() - 1) * min(value / full, 1.0))
            share = 0.54 if self.selected else 0.30
            colour = QColor(blend(self.theme.surface, self.theme.accent, share))
            painter.fillRect(self.rect.x(), self.rect.y() + 2, max(width, 1), self.rect.height() - 5, colour)

    def _words(self, painter: QPainter, rect: QRect, text: str | None) -> None:
        items, theme = self.view.items, self.theme
        ink = None
        if not isinstance(self.view, TreeView):
            ink = items.ink(self.place, self.source)
        elif not self.place:
            rect = self._arrow_and_badge(painter, self.view, rect)
        colour = QColor(theme.text)
        if text is None or ink is not None:
            colour = QColor(legible(theme.muted if text is None or ink is None else ink, self._ground()))
        painter.setPen(colour)
        if text is not None and isinstance(items, CodeModel) and self.place == items.code_column:
            self._code(painter, rect, text, items, colour)
        else:
            self._text(painter, rect, text)

    def _arrow_and_badge(self, painter: QPainter, view: TreeView, rect: QRect) -> QRect:
        node = self.index.internalId()
        left = view.cell_delegate.indents.left(view.items.nodes.level(node))
        if view.items.hasChildren(self.index):
            middle = QRect(rect.x() + left, rect.y(), 16, rect.height()).center()
            x, y = middle.x() + 0.5, middle.y() + 0.5
            opened = view.isExpanded(self.index)
            corners = ((-4, -2), (4, -2), (0, 3)) if opened else ((-2, -4), (-2, 4), (3, 0))
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.theme.muted))
            painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
            painter.restore()
        rect = rect.adjusted(left + 12, 0, 0, 0)
        fill, kind = view.items.swatch(self.source), view.items.kind(self.source)
        if fill is None:
            return rect
        font = QFont(view.font())
        font.setPointSizeF(font.pointSizeF() * 0.72)
        font.setWeight(QFont.Weight.DemiBold)
        width = round(QFontMetricsF(font).horizontalAdvance("OT")) + 6
        badge = QRect(rect.x() + 6, rect.y() + 4, width, rect.height() - 9)
        painter.fillRect(badge, QColor(fill))
        painter.setFont(font)
        painter.setPen(QColor(text_on(fill)))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, letters(kind or ""))
        return rect.adjusted(width + 2, 0, 0, 0)

    def _text(self, painter: QPainter, rect: QRect, text: str | None) -> None:
        numbers = self.column.numeric and not (isinstance(self.view, TreeView) and not self.place)
        inner = rect.adjusted(8, 0, -8, -1)
        font = self.number_font if numbers and text is not None else self.view.font()
        metrics = QFontMetrics(font)
        painter.setFont(font)
        shown = NO_DATA if text is None else text
        if advance(shown, metrics) > inner.width():
            shown = shortened(shown, metrics, inner.width())
        painter.drawText(inner, RIGHT if numbers else LEFT, shown)

    def _code(self, painter: QPainter, rect: QRect, text: str, items: CodeModel, plain: QColor) -> None:
        inner = rect.adjusted(8, 0, 0, -1)
        painter.save()
        painter.setClipRect(inner)
        painter.setFont(self.number_font)
        x = inner.left()
        for piece, part in pieces(text, items.spans(self.source)):
            painter.setPen(plain if part is None else QColor(colours(self.theme)[part]))
            shown = piece.expandtabs(4)
            painter.drawText(QRect(x, inner.top(), inner.right() - x + 1, inner.height()), LEFT, shown)
            x += advance(shown, QFontMetrics(self.number_font))
        painter.restore()
