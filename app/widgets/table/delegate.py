"""Draws table cells: numbers in the monospaced font, "no data" muted, bars behind percentages, and the three marks
(selection filled, hover outlined, current cell underlined)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.analysis.table import Column
from app.profile.arrays import U8
from app.widgets.colours import blend
from app.widgets.table.cells import NO_DATA_TEXT, Cells, right_aligned
from app.widgets.table.model import Index
from app.widgets.texts import advance, shortened
from app.widgets.theme import Theme

PADDING = 8
SWATCH = 8
SELECTED = 0.24
BAR = 0.30
ONE_SIDED = 0.16

# plain ints: combining Qt's enums costs more than drawing a cell
_SELECTED = QStyle.StateFlag.State_Selected.value
_FOCUSED = QStyle.StateFlag.State_HasFocus.value
_TEXT_FLAGS = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value
_NUMBER_FLAGS = (
    Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value
)


class CellSource(Protocol):
    """What the delegate needs of a model. ``source``: the row of the table behind an index, -1 for none (then
    ``own_text`` is shown); ``identity``: what the hover mark is matched with; ``swatch``: a colour before the text;
    ``ink``: another colour for the text itself."""

    cells: Cells

    def source(self, index: Index) -> int: ...

    def identity(self, index: Index) -> int: ...

    def own_text(self, index: Index) -> str | None: ...

    def swatch(self, index: Index) -> str | None: ...

    def ink(self, index: Index) -> str | None: ...

    def marked(self, index: Index) -> bool: ...

    def column(self, section: int) -> Column: ...


class CellDrawing(Protocol):
    """Draws the cells of one column. ``width``: its preferred width in pixels."""

    width: int

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        """Draws the cell of a row of the table; returns the area left for its text, None for no text."""

    def tip(self, row: int) -> str:
        """The tool tip of a cell; "" for the default one."""


class CellDelegate(QStyledItemDelegate):
    """Draws cells with one call to the model per cell instead of Qt's seven. ``bars``: column -> the value of a full
    bar (percentages have 100 by default); ``drawn``: columns drawn by a CellDrawing; ``hovered``: identity of the row
    under the pointer, ``hovered_source``: row of the table that is hovered elsewhere; -1 for none. ``statuses``:
    uint8[rows of the table], 1 where only the baseline has a row, 2 where only the comparison has it. Subclasses
    override ``draw_cell_text`` or ``draw_text``; ``text_pen`` and ``muted_pen`` are those of the theme."""

    def __init__(self, model: CellSource, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered = -1
        self.hovered_source = -1
        self.bars: Mapping[int, float] = {}
        self.drawn: Mapping[int, CellDrawing] = {}
        self.statuses: U8 | None = None
        self._text_font, self.number_font = font, number_font(font)
        self._text_metrics, self.number_metrics = QFontMetrics(font), QFontMetrics(self.number_font)
        self._text_width = self._text_metrics.horizontalAdvance("W")  # only wider texts are measured
        self._number_width = self.number_metrics.horizontalAdvance("W")
        self.set_theme(theme)

    @property
    def row_height(self) -> int:
        """Height of a row: that of the text with some padding, in multiples of four pixels."""
        height = max(self._text_metrics.height(), self.number_metrics.height()) + 6
        return height + -height % 4

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.text_pen, self.muted_pen = QPen(QColor(theme.text)), QPen(QColor(theme.muted))
        self._selected = QColor(blend(theme.surface, theme.selection, SELECTED))
        self._bar = QColor(blend(theme.surface, theme.accent, BAR))
        self._bar_selected = QColor(blend(theme.surface, theme.accent, SELECTED + BAR))
        self._line = QColor(blend(theme.surface, theme.line, 0.6))
        self._one_sided = (
            None,
            QColor(blend(theme.surface, theme.less, ONE_SIDED)),
            QColor(blend(theme.surface, theme.more, ONE_SIDED)),
        )
        self._hover = QPen(QColor(theme.hover))
        self._accent = QPen(QColor(theme.accent))

    def width_of(self, column: int, text: str) -> int:
        """Width in pixels that ``text`` needs in a column."""
        metrics = self.number_metrics if right_aligned(self._model.column(column)) else self._text_metrics
        return advance(text, metrics) + 2 * PADDING

    def sizeHint(self, _: QStyleOptionViewItem, __: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(80, self.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        place = index.column()
        model = self._model
        source = model.source(index)
        column = model.column(place)
        rect: QRect = option.rect
        state = option.state.value
        selected = bool(state & _SELECTED) or model.marked(index)
        ground = None if self.statuses is None or source < 0 else self._one_sided[self.statuses[source]]
        if ground is not None:
            painter.fillRect(rect, ground)
        if selected:  # else the view's background shows, which is the surface colour
            painter.fillRect(rect, self._selected)
        text = model.own_text(index)
        if text is None and source >= 0:
            text = model.cells.text(place, source)
        left: QRect | None = rect
        if place in self.drawn and source >= 0:
            left = self.drawn[place].draw(painter, rect, source, self._theme)
        elif source >= 0 and text is not None:
            self._draw_bar(painter, rect, column, place, source, selected)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, self._line)
        if left is not None and (source >= 0 or text is not None):
            self.draw_cell_text(painter, left, text, index, column)
        if model.identity(index) == self.hovered or (source == self.hovered_source and source >= 0):
            painter.setPen(self._hover)
            painter.drawLine(rect.left(), rect.top(), rect.right(), rect.top())
            painter.drawLine(rect.left(), rect.bottom() - 1, rect.right(), rect.bottom() - 1)
        if state & _FOCUSED:
            painter.setPen(self._accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -2))

    def _draw_bar(
        self, painter: QPainter, rect: QRect, column: Column, place: int, source: int, selected: bool
    ) -> None:
        full = self.bars.get(place, 100.0 if column.unit == "%" else 0.0)
        value = column.value(source) if full else None
        if isinstance(value, int | float) and value > 0:
            width = round((rect.width() - 1) * min(value / full, 1.0))
            bar = self._bar_selected if selected else self._bar
            painter.fillRect(rect.x(), rect.y() + 2, max(width, 1), rect.height() - 5, bar)

    def draw_cell_text(
        self,
        painter: QPainter,
        rect: QRect,
        text: str | None,
        index: QModelIndex | QPersistentModelIndex,
        column: Column,
    ) -> None:
        """Draws the text in its colour, after its swatch if it has one."""
        swatch, ink = self._model.swatch(index), self._model.ink(index)
        if swatch is not None:
            painter.fillRect(rect.x() + PADDING - 2, rect.center().y() - 4, SWATCH, SWATCH, QColor(swatch))
            rect = rect.adjusted(SWATCH + 4, 0, 0, 0)
        painter.setPen(self.muted_pen if text is None else self.text_pen if ink is None else QColor(ink))
        self.draw_text(painter, rect, text, index, numbers=right_aligned(column))

    def draw_text(
        self, painter: QPainter, rect: QRect, text: str | None, _: QModelIndex | QPersistentModelIndex, *, numbers: bool
    ) -> None:
        """Draws the text of a cell in the painter's pen; a delegate for code overrides this."""
        inner = rect.adjusted(PADDING, 0, -PADDING, -1)
        metrics = self.number_metrics if numbers else self._text_metrics
        painter.setFont(self.number_font if numbers and text is not None else self._text_font)
        shown = NO_DATA_TEXT if text is None else text
        widest = self._number_width if numbers else self._text_width
        if len(shown) * widest > inner.width() and advance(shown, metrics) > inner.width():
            shown = shortened(shown, metrics, inner.width())
        painter.drawText(inner, _NUMBER_FLAGS if numbers else _TEXT_FLAGS, shown)


def number_font(font: QFont) -> QFont:
    """The system's monospaced font in the size of ``font``, so that digits line up."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if font.pointSizeF() > 0:
        fixed.setPointSizeF(font.pointSizeF())
    else:
        fixed.setPixelSize(font.pixelSize())
    return fixed
