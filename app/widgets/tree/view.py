"""The view of a tree: rows of equal height, values in columns, only expanded nodes are laid out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from app.analysis.export import tsv
from app.analysis.table import Table
from app.analysis.trees import Hierarchy
from app.profile.arrays import I64, Bool
from app.views.colours import blend, text_on
from app.views.look import Look, Theme
from app.views.table import sample, widest
from app.views.tree.nodes import ARROW, STEP, TOP, Indents, indents
from app.widgets.abilities import ITEM, Copies, Expandable, HasItemMenus
from app.widgets.display import Display
from app.widgets.table.delegate import PADDING, CellDelegate, draw_arrow
from app.widgets.table.model import Row, visible_strips
from app.widgets.texts import advance
from app.widgets.tree.model import TreeModel

LONGEST_CHAIN = 8
NAME_WIDTH = 260
NARROWEST_NAME = 110
"""Pixels for indentation, badge and the end of a name, so that the first value is completely visible beside it in a
small window."""
READABLE_NAME, COMFORTABLE_NAME = 130, 170
"""Pixels of names: with less than the first beside the title of the first value column, that is elided until they have
the second."""
WIDEST = 200
NARROWEST = 56
MOST_OPENED = 5000
"""Most rows that expanding all descendants adds: an unfolded tree may be infinite."""


class TreeView(QTreeView, Copies, Expandable, HasItemMenus):
    """Signals: ``chosen`` when the user selects rows, ``pointed`` (item, or -1) as the pointer moves over rows.
    ``step``: indentation per level in pixels, where there is space."""

    chosen = Signal()
    pointed = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items = TreeModel(self)
        self.setModel(self.items)
        self.cell_delegate = BadgeDelegate(self.items, display.theme, self.font(), self)
        self.setItemDelegate(self.cell_delegate)
        self._quiet = False
        self._name_width = self.columnWidth(0)
        self._sizing = False
        self._fitted: list[int] = []
        self._needed: dict[int, tuple[int, int]] = {}  # pixels of the values of a column, and with its whole title
        self.setUniformRowHeights(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # scrolling moves what is painted
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setIndentation(0)  # the delegate indents instead, so that names stay readable at any depth
        self.setRootIsDecorated(False)
        self.step = STEP
        self.header().setSectionsMovable(False)
        self.header().setStretchLastSection(False)
        self.header().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().sectionResized.connect(self._resized)
        self.selectionModel().selectionChanged.connect(self._selection_changed)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.cell_delegate.set_font(self.font())
            self._fit_columns()
            self.scheduleDelayedItemsLayout()

    def set_hierarchy(self, hierarchy: Hierarchy | None, clock_hz: float | None = None) -> None:
        """Shows another tree; if it has few roots, they are expanded."""
        before = [column.key for column in self.items.table.columns]
        self.items.set_hierarchy(hierarchy, clock_hz)
        if before != [column.key for column in self.items.table.columns]:
            self._fit_columns()
        if self.items.rowCount() <= 3:
            for row in range(self.items.rowCount()):
                self._open_chain(self.items.index(row, 0))

    def _open_chain(self, index: QModelIndex) -> None:
        """Expands a row, and its descendants while each is an only child, which says nothing by itself."""
        for _ in range(LONGEST_CHAIN):
            self.expand(index)
            if self.items.rowCount(index) != 1:
                return
            index = self.items.index(0, 0, index)

    def set_table(self, table: Table, clock_hz: float | None = None) -> None:
        """Replaces the values of the same items; expansion, selection and scroll position are kept."""
        before = [column.key for column in self.items.table.columns]
        if before == [column.key for column in table.columns]:
            self.items.set_table(table, clock_hz)
            self._fit_columns()
            self.viewport().update()
            return
        opened = [node for node in self.items.nodes.opened() if self.isExpanded(self.items.node_index(node))]
        current, top, chosen = self.currentIndex(), self.verticalScrollBar().value(), self.items.chosen
        node = current.internalId() if current.isValid() else TOP
        self._quiet = True
        try:
            self.items.set_table(table, clock_hz)
            for open_node in opened:
                self.expand(self.items.node_index(open_node))
            if node != TOP:
                self.setCurrentIndex(self.items.node_index(node))
        finally:
            self._quiet = False
        self.items.chosen = chosen
        self._fit_columns()
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(top)

    def reveal(self, item: int) -> bool:
        """Expands the ancestors of an item's first occurrence and scrolls to it; False if no root reaches it."""
        node = self.items.nodes.reveal(item)
        if node is None:
            return False
        index = self.items.node_index(node)
        self._quiet = True
        try:
            place = self.visualRect(index)  # empty while an ancestor is collapsed
            seen = not place.isEmpty() and 0 <= place.center().y() < self.viewport().height()
            across = self.horizontalScrollBar().value()
            self.setCurrentIndex(index)
            if not seen:
                self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self.horizontalScrollBar().setValue(across if seen else 0)
        finally:
            self._quiet = False
        return True

    def set_current_quietly(self, index: QModelIndex) -> None:
        """Makes ``index`` current for the keyboard, without selecting it."""
        self._quiet = True
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._quiet = False

    def mark(self, items: I64) -> None:
        """Shows these items as selected at all of their nodes, without emitting ``chosen``."""
        chosen = np.zeros(self.items.table.rows, np.bool_)
        chosen[items[(items >= 0) & (items < len(chosen))]] = True
        self.items.chosen = chosen
        self._quiet = True
        self.clearSelection()
        self._quiet = False
        self.viewport().update()

    def highlight(self, items: Bool | None) -> None:
        """Highlights the names of these items (bool[items]), which a search matches; None: of none."""
        self.cell_delegate.hits = items
        self.viewport().update()

    def hover_item(self, item: int) -> None:
        """Outlines an item at all of its nodes; -1 for none."""
        if item != self.cell_delegate.hovered_source:
            self.cell_delegate.hovered_source = item
            self.viewport().update()

    def chosen_items(self) -> I64:
        """Items of the selected rows, each once: int64."""
        selection = self.selectionModel().selection()
        items: dict[int, None] = {}
        for part in map(selection.at, range(selection.count())):
            parent = part.parent()
            for row in range(part.top(), part.bottom() + 1):
                items[self.items.item(self.items.index(row, 0, parent))] = None
        items.pop(-1, None)
        return np.fromiter(items, np.int64, len(items))

    def copy_text(self) -> str:
        """The rows of the selected items as TSV with a header."""
        items = self.chosen_items()
        if not len(items) and self.items.chosen is not None:
            items = np.flatnonzero(self.items.chosen)
        return tsv(self.items.table, items) if len(items) else ""

    def open_below(self, index: QModelIndex) -> None:
        """Expands a row and its descendants level by level, up to MOST_OPENED rows."""
        waiting = [index]
        opened = 0
        while waiting and opened < MOST_OPENED:
            here = waiting.pop(0)
            count = self.items.rowCount(here)
            if count:
                self.expand(here)
                opened += count
                waiting += [self.items.index(row, 0, here) for row in range(min(count, MOST_OPENED))]

    def open_below_current(self) -> None:
        """Expands the current row and its descendants."""
        self.open_below(self.currentIndex().siblingAtColumn(0))

    def close_all(self) -> None:
        """Collapses all rows."""
        self.collapseAll()

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """The menu places of a node, which the click has selected already. ``point`` is in this widget's
        coordinates."""
        index = self.currentIndex() if point is None else self.indexAt(self.viewport().mapFrom(self, point))
        return ("node", ITEM) if index.isValid() else ("tree",)

    # -- Qt's side ----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Asterisk:
            self.open_below(self.currentIndex().siblingAtColumn(0))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints all visible cells at once, instead of Qt's call of style and delegate for each."""
        rows, area = self._rows_in_sight(), event.rect()
        levels = [row.level for row in rows]
        wanted = indents(levels, self.columnWidth(0), self.step, self.cell_delegate.indents)
        if wanted != self.cell_delegate.indents:  # scrolled rows need a redraw with the new indentation
            self.cell_delegate.indents = wanted
            self.viewport().update()
        focused = self.currentIndex() if self.hasFocus() or self.viewport().hasFocus() else QModelIndex()
        focus = (focused.internalId(), focused.column()) if focused.isValid() else None
        height = self.cell_delegate.row_height
        painted = [row for row in rows if row.top <= area.bottom() and row.top + height > area.top()]
        strips = visible_strips(self.header(), area)
        with QPainter(self.viewport()) as painter:
            self.cell_delegate.paint_area(painter, area, painted, strips, focus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._toggle_at(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._toggle_at(event):
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._outline(index.internalId() if index.isValid() else -1)
        self.pointed.emit(self.items.item(index))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._outline(-1)
        self.pointed.emit(-1)

    def _arrow(self, index: QModelIndex | QPersistentModelIndex) -> bool | None:
        """Whether a row is expanded; None for a row without children."""
        if not self.items.hasChildren(index):
            return None
        return self.isExpanded(self.items.node_index(index.internalId()))

    def _rows_in_sight(self) -> list[Row]:
        index = self.indexAt(QPoint(0, 0)).siblingAtColumn(0)
        top, bottom, height = self.visualRect(index).top(), self.viewport().height(), self.cell_delegate.row_height
        nodes, selected = self.items.nodes, self.selectionModel().isSelected
        rows = []
        while index.isValid() and top < bottom:
            node = index.internalId()
            opened = self.isExpanded(index) if nodes.count(node) else None
            rows.append(Row(node, int(nodes.item[node]), top, selected(index), nodes.level(node), opened))
            index, top = self.indexBelow(index), top + height
        return rows

    def _toggle_at(self, event: QMouseEvent) -> bool:
        """Expands or collapses the row whose arrow is under the pointer; False if there is none."""
        point = event.position().toPoint()
        index = self.indexAt(point)
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or index.column():
            return False
        place = self.visualRect(index).left() + self.cell_delegate.indents.left(
            self.items.nodes.level(index.internalId())
        )
        opened = self._arrow(index) if place <= point.x() < place + ARROW else None
        if opened is None:
            return False
        self.setExpanded(index, not opened)
        return True

    def _outline(self, node: int) -> None:
        before = self.cell_delegate.hovered
        if node != before and node != TOP:
            self.cell_delegate.hovered = node
            for changed in (before, node):
                if changed > TOP:
                    place = self.visualRect(self.items.node_index(changed))
                    self.viewport().update(0, place.top(), self.viewport().width(), place.height())

    def _selection_changed(self) -> None:
        if not self._quiet:
            self.chosen.emit()

    def _look_changed(self, look: Look) -> None:
        self.items.set_look(look)
        self.cell_delegate.set_theme(look.theme)
        self._refit()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit_names()

    def _fit_columns(self) -> None:
        """Fits the columns to their values and titles."""
        for place in range(1, self.items.columnCount()):
            self._set_width(place, self._fitting(place, self.items.table))
        self._fitted = [self.columnWidth(place) for place in range(self.items.columnCount())]
        self._fit_names()

    def _refit(self) -> None:
        """Fits the columns again after a change of units, except those that the user has resized."""
        for place in range(1, self.items.columnCount()):
            if self._is_fitted(place):
                self._set_width(place, self._fitting(place, self.items.table))
                self._fitted[place] = self.columnWidth(place)
        self._refit_names()

    def show_columns(self, keys: Collection[str]) -> None:
        """Hides all columns but these; copy and export still include all."""
        for place, column in enumerate(self.items.table.columns):
            self.setColumnHidden(place, column.key not in keys)
        self._fit_names()

    def _refit_names(self) -> None:
        if self.columnWidth(0) == self._name_width:  # not resized by the user
            self._fit_names()

    def _fit_names(self) -> None:
        """Gives the name column the width that the columns leave which fit beside it, so that none is cut off; if that
        is only the first, nothing invites to scroll to the others."""
        shown = [place for place in range(1, self.items.columnCount()) if not self.isColumnHidden(place)]
        if not self.items.columnCount():
            return
        widths = [self.columnWidth(place) for place in shown]
        room = self.viewport().width()
        if widths:
            widths[0] = self._squeeze(shown[0], room)
        fitting = 1
        while fitting < len(widths) and NAME_WIDTH + sum(widths[: fitting + 1]) <= room:
            fitting += 1
        wanted = max(room - sum(widths[:fitting]), NARROWEST_NAME)
        policy = Qt.ScrollBarPolicy
        few = fitting < 2 and all(self._is_fitted(place) for place in shown[:1])  # scrolled, figures have no names
        self.setHorizontalScrollBarPolicy(policy.ScrollBarAlwaysOff if few else policy.ScrollBarAsNeeded)
        self._set_width(0, wanted)
        self._name_width = self.columnWidth(0)

    def _squeeze(self, place: int, room: int) -> int:
        """Elides the title of a column that the user has not resized, as far as names need its room; returns its width
        in pixels."""
        if self._is_fitted(place) and place in self._needed:
            least, whole = self._needed[place]
            fits = room - whole >= READABLE_NAME
            self._set_width(place, whole if fits else max(min(whole, room - COMFORTABLE_NAME), least))
            self._fitted[place] = self.columnWidth(place)
        return self.columnWidth(place)

    def _is_fitted(self, place: int) -> bool:
        """Whether the user has not resized a column."""
        return self._fitted[place : place + 1] == [self.columnWidth(place)]

    def _set_width(self, place: int, width: int) -> None:
        self._sizing = True
        self.setColumnWidth(place, width)
        self._sizing = False

    def _resized(self, _place: int, _before: int, width: int) -> None:
        """Offers to scroll to what columns that the user makes wider push out of view (a width of 0: one is hidden)."""
        if width and not self._sizing:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _fitting(self, place: int, table: Table) -> int:
        """Width of a column in pixels with its whole title."""
        texts = (self.items.cells.text(place, row) for row in sample(table, table.columns[place]))
        least = max(min(widest(texts, partial(self.cell_delegate.width_of, place)), WIDEST), NARROWEST)
        whole = max(self.header().sectionSizeHint(place), least)
        self._needed[place] = least, whole
        return whole


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
            arrow = QRect(rect.x() + left, rect.y(), ARROW, rect.height())
            draw_arrow(painter, arrow, self.muted_pen.color(), opened=row.opened)
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


@lru_cache(maxsize=1024)
def letters(kind: str) -> str:
    """Two letters that distinguish the kinds: ``OnTileExecute`` OT, ``DoExchange`` DE, ``Sync`` Sy, ``Sequence`` Se."""
    parts = re.findall(r"[A-Z][^A-Z]*|[^A-Z]+", kind)
    return "".join(part[0] for part in parts[:2]) if len(parts) > 1 else kind[:2]
