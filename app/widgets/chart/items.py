"""Draws charts by pyqtgraph's items, both on screen and for picture files. Importing this imports pyqtgraph and takes a
third of a second: the window does so when idle, ``scene`` at the latest when the first chart is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem, QWidget

from app.views.chart.cut import Box
from app.views.theme import Theme
from app.widgets.chart.axes import ChartAxis
from app.widgets.chart.overlay import draw_overlay
from app.widgets.chart.seen import Seen, SeenSeries
from app.widgets.chart.symbols import EDGE_WIDTH, Ink, ink, mark_path

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
