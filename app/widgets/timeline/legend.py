"""What the colours of a timeline mean: one line of swatches with names."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from app.language import plural, tr
from app.views.colours import blend
from app.views.look import Theme
from app.views.texts import shown_line
from app.views.timeline.legend_entries import Entry
from app.widgets.buttons import add_named
from app.widgets.display import Display
from app.widgets.texts import advance
from app.widgets.tips import tip

SWATCH = 10
BEFORE = SWATCH + 6
"""Pixels in front of a text: its swatch and a gap."""
GAP = 16
INSET = 8
RECEDES = 0.75
"""How much of the surface is in the colours that a filter leaves out."""


def place_entries(listed: tuple[Entry, ...], metrics: QFontMetrics, width: float) -> list[tuple[float, Entry]]:
    """Those that fit into ``width``, each with its x."""
    placed: list[tuple[float, Entry]] = []
    x = float(INSET)
    for entry in listed:
        room = BEFORE + advance(entry.label, metrics)
        if x + room > width - (
            0 if entry is listed[-1] else advance(tr("and {count:,} more", count=99), metrics) + GAP
        ):
            break
        placed.append((x, entry))
        x += room + GAP
    return placed


def figures_of(entry: Entry) -> str:
    """How many slices have a colour, and how long they are."""
    slices = plural("{count:,} slice", "{count:,} slices", count=entry.count)
    return tr("{slices}, {span} in total", slices=slices, span=entry.time)


def paint_legend(
    painter: QPainter,
    place: QRectF,
    listed: tuple[Entry, ...],
    theme: Theme,
    only: frozenset[int] = frozenset(),
    current: Entry | None = None,
) -> None:
    """Swatches and names in one line; what has no room is counted. ``only``: the slots that are left, all if there are
    none: others recede; ``current``: the entry that keys are for."""
    metrics = QFontMetrics(painter.font())
    placed = place_entries(listed, metrics, place.width())
    middle = place.y() + place.height() / 2
    end = place.x() + INSET
    for x, entry in placed:
        gone = bool(only and entry.slots and not entry.slots & only)
        height = SWATCH * 0.3 if entry.line else SWATCH
        swatch = QRectF(place.x() + x, middle - height / 2, SWATCH, height)
        painter.fillRect(swatch, QColor(blend(entry.colour, theme.surface, RECEDES if gone else 0)))
        if entry.stripes:
            painter.fillRect(swatch, QBrush(QColor(entry.stripes), Qt.BrushStyle.FDiagPattern))
        painter.setPen(QPen(QColor(theme.muted if gone else theme.text)))
        left = place.x() + x + BEFORE
        end = left + advance(entry.label, metrics)
        painter.drawText(QRectF(left, place.y(), end - left + 4, place.height()), _MIDDLE, shown_line(entry.label))
        if entry is current:
            painter.setPen(QPen(QColor(theme.accent)))
            painter.drawRect(QRectF(place.x() + x - 3, place.y() + 1, end - x - place.x() + 6, place.height() - 3))
        end += GAP
    if len(placed) < len(listed):
        painter.setPen(QPen(QColor(theme.muted)))
        more = tr("and {count:,} more", count=len(listed) - len(placed))
        painter.drawText(QRectF(end, place.y(), place.x() + place.width() - end, place.height()), _MIDDLE, more)


_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class Legend(QWidget):
    """The legend of the timeline that is shown. Signal ``clicked`` (Entry), if it is ``active``; with the keyboard:
    Left and Right, and the space bar."""

    clicked = Signal(object)

    def __init__(self, display: Display, parent: QWidget | None = None, *, active: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("timeline-legend")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if active:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setMouseTracking(True)
        self._active = active
        self._display = display
        self._entries: tuple[Entry, ...] = ()
        self._only: frozenset[int] = frozenset()
        self._current = 0

    def set_entries(self, listed: tuple[Entry, ...], only: frozenset[int] = frozenset()) -> None:
        """``only``: the slots of colours that a filter leaves; none without a filter."""
        self._entries, self._only = listed, only
        self._say()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(entry.label for entry in self._entries)

    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(self.font()).height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        current = self._pointed if self.hasFocus() else None
        with QPainter(self) as painter:
            paint_legend(painter, QRectF(self.rect()), self._entries, self._display.theme, self._only, current)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self._tip_at(event.pos().x())), self)
            return True
        return super().event(event)

    # -- choosing an entry --------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        entry = self._entry_at(event.position().x())
        over = self._active and (self._beyond(event.position().x()) or (entry is not None and bool(entry.slots)))
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._active or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        entry = self._entry_at(event.position().x())
        if entry is not None and entry.slots:
            self.clicked.emit(entry)
        elif self._beyond(event.position().x()):
            self._list_rest(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = len(self._choosable)
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and count:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            self._current = (min(self._current, count - 1) + step) % count
            self._say()
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed is not None:
            self.clicked.emit(self._pointed)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._say()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._say()

    @property
    def _choosable(self) -> tuple[Entry, ...]:
        """The entries that stand for slices and are seen."""
        placed = place_entries(self._entries, QFontMetrics(self.font()), self.width())
        return tuple(entry for _, entry in placed if entry.slots)

    @property
    def _pointed(self) -> Entry | None:
        """The entry that keys are for."""
        choosable = self._choosable
        return choosable[min(self._current, len(choosable) - 1)] if choosable else None

    def _say(self) -> None:
        name = tr("Colours: ") + ", ".join(entry.label for entry in self._entries)
        if self.hasFocus() and self._pointed is not None:
            name = tr("{label} ({colours})", label=self._pointed.label, colours=name)
        self.setAccessibleName(shown_line(name))
        self.update()

    def _list_rest(self, place: QPoint) -> None:
        """Lists the entries that have no room."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for entry in self._entries[len(place_entries(self._entries, QFontMetrics(self.font()), self.width())) :]:
            action = add_named(menu, f"{entry.label} · {figures_of(entry)}" if entry.slots else entry.label)
            action.setCheckable(True)
            action.setChecked(bool(entry.slots & self._only))
            action.setEnabled(bool(entry.slots))
            action.triggered.connect(partial(self.clicked.emit, entry))
        menu.popup(place)

    def _entry_at(self, x: float) -> Entry | None:
        metrics = QFontMetrics(self.font())
        for left, entry in place_entries(self._entries, metrics, self.width()):
            if left <= x <= left + BEFORE + advance(entry.label, metrics):
                return entry
        return None

    def _beyond(self, x: float) -> bool:
        """Whether there stands how many entries have no room."""
        metrics = QFontMetrics(self.font())
        placed = place_entries(self._entries, metrics, self.width())
        if len(placed) == len(self._entries):
            return False
        left = placed[-1][0] + BEFORE + advance(placed[-1][1].label, metrics) if placed else 0
        return x > left + GAP / 2

    def _tip_at(self, x: float) -> str:
        entry = self._entry_at(x)
        if entry is None:
            placed = place_entries(self._entries, QFontMetrics(self.font()), self.width())
            return "\n".join(entry.label for entry in self._entries[len(placed) :][:40])
        if entry.line:
            return entry.name
        in_file = tr("{entry}\n{entry_name} in the file", entry=entry.label, entry_name=entry.name)
        about = entry.name if entry.stripes else entry.label if entry.name == entry.label else in_file
        if entry.slots:
            about = f"{about}\n{figures_of(entry)}"
        if not self._active or not entry.slots:
            return about
        again = tr("Click to show all colours again")
        return f"{about}\n{again if entry.slots == self._only else tr('Click to show only these slices')}"
