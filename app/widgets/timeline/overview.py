"""The whole timeline in small, with a window over the part that is shown."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Literal, TypeAlias

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.profile.arrays import F64, U32, Bool, distinct
from app.profile.selection import TimeRange
from app.views.colours import packed
from app.views.texts import shown_line
from app.views.timeline import view as views
from app.views.timeline.cover import Pixels
from app.views.timeline.raster import SHADES, Strips
from app.views.timeline.scene import Box
from app.views.timeline.state import Shown
from app.views.timeline.view import View
from app.widgets.display import Display
from app.widgets.gestures import ZOOM_NOTCH, notches_of
from app.widgets.refresh import Refresh
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.labels import fitting
from app.widgets.timeline.note_strip import note_colour

HEIGHT = 36
PAD = 5
HITS = 4
"""Height of the marks of a search's hits."""
GRIP = 6
MOST_ROWS = 1024
"""Rows that are drawn; of more than this, evenly chosen ones."""
AT_ONCE = 1 << 16
"""Pixels of rows that are counted at once."""
SLOTS = 256
"""Most colours, and 0 for none."""

Part: TypeAlias = Literal["", "left", "right", "inside"]
CURSORS: dict[Part, Qt.CursorShape] = {
    "": Qt.CursorShape.PointingHandCursor,
    "left": Qt.CursorShape.SizeHorCursor,
    "right": Qt.CursorShape.SizeHorCursor,
    "inside": Qt.CursorShape.OpenHandCursor,
}
"""Pointers over its parts; beside the window a click brings it there."""


