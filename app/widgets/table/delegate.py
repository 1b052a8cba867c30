"""Draws table cells: numbers in the monospaced font, "no data" muted, bars behind percentages, and the three marks
(selection filled, hover outlined, current cell underlined)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.analysis.table import Column
from app.profile.arrays import U8
from app.views.colours import blend, legible
from app.views.differences import both_sides
from app.views.look import Theme
from app.views.table import Cells, right_aligned
from app.views.units import NO_DATA
from app.widgets.table.model import Row, Strip
from app.widgets.texts import advance, number_font, shortened

SELECTED = 0.24
BAR = 0.30
ONE_SIDED = 0.16


class CellSource(Protocol):
    """What the delegate needs of a model; ``source`` is a row of the table. ``own_text``: a text other than that of
    ``cells``; ``ink``: another colour for the text."""

    cells: Cells

    def own_text(self, column: int, source: int) -> str | None: ...

    def ink(self, column: int, source: int) -> str | None: ...

    def marked(self, source: int) -> bool: ...

    def column(self, section: int) -> Column: ...


class CellDrawing(Protocol):
    """Draws the cells of one column. ``width``: its preferred width in pixels."""

    width: int

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        """Draws the cell of a row of the table; returns the area left for its text, None for no text."""

    def tip(self, row: int) -> str:
        """The tool tip of a cell; "" for the default one."""


class CellDelegate(QStyledItemDelegate):
    """Draws the cells of a view, which has it paint all visible rows at once, column by column: Qt would ask the style
    and the delegate for every cell. ``bars``: column -> the value of a full bar (percentages have 100 by default);
    ``drawn``: columns drawn by a CellDrawing; ``hovered``: identity of the row under the pointer, ``hovered_source``:
    row of the table that is hovered elsewhere; -1 for none. ``statuses``: uint8[rows of the table], 1 where only the
    baseline has a row, 2 where only the comparison has it. Subclasses override ``draw_texts``;
    ``text_pen`` and ``muted_pen`` are those of the theme; ``grounds``: the colours behind texts, of any row, one that
    only the baseline or only the comparison has, and a selected one."""

    def __init__(self, model: CellSource, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.hovered = -1
        self.hovered_source = -1
        self.bars: Mapping[int, float] = {}
        self.drawn: Mapping[int, CellDrawing] = {}
        self.statuses: U8 | None = None
        self.set_font(font)
        self.set_theme(theme)

    def set_font(self, font: QFont) -> None:
        """Draws texts in ``font``, and figures in the monospaced font of the same size."""
        self.words, self.numbers = CellTextPainter(font, right=False), CellTextPainter(number_font(font), right=True)
        self._missing_number = CellTextPainter(font, right=True)

    @property
    def row_height(self) -> int:
        """Height of a row: that of the text with some padding, in multiples of four pixels."""
        height = max(self.words.metrics.height(), self.numbers.metrics.height()) + 6
        return height + -height % 4

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.text_pen, self.muted_pen = QPen(QColor(theme.text)), QPen(QColor(theme.muted))
        self.grounds = (
            theme.surface,
            blend(theme.surface, theme.less, ONE_SIDED),
            blend(theme.surface, theme.more, ONE_SIDED),
            blend(theme.surface, theme.selection, SELECTED),
        )
        self._muted_pens = [QPen(QColor(legible(theme.muted, ground))) for ground in self.grounds]
        self._surface, self._selected = QColor(self.grounds[0]), QColor(self.grounds[-1])
        self._bar = QColor(blend(theme.surface, theme.accent, BAR))
        self._bar_selected = QColor(blend(theme.surface, theme.accent, SELECTED + BAR))
        self._line = QColor(blend(theme.surface, theme.line, 0.6))
        self._one_sided = (None, *map(QColor, self.grounds[1:3]))
        self._hover = QPen(QColor(theme.hover))
        self._accent = QPen(QColor(theme.accent))

    def width_of(self, column: int, text: str) -> int:
        """Width in pixels that ``text`` needs in a column."""
        written = self.numbers if right_aligned(self.model.column(column)) else self.words
        return advance(text, written.metrics) + 2 * PADDING

    def sizeHint(self, _: QStyleOptionViewItem, __: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(80, self.row_height)

    def paint_area(
        self,
        painter: QPainter,
        area: QRect,
        rows: Sequence[Row],
        strips: Sequence[Strip],
        focus: tuple[int, int] | None,
    ) -> None:
        """Draws the ground of an area and the cells of adjacent columns in it. ``focus``: identity of the row and place
        of the cell with the keyboard focus."""
        painter.fillRect(area, self._surface)
        if not rows or not strips:
            return
        left, height = strips[0].left, self.row_height
        width = strips[-1].left + strips[-1].width - left
        selected = [row.selected or self.model.marked(row.source) for row in rows]
        for row, is_selected in zip(rows, selected, strict=True):
            self._draw_ground(painter, QRect(left, row.top, width, height), row, is_selected)
        rooms = [self._draw_pictures(painter, strip, rows, selected) for strip in strips]
        for row in rows:
            painter.fillRect(left, row.top + height - 1, width, 1, self._line)
        for strip, room in zip(strips, rooms, strict=True):
            self.draw_texts(painter, strip.place, rows, room)
        for row in rows:
            if row.identity == self.hovered or 0 <= row.source == self.hovered_source:
                self._outline(painter, QRect(left, row.top, width, height))
            if focus is not None and row.identity == focus[0]:
                self._draw_focus(painter, row, [strip for strip in strips if strip.place == focus[1]])

    def _draw_ground(self, painter: QPainter, rect: QRect, row: Row, selected: bool) -> None:
        """The colour of rows that are selected, or that one side of a comparison lacks."""
        ground = None if self.statuses is None or row.source < 0 else self._one_sided[self.statuses[row.source]]
        if ground is not None:
            painter.fillRect(rect, ground)
        if selected:
            painter.fillRect(rect, self._selected)

    def _draw_pictures(
        self, painter: QPainter, strip: Strip, rows: Sequence[Row], selected: Sequence[bool]
    ) -> list[QRect | None]:
        """Draws what is below the texts of a column: bars, or what its CellDrawing draws. Returns the area left for
        each text."""
        height, drawing = self.row_height, self.drawn.get(strip.place)
        rooms: list[QRect | None] = [QRect(strip.left, row.top, strip.width, height) for row in rows]
        if drawing is not None:
            for number, (row, rect) in enumerate(zip(rows, rooms, strict=True)):
                if row.source >= 0 and rect is not None:
                    rooms[number] = drawing.draw(painter, rect, row.source, self._theme)
            return rooms
        column = self.model.column(strip.place)
        full = self.bars.get(strip.place, 100.0 if column.unit == "%" else 0.0)
        if full:
            for row, is_selected in zip(rows, selected, strict=True):
                value = column.value(row.source) if row.source >= 0 else None
                if isinstance(value, int | float) and value > 0:
                    width = max(round((strip.width - 1) * min(value / full, 1.0)), 1)
                    bar = self._bar_selected if is_selected else self._bar
                    painter.fillRect(strip.left, row.top + 2, width, height - 5, bar)
        return rooms

    def draw_texts(self, painter: QPainter, place: int, rows: Sequence[Row], rooms: Sequence[QRect | None]) -> None:
        """Draws the texts of a column. ``rooms``: the area of each, None for no text. A delegate for code overrides
        this."""
        written = self.numbers if right_aligned(self.model.column(place)) else self.words
        missing = self._missing_number if written is self.numbers else self.words
        ink = self.model.ink
        painter.setFont(written.font)
        for row, room in zip(rows, rooms, strict=True):
            if room is None or row.source < 0:
                continue
            text = self.cell_text(place, row)
            if text is None:
                painter.setPen(self._muted_pens[self._ground_of(row)])
                painter.setFont(missing.font)
                missing.draw(painter, room, NO_DATA)
                painter.setFont(written.font)
            else:
                colour = ink(place, row.source)
                painter.setPen(self.text_pen if colour is None else self._pen_on(row, colour))
                written.draw(painter, room, text)

    def _ground_of(self, row: Row) -> int:
        """Which of ``grounds`` is behind a row."""
        if row.selected or self.model.marked(row.source):
            return -1
        return 0 if self.statuses is None or row.source < 0 else int(self.statuses[row.source])

    def _pen_on(self, row: Row, colour: str) -> QPen:
        return QPen(QColor(legible(colour, self.grounds[self._ground_of(row)])))

    def cell_text(self, place: int, row: Row) -> str | None:
        """The text of a cell; None if there is no data."""
        own = self.model.own_text(place, row.source)
        return self.model.cells.text(place, row.source) if own is None else own

    def _outline(self, painter: QPainter, rect: QRect) -> None:
        """The mark of a row under the pointer."""
        painter.setPen(self._hover)
        painter.drawLine(rect.left(), rect.top(), rect.right(), rect.top())
        painter.drawLine(rect.left(), rect.bottom() - 1, rect.right(), rect.bottom() - 1)

    def _draw_focus(self, painter: QPainter, row: Row, strips: Sequence[Strip]) -> None:
        painter.setPen(self._accent)
        for strip in strips:
            painter.drawRect(strip.left, row.top, strip.width - 1, self.row_height - 2)


PADDING = 8

# plain ints: combining Qt's enums costs more than drawing a text
_LEFT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value
_RIGHT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value


class CellTextPainter:
    """Texts in one font, at the ``right`` or the left of their cells."""

    def __init__(self, font: QFont, *, right: bool) -> None:
        self.font = font
        self.metrics = QFontMetrics(font)
        self._right = right
        self._flags = _RIGHT if right else _LEFT
        exact = QFontMetricsF(font)
        self._widest = exact.horizontalAdvance("W")  # only wider texts are measured
        same = exact.horizontalAdvance("0iIl1|.,:-%#WMabxyz") == 19 * self._widest
        self._places_itself = not right or same  # if all characters are equally wide, it is known where a text begins
        self._ascent, self._height = exact.ascent(), exact.height()

    def draw(self, painter: QPainter, rect: QRect, text: str) -> None:
        """Draws a text in the painter's pen; the painter must have this ``font``."""
        room = rect.width() - 2 * PADDING
        length = len(text) * self._widest
        if length <= room and self._places_itself and text.isascii():  # Qt takes twice as long to align and clip it
            left = rect.x() + PADDING + (room - length if self._right else 0)
            top = rect.y() + (rect.height() - 1 - self._height) / 2
            painter.drawText(QPointF(left, top + self._ascent), text)
            return
        inner = rect.adjusted(PADDING, 0, -PADDING, -1)
        if length > room and advance(text, self.metrics) > room:
            text = shortened(text, self.metrics, room)
        painter.drawText(inner, self._flags, text)


