"""Draws charts by pyqtgraph's items, both on screen and for picture files. Importing this imports pyqtgraph and takes a
third of a second: the window does so when idle, ``scene`` at the latest when the first chart is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, TypeAlias

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem, QWidget

from app.views.chart.model import Axis, Tick
from app.views.chart.ticks import Box, ticks_of
from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.chart.overlay import draw_overlay
from app.widgets.chart.seen import Seen, SeenSeries
from app.widgets.chart.symbols import EDGE_WIDTH, Ink, ink, mark_path
from app.widgets.plane.view import GAP, TICK, PlaneLayout
from app.widgets.texts import advance, elided

RING = mark_path("circle", 3.5)
BEHIND = -1000
"""Axes are behind the lines of the view, since they draw the grid."""


class ChartItems:
    """A pyqtgraph plot whose contents are replaced for each picture. pyqtgraph's items ask a view for the size of a
    pixel: this one is never shown, and stays as large as the picture. Everything is destroyed with ``parent``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        pyqtgraph.setConfigOptions(exitCleanup=False)
        before = set(QApplication.topLevelWidgets())
        self._view = pyqtgraph.GraphicsView(parent, useOpenGL=False, background=None)
        self._view.hide()
        self._scene = self._view.scene()
        axes = {side: ChartAxis(side) for side in ("left", "bottom")}
        self.plot = pyqtgraph.PlotItem(axisItems=axes, enableMenu=False)
        for axis in axes.values():
            axis.setZValue(BEHIND)
            axis.enableAutoSIPrefix(False)
        for side in ("top", "right"):  # never shown, but they would still follow the view
            self.plot.getAxis(side).unlinkFromView()
        self.plot.hideButtons()
        self.plot.setMouseEnabled(False, False)
        self.plot.disableAutoRange()
        self.plot.setContentsMargins(0, 0, 0, 0)
        self._scene.addItem(self.plot)
        self._over = _Painted(self.plot)
        self._curves: list[Any] = []
        self._rings = _Points(pxMode=True, useCache=False, antialias=True)
        self._points = _Points(pxMode=True, useCache=False, antialias=True)
        self._bars: list[Any] = []
        for height, item in ((1, self._rings), (2, self._points)):
            item.setZValue(height)
            self.plot.addItem(item, ignoreBounds=True)
        for form in set(QApplication.topLevelWidgets()) - before - {self._view}:
            form.setParent(self._view)  # of pyqtgraph's menu, which a plot creates even if it is disabled

    def draw(self, painter: QPainter, seen: Seen, place: QRectF, theme: Theme) -> None:
        """Draws the whole chart into ``place``, for which ``seen`` was laid out."""
        self._set_frame(painter, seen, place, theme)
        self._set_bars(seen, theme)
        self._set_lines(seen, theme)
        font = QFont(painter.font())
        self._over.draw = lambda over: draw_overlay(over, seen, theme, font)
        self._scene.prepareForPaint()
        painter.save()
        self._scene.render(painter, place, place, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.restore()

    def _set_frame(self, painter: QPainter, seen: Seen, place: QRectF, theme: Theme) -> None:
        """Places plot and axes as in the layout."""
        layout, chart = seen.layout, seen.chart
        self._view.setGeometry(place.toAlignedRect())
        self._view.setRange(place, padding=0, disableAutoPixel=False)
        self.plot.setGeometry(place)
        inside = layout.plot
        below = place.bottom() - layout.axis.bottom()
        self.plot.layout.setContentsMargins(0, inside.top() - place.top(), place.right() - inside.right(), below)
        for name, axis in (("bottom", chart.x), ("left", chart.y)):
            self.plot.getAxis(name).set_look(layout, axis, painter.font(), theme)
        self.plot.layout.activate()
        view = layout.view
        self.plot.vb.setRange(xRange=(view.x.start, view.x.end), yRange=(view.y.start, view.y.end), padding=0)

    def _set_lines(self, seen: Seen, theme: Theme) -> None:
        looks = [ink(seen.chart, one.series, theme) for one in seen.series]
        runs = [(run, look) for one, look in zip(seen.series, looks, strict=True) if look.width for run in one.runs]
        while len(self._curves) < len(runs):
            self._curves.append(_Curve(antialias=True, skipFiniteCheck=True))
            self.plot.addItem(self._curves[-1], ignoreBounds=True)
        for number, curve in enumerate(self._curves):
            curve.setVisible(number < len(runs))
            if number < len(runs):
                run, look = runs[number]
                curve.within = seen.box
                curve.setData([x for x, _ in run], [y for _, y in run], pen=look.pen())
        for item, spots in ((self._rings, _rings), (self._points, _points)):
            data = spots(seen.series, looks, theme)
            item.setVisible(bool(data))
            item.within = seen.box
            item.setData(data)

    def _set_bars(self, seen: Seen, theme: Theme) -> None:
        groups = seen.bars
        while len(self._bars) < len(groups):
            self._bars.append(_Bars(x0=[], x1=[], y0=[], y1=[], pen=None))
            self._bars[-1].setZValue(-1)
            self.plot.addItem(self._bars[-1], ignoreBounds=True)
        for item, (paint, boxes) in zip(self._bars, groups, strict=False):
            x0, x1, y0, y1 = ([getattr(box, side) for box in boxes] for side in ("left", "right", "low", "high"))
            item.within = seen.box
            item.setOpts(x0=x0, x1=x1, y0=y0, y1=y1, brush=QColor(paint(theme)))
        for number, item in enumerate(self._bars):
            item.setVisible(number < len(groups))


class _Within:
    """An item whose bounds are the visible area: measuring its contents repeatedly takes longer than drawing."""

    within = Box(0.0, 1.0, 0.0, 1.0)

    def boundingRect(self) -> QRectF:
        box = self.within
        return QRectF(box.left, box.low, box.right - box.left, box.high - box.low)


class _Bars(_Within, pyqtgraph.BarGraphItem):  # type: ignore[misc]
    """Bars of one colour."""


class _Curve(_Within, pyqtgraph.PlotCurveItem):  # type: ignore[misc]
    """A line. It is drawn in pixels of the picture, not in values with a cosmetic pen: that would be thinner on screens
    of high resolution, and in an SVG that is shown larger."""

    def paint(self, p: QPainter, *_: object) -> None:
        shown = self.sceneTransform()
        back, invertible = shown.inverted()
        if not invertible:
            return
        p.setTransform(back, combine=True)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(self.opts["pen"])
        p.drawPath(shown.map(self.getPath()))


class _Points(_Within, pyqtgraph.ScatterPlotItem):  # type: ignore[misc]
    """Marks at points."""


class _Painted(QGraphicsItem):
    """Our own drawing over the plot, in the plot's pixels: heading, labels, legend."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self.draw: Callable[[QPainter], None] | None = None
        self.setZValue(1000)

    def boundingRect(self) -> QRectF:
        parent = self.parentItem()
        return QRectF() if parent is None else parent.boundingRect()

    def paint(self, painter: QPainter, *_: object) -> None:
        if self.draw is not None:
            origin = self.scenePos()
            painter.translate(-origin.x(), -origin.y())
            self.draw(painter)


def _rings(series: list[SeenSeries], looks: list[Ink], theme: Theme) -> list[dict[str, Any]]:
    return [
        {"pos": ring, "size": 1, "symbol": RING, "pen": QPen(QColor(look.colour), EDGE_WIDTH), "brush": theme.surface}
        for one, look in zip(series, looks, strict=True)
        for ring in one.rings
    ]


def _points(series: list[SeenSeries], looks: list[Ink], theme: Theme) -> list[dict[str, Any]]:
    return [
        {
            "pos": point,
            "size": 1,
            "symbol": look.path(),
            "pen": QPen(QColor(theme.surface), EDGE_WIDTH),
            "brush": look.colour,
        }
        for one, look in zip(series, looks, strict=True)
        if look.mark
        for point in one.points
    ]


BEYOND = 24.0
"""Pixels that labels at the ends of an axis may extend beyond it."""
NEAR = 0.5
"""Pixels: a grid line closer than this to the other axis is omitted."""
SINGLE = Qt.TextFlag.TextSingleLine.value
RIGHT = Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value | SINGLE
LineSpec: TypeAlias = tuple[QPen, QPointF, QPointF]
TextSpec: TypeAlias = tuple[QRectF, int, str]
Specs: TypeAlias = tuple[LineSpec, list[LineSpec], list[TextSpec]]
"""The axis line, its ticks and its labels, as ``AxisItem.generateDrawSpecs`` returns them."""


class ChartAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """The bottom or left axis. Labels that would touch another are omitted; the title of the bottom axis is below its
    labels if the layout has a line for it, else at their end."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.setGrid(255)
        self._look: tuple[Theme, QFont] | None = None
        self._layout: PlaneLayout | None = None
        self._ticks: list[Tick] = []
        self._title = ""
        self._crossing = True
        self._named = False
        self._line = QPen()
        self._title_colour = QColor()

    def set_look(self, layout: PlaneLayout, axis: Axis, font: QFont, theme: Theme) -> None:
        """Sets what is drawn next, for the plot area of ``layout``."""
        bottom = self.orientation == "bottom"
        span, pixels = (layout.view.x, layout.plot.width()) if bottom else (layout.view.y, layout.plot.height())
        self._ticks = ticks_of(axis, span.start, span.end, pixels)
        self._layout, self._title, self._crossing = layout, axis.title if bottom else "", axis.grid
        self._named = bool(axis.named)
        if self._look != (theme, font):
            self._look = theme, QFont(font)
            self._line = QPen(QColor(theme.line), 0)
            self._title_colour = QColor(theme.text)
            self.setPen(QPen(QColor(theme.muted), 0))
            self.setTextPen(QPen(QColor(theme.muted)))
            self.setStyle(tickFont=QFont(font))
        if self.orientation == "left":
            self.setWidth(layout.plot.left() - layout.place.left())
        else:
            self.setHeight(layout.axis.height())

    def boundingRect(self) -> QRectF:
        """Includes space for labels that extend beyond the ends of the axis."""
        return QRectF(super().boundingRect()).adjusted(-BEYOND, -BEYOND, BEYOND, BEYOND)

    def generateDrawSpecs(self, p: QPainter) -> Specs | None:
        """Grid lines across the plot and labels beside it, at our ticks."""
        if self._layout is None:
            return None
        plot, metrics = self._plot(), QFontMetricsF(self.style["tickFont"], p.device())
        upright = self.orientation == "left"
        end = plot.topLeft() if upright else plot.bottomRight()
        specs = self._left(plot, metrics) if upright else self._bottom(plot, metrics)
        lines: list[LineSpec] = []
        texts: list[TextSpec] = []
        for line, text in specs:
            if self._crossing:
                lines.append(line)
            if text is not None:
                texts.append(text)
        return (self.pen(), plot.bottomLeft(), end), lines, texts

    def paint(self, p: QPainter, *_: object) -> None:
        """Draws directly, not through a QPicture, whose font has a different size in exported files."""
        specs = self.generateDrawSpecs(p)
        if specs is None or self._layout is None:
            return
        p.save()
        self.drawPicture(p, *specs)
        p.setClipping(False)
        if self._named and self.orientation == "left":
            self._draw_names(p)
        if self._title and self.orientation == "bottom":
            metrics = QFontMetricsF(self.style["tickFont"], p.device())
            width = advance(self._title, metrics)
            plot, top = self._plot(), TICK + 2.0
            left = plot.right() - width
            if self._has_own_line(metrics):
                left, top = plot.center().x() - width / 2, top + metrics.height()
            p.setPen(self._title_colour)
            p.drawText(QRectF(left, plot.bottom() + top, width + 1, metrics.height()), SINGLE, shown_line(self._title))
        p.restore()

    def _draw_names(self, p: QPainter) -> None:
        """Draws the names of rows, elided in the middle; the short text after a name is kept. Names that would touch
        the one below are omitted."""
        assert self._layout is not None
        plot, metrics = self._plot(), QFontMetricsF(self.style["tickFont"], p.device())
        height, width = metrics.height(), self._layout.scale.width() - 2 * GAP + TICK
        view, free_to = self._layout.view.y, plot.bottom() + height
        for tick in self._ticks:
            y = plot.bottom() - (tick.place - view.start) / view.width * plot.height()
            if y + height / 2 > free_to + NEAR:
                continue
            free_to = y - height / 2
            behind = f" {tick.quiet}".rstrip() if tick.label else tick.quiet
            room = max(width - advance(behind, metrics), 0.0)
            name = elided(tick.label, metrics, room, Qt.TextElideMode.ElideMiddle)
            right, left = plot.left() - GAP, plot.left() - GAP - width
            p.setPen(self.textPen())
            p.drawText(QRectF(left, y - height / 2, width, height), RIGHT, shown_line(behind))
            p.setPen(self._title_colour)
            edge = right - advance(behind, metrics)
            p.drawText(QRectF(left, y - height / 2, edge - left, height), RIGHT, shown_line(name))

    def _has_own_line(self, metrics: QFontMetricsF) -> bool:
        """Whether the title has its own line below the labels."""
        return self._layout is not None and self._layout.axis.height() >= TICK + 2 + 2 * metrics.height()

    def _plot(self) -> QRectF:
        view = self.linkedView()
        return QRectF(view.mapRectToItem(self, view.boundingRect()))

    def _bottom(self, plot: QRectF, metrics: QFontMetricsF) -> Iterator[tuple[LineSpec, TextSpec | None]]:
        assert self._layout is not None
        span = self._layout.view.x
        edge = plot.right() + self._layout.place.right() - self._layout.plot.right()
        top, free_from = plot.bottom() + TICK + 2, plot.left() - BEYOND
        beside = bool(self._title) and not self._has_own_line(metrics)
        end = plot.right() - advance(self._title, metrics) - GAP if beside else edge
        scale = plot.width() / span.width
        every = _every([(tick.place * scale, advance(tick.label, metrics)) for tick in self._ticks if self._named])
        for number, (place, label) in enumerate((tick.place, tick.label) for tick in self._ticks):
            x = plot.left() + (place - span.start) * scale
            top_of_line = plot.top() if abs(x - plot.left()) > NEAR else plot.bottom()
            line = self._line, QPointF(x, top_of_line), QPointF(x, plot.bottom() + (TICK if label else 0))
            width = advance(label, metrics)
            left = min(max(x - width / 2, plot.left() - BEYOND), edge - width)
            text = None
            if label and number % every == 0 and left >= free_from and left + width <= end:
                text = QRectF(left, top, width + 1, metrics.height()), SINGLE, shown_line(label)
                free_from = left + width + GAP
            yield line, text

    def _left(self, plot: QRectF, metrics: QFontMetricsF) -> Iterator[tuple[LineSpec, TextSpec | None]]:
        assert self._layout is not None
        span, height = self._layout.view.y, metrics.height()
        free_to, width = plot.bottom() + height, self._layout.scale.width()
        for place, label in ((tick.place, tick.label) for tick in self._ticks):
            y = plot.bottom() - (place - span.start) / span.width * plot.height()
            end_of_line = plot.right() if abs(y - plot.bottom()) > NEAR else plot.left()
            line = self._line, QPointF(plot.left() - (TICK if label else 0), y), QPointF(end_of_line, y)
            text = None
            if label and not self._named and y + height / 2 <= free_to:
                box = QRectF(plot.left() - TICK - width, y - height / 2, width - 4, height)
                text, free_to = (box, RIGHT, shown_line(label)), y - height / 2
            yield line, text


def _every(labels: list[tuple[float, float]]) -> int:
    """The least step at which labels (middle and width in pixels) do not touch, so that they are evenly spaced; 1 for
    none."""
    for step in range(1, len(labels)):
        shown = labels[::step]
        if all(x + wide / 2 + GAP <= after - next_wide / 2 for (x, wide), (after, next_wide) in pairwise(shown)):
            return step
    return max(len(labels), 1)