def busy_rows(shown: Shown, width: int) -> Generator[None, None, F64]:
    """float64[slots, width]: how many rows are busy in each colour at a time. Yields between pieces of rows."""
    amount: F64 = np.zeros((SLOTS, width))
    rows = shown.model.rows.count
    if not rows:
        return amount
    chosen = distinct(np.linspace(0, rows - 1, min(rows, MOST_ROWS)).astype(np.int64))
    whole = views.whole(shown.bounds)
    pixels = Pixels(whole.start, whole.span / width, width)
    at_once = max(1, AT_ONCE // width)
    for piece in np.split(chosen, range(at_once, len(chosen), at_once)):
        strips = Strips(piece, np.arange(len(piece)), len(piece))
        raster = shown.contents.renderer.render(strips, pixels).raster
        cells = raster.slot.astype(np.int64) * width + np.arange(width)
        amount += np.bincount(cells.reshape(-1), raster.cover.reshape(-1), SLOTS * width).reshape(SLOTS, width)
        yield
    return amount


def stacked(amount: F64, height: int, shades: U32, blank: int) -> U32:
    """uint32[height, width]: what ``busy_rows`` returns, stacked by colour; the highest fills the height."""
    image: U32 = np.full((height, amount.shape[1]), blank, np.uint32)
    used = np.flatnonzero(amount[1:].any(1)) + 1
    if not len(used):
        return image
    tops = np.cumsum(amount[used], 0)
    tops *= height / tops[-1].max()
    tops[-1][tops[-1] > 0] = np.maximum(tops[-1][tops[-1] > 0], 1.0)  # never too little to be seen
    colours = np.append(shades[used * SHADES + SHADES - 2], np.uint32(blank))
    for line in range(height):
        image[height - 1 - line] = colours[(tops <= line).sum(0)]
    return image


def hit_columns(shown: Shown, width: int) -> Bool:
    """bool[width]: the columns in which a search has a hit, on any row."""
    hits = shown.contents.hits
    if hits is None or not len(hits.rows.start):
        return np.zeros(width, np.bool_)
    whole, rows = views.whole(shown.bounds), hits.rows
    scale = width / whole.span
    first = np.clip((rows.start - whole.start) * scale, 0, width - 1).astype(np.int64)
    last = np.clip((rows.start + rows.duration - whole.start) * scale, 0, width - 1).astype(np.int64)
    edges = np.bincount(first, minlength=width + 1) - np.bincount(last + 1, minlength=width + 1)
    columns: Bool = np.cumsum(edges)[:width] > 0
    return columns


class Overview(QWidget):
    """Belongs to one canvas, and marks the hits of its search: drag the window to pan, its edges to zoom, click beside
    it to bring it there."""

    def __init__(self, canvas: TimelineCanvas, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline-overview")
        self.setAccessibleName(tr("Overview of the timeline"))
        self.setAccessibleDescription(tr("Drag the window to pan, its edges to zoom"))
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self._canvas = canvas
        self._display = display
        self._picture: QImage | None = None
        self._shown: Shown | None = None
        self._refresh = Refresh(self, self._draw)
        self._range: TimeRange | None = None
        self._part: Part = ""
        self._grab = 0.0
        self._dragged = False
        self._start = View(0, 1)
        canvas.view_changed.connect(self._moved)
        canvas.preparation.settled.connect(self.forget)
        display.changed.connect(self.forget)
        self._refresh.request()

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def forget(self) -> None:
        """The picture must be made again; until then the former one is shown."""
        self._refresh.request()

    def _moved(self) -> None:
        if self._shown is not self._canvas.shown:
            self._shown, self._picture = self._canvas.shown, None  # a timeline that was closed is not held on to
            self._refresh.request()
        self.update()

    def set_range(self, stretch: TimeRange | None) -> None:
        self._range = stretch
        self.update()

    # -- where things stand -------------------------------------------------------------------------------

    @property
    def box(self) -> Box:
        """The part that stands for the whole of time: below the canvas' own rows."""
        left = self._canvas.shown.place.gutter if self._canvas.shown is not None else 0
        return Box(left, PAD, max(self.width() - left, 1), self.height() - 2 * PAD)

    def window_box(self) -> Box:
        """The window."""
        shown = self._canvas.shown
        box = self.box
        if shown is None:
            return box
        left, right = self._x(shown.view.start), self._x(shown.view.end)
        return Box(left, PAD - 2, max(right - left, 2), box.height + 4)

    def _x(self, time: float) -> float:
        whole = views.whole(self._canvas.shown.bounds) if self._canvas.shown is not None else View(0, 1)
        return self.box.x + whole.x(time, self.box.width)

    def _time(self, x: float) -> float:
        whole = views.whole(self._canvas.shown.bounds) if self._canvas.shown is not None else View(0, 1)
        return whole.time(x - self.box.x, self.box.width)

    def part_at(self, x: float) -> Part:
        """Which part of the window lies at ``x``."""
        window = self.window_box()
        if abs(x - window.x) <= GRIP:
            return "left"
        if abs(x - window.x - window.width) <= GRIP:
            return "right"
        return "inside" if window.x < x < window.x + window.width else ""

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        theme, shown = self._display.theme, self._canvas.shown
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.surface))
            if shown is None:
                return
            box = self.box
            if self._picture is not None and self._shown is shown:
                painter.drawImage(QRectF(box.x, box.y, box.width, box.height), self._picture)
            window = self.window_box()
            veil = QColor(theme.surface)
            veil.setAlpha(150)
            right = window.x + window.width
            painter.fillRect(QRectF(box.x, box.y, window.x - box.x, box.height), veil)
            painter.fillRect(QRectF(right, box.y, box.x + box.width - right, box.height), veil)
            self._paint_range(painter, box)
            for note in shown.notes.notes:
                left, width = self._x(note.start), self._x(note.end) - self._x(note.start)
                painter.fillRect(QRectF(left, 0, max(width, 2), 3), QColor(note_colour(note, theme)))
            painter.setPen(QPen(QColor(theme.accent)))
            painter.drawRect(QRectF(window.x + 0.5, window.y + 0.5, window.width - 1, window.height - 1))
            for x in (window.x, right):
                grip = QRectF(min(max(x - 2, box.x), box.x + box.width - 4), self.height() / 2 - 8, 4, 16)
                painter.fillRect(grip, QColor(theme.accent))
            painter.setPen(QPen(QColor(theme.muted)))
            total = shown.model.clock.short_span(shown.model.end - shown.model.start, shown.look)
            room = QRectF(8, 0, box.x - 16, self.height())
            text = fitting((tr("{total} in total", total=total), total), painter.fontMetrics(), room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown_line(text))
            painter.setPen(QPen(QColor(theme.line)))
            painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))

    def _paint_range(self, painter: QPainter, box: Box) -> None:
        if self._range is not None:
            left, right = self._x(self._range.start), self._x(self._range.end)
            band = QColor(self._display.theme.accent)
            painter.fillRect(QRectF(left, box.y + box.height - 1, max(right - left, 2), 3), band)

    def _draw(self) -> Iterator[None]:
        """Makes the picture, in pieces."""
        shown = self._shown = self._canvas.shown
        if shown is None:
            return
        box, ratio = self.box, self.devicePixelRatioF()
        width, height = max(1, round(box.width * ratio)), max(1, round(box.height * ratio))
        amount = yield from busy_rows(shown, width)
        image = stacked(amount, height, shown.shades.table, packed(self._display.theme.surface))
        hits = image[: max(2, round(HITS * ratio))]
        hits[:, hit_columns(shown, width)] = packed(self._display.theme.accent)
        self._picture = QImage(image.data, width, height, width * 4, QImage.Format.Format_RGB32).copy()
        self.update()

    # -- input --------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        shown = self._canvas.shown
        if event.buttons() != event.button() and self.cancel():
            return  # another button during a drag cancels it: its menu would take the release
        if shown is None or event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        self._part = self.part_at(x) or "inside"
        if not self.part_at(x):
            middle, half = self._time(x), shown.view.span / 2
            shown.navigation.show_stretch(middle - half, middle + half)
        self._start, self._grab, self._dragged = shown.view, self._time(x), False
        if self._part == "inside":
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, shown = event.position().x(), self._canvas.shown
        if not self._part or shown is None:
            self.setCursor(CURSORS[self.part_at(x)])
            return
        shift, start, end = self._time(x) - self._grab, self._start.start, self._start.end
        if self._part == "inside":
            start, end = start + shift, end + shift
        elif self._part == "left":
            start = min(start + shift, end)
        else:
            end = max(end + shift, start)
        self._dragged |= shown.navigation.show_stretch(start, end, "overview", held=self._dragged)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._part = ""
        self.setCursor(CURSORS[self.part_at(event.position().x())])

    def cancel(self) -> bool:
        """Ends a drag and shows again what was in view before; returns False if there is none."""
        part, shown = self._part, self._canvas.shown
        self._part = ""
        if not part or shown is None:
            return False
        shown.navigation.show_stretch(self._start.start, self._start.end, "overview")
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._canvas.shown is not None:
            factor = ZOOM_NOTCH ** notches_of(event)[0]
            self._canvas.shown.navigation.zoom_at(self._time(event.position().x()), factor)
        event.accept()

    def resizeEvent(self, event: QEvent) -> None:
        del event
        self.forget()