def draw_arrow(painter: QPainter, place: QRect, colour: QColor, *, opened: bool) -> None:
    """Draws the arrow of a row that has others beneath, which are ``opened`` or not."""
    x, y = place.center().x() + 0.5, place.center().y() + 0.5
    points = ((-4, -2), (4, -2), (0, 3)) if opened else ((-2, -4), (-2, 4), (3, 0))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in points]))
    painter.restore()


SHARE = 0.4


class DifferenceCell:
    """``full``: the difference with a bar over half of the cell; ``width``: that of the column; ``sides``: the columns
    of the baseline and of the comparison, for the tool tip."""

    def __init__(self, column: Column, full: float, width: int, sides: tuple[Column, Column]) -> None:
        self.column = column
        self.sides = sides
        self.full = full
        self.width = width

    def bar(self, row: int, rect: QRect) -> QRect | None:
        """The bar of a row of the table in its cell; None without a difference."""
        value = self.column.value(row)
        if not isinstance(value, int | float) or not value or not self.full:
            return None
        middle, half = rect.center().x(), rect.width() // 2
        length = max(round(half * min(abs(value) / self.full, 1.0)), 2)
        return QRect(middle if value > 0 else middle - length, rect.y() + 2, length, rect.height() - 5)

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        """Draws the bar; the figure is written over it."""
        bar = self.bar(row, rect)
        if bar is not None:
            less = bar.x() < rect.center().x()
            painter.fillRect(bar, QColor(blend(theme.surface, theme.less if less else theme.more, SHARE)))
        return rect

    def tip(self, row: int) -> str:
        before, after = (column.value(row) for column in self.sides)
        if isinstance(before, str) or isinstance(after, str):
            return ""
        return both_sides(before, after, self.column.unit)
