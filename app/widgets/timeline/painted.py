"""The timeline as a widget that paints: a picture of its data once, and marks over it as often as the pointer moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.analysis.timeline import flows_of
from app.profile.arrays import I64, Bool
from app.profile.selection import TimeRange
from app.widgets.display import Display, Look
from app.widgets.texts import shown_line
from app.widgets.timeline import view as views
from app.widgets.timeline.labels import LabelCache
from app.widgets.timeline.marks import Marks, paint_marks
from app.widgets.timeline.paint import paint_data
from app.widgets.timeline.pick import hit
from app.widgets.timeline.picture import draw_view
from app.widgets.timeline.scene import MOST_ARROWS
from app.widgets.timeline.state import Shown
from app.widgets.timeline.words import describe, spoken, total
from app.widgets.tips import tip

REDRAW_MS = 120
"""While zoomed-out views are being made ready, the picture is refreshed this often."""


class PaintedTimeline(QWidget):
    """Shows one timeline. Signals: ``view_changed`` (), also when rows fold; ``settled`` () when zoomed-out views
    are ready."""

    view_changed = Signal()
    settled = Signal()

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline-canvas")
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 96)
        self.shown: Shown | None = None
        self._display = display
        self._selected: I64 = np.empty(0, np.int64)
        self._marks = Marks()
        self._range: TimeRange | None = None
        self._labels = LabelCache(self.font())
        self._data: QImage | None = None
        self._working = QTimer(self, interval=0)
        self._working.timeout.connect(self._work)
        self._refresh = QTimer(self, interval=REDRAW_MS, singleShot=True)
        self._refresh.timeout.connect(self.redraw)
        display.changed.connect(self._look_changed)

    # -- what is shown ------------------------------------------------------------------------------------

    def show_timeline(self, shown: Shown | None) -> None:
        """Another timeline, in the state it was left in; None: none."""
        self.shown = shown
        self._labels.forget()
        self._selected, self._marks = self._selected[:0], Marks(focused=self.hasFocus(), range=self._range)
        if shown is not None:
            shown.set_look(self._display.look)
            shown.set_text(self._labels.metrics.height())
            self._fit_size(shown)
            self._working.start()
            self.setAccessibleDescription(shown_line(total(shown)))
        self._changed()

    @property
    def selected(self) -> I64:
        """The selected slices, rising."""
        return self._selected

    def set_selected(self, index: I64, lanes: tuple[int, ...] = ()) -> None:
        """Slices (rising indices) and lanes that are selected, here or anywhere."""
        if self.shown is None:
            return
        self._selected = index
        one = int(index[0]) if len(index) == 1 else None
        flows = () if one is None else tuple(flows_of(self.shown.model.timeline, one)[:MOST_ARROWS].tolist())
        self._mark(selected=one, flows=flows, lanes=lanes)
        if len(index) > 1 or self.shown.contents.chosen is not None:
            self.shown.contents.choose(index)
            self._working.start()
            self.redraw()
        self.setAccessibleDescription(shown_line(spoken(self.shown, one) if one is not None else total(self.shown)))
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def set_hovered(self, index: tuple[int, ...]) -> None:
        """The slices that are pointed at, here or anywhere."""
        self._mark(hovered=index)

    def set_range(self, stretch: TimeRange | None) -> None:
        """The range that statistics follow."""
        self._range = stretch
        self._mark(range=stretch)
        if self.shown is not None:
            self.shown.contents.measure(stretch)
            self._working.start()

    def set_search(self, matched: Bool | None) -> I64 | None:
        """Brings matching slices (bool[slices]) forward; None ends the search. Returns their indices."""
        if self.shown is None:
            return None
        found = self.shown.contents.search(matched)
        self._working.start()
        self.redraw()
        return found

    # -- painting -----------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """The data must be painted again."""
        self._data = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        with QPainter(self) as painter:
            if self.shown is None:
                painter.fillRect(self.rect(), self.palette().base())
                return
            if self._data is None:
                self._data = self._painted(self.shown)
            painter.drawImage(QPointF(0, 0), self._data)
            painter.setFont(self.font())
            paint_marks(painter, self.shown.scene(), self._marks, self._labels)

    def draw(self, painter: QPainter, place: QRectF, look: Look) -> None:
        """The part in view with its marks, and a legend below, into ``place``."""
        if self.shown is not None:
            marks = replace(self._marks, cursor=None, hovered=(), focused=False, dragged=False)
            draw_view(painter, place, self.shown, marks, look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shown is not None:
            self._fit_size(self.shown)
            self._changed()

    def _painted(self, shown: Shown) -> QImage:
        ratio = self.devicePixelRatioF()
        image = QImage(round(self.width() * ratio), round(self.height() * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        with QPainter(image) as painter:
            painter.setFont(self.font())
            paint_data(painter, shown.scene(), self._labels, ratio)
        return image

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._mark(focused=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._mark(focused=False)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.tip_at(event.pos())), self)
            return True
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._labels = LabelCache(self.font())
            if self.shown is not None:
                self.shown.set_text(self._labels.metrics.height())
            self._changed()
        return super().event(event)

    def tip_at(self, point: QPoint) -> str:
        """What the tooltip says at a point of the widget."""
        if self.shown is None:
            return ""
        return describe(self.shown, hit(self.shown, point.x(), point.y(), self._range))

    # -- within -------------------------------------------------------------------------------------------

    def _fit_size(self, shown: Shown) -> None:
        """The picture is as large as the widget; what showed everything still does."""
        everything = replace(views.whole(shown.bounds), top=shown.view.top) == shown.view
        shown.resize(self.width(), self.height())
        if everything:
            shown.view = replace(views.whole(shown.bounds), top=shown.view.top)

    def _changed(self) -> None:
        self.redraw()
        self.view_changed.emit()

    def _mark(self, **changes: object) -> None:
        marks = replace(self._marks, **changes)  # type: ignore[arg-type]
        if marks != self._marks:
            self._marks = marks
            self.update()

    def _look_changed(self, look: Look) -> None:
        if self.shown is not None:
            self.shown.set_look(look)
        self.redraw()

    def _work(self) -> None:
        """Makes zoomed-out views ready, a few milliseconds at a time."""
        if self.shown is None or not self.shown.contents.work():
            self._working.stop()
            self._refresh.stop()
            self.redraw()
            self.settled.emit()
        elif not self._refresh.isActive():
            self._refresh.start()
