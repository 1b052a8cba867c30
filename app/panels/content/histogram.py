"""The histogram of a tensor's values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.analysis.popef.summary import Summary
from app.analysis.table import Column, Table
from app.panels.content import words
from app.profile.arrays import F64, I64
from app.widgets.colours import QUIET, fitted
from app.widgets.display import Display, Look
from app.widgets.heat.marks import outline
from app.widgets.tabular import Tabular
from app.widgets.texts import advance
from app.widgets.theme import Theme
from app.widgets.tips import tip
from app.widgets.units import MOST_DECIMALS, decimals_telling, plain, signed

GAP = 8.0
LABEL_SPACE = 90.0
TICKS = 4


def heights(bins: I64, *, log: bool) -> F64:
    """float64[bins], 0..1: shares of the tallest bar, or of its logarithm; a bar with anything in it is above 0."""
    counts = bins.astype(np.float64)
    if log:
        counts = np.log1p(counts)
    return counts / max(float(counts.max(initial=0.0)), 1e-12)


class Histogram(QWidget, Tabular):
    """Has the abilities HoldsPicture and Tabular."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.summary: Summary | None = None
        self.log = False
        self._hovered = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 60)
        self.setAccessibleName("Histogram of the values")
        display.changed.connect(self.update)

    def show_summary(self, found: Summary | None) -> None:
        self.summary = found
        self._hovered = -1
        self.update()

    def set_log(self, log: bool) -> None:
        """Bars by the logarithm of their counts, so that rare values are seen beside frequent ones."""
        self.log = log
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        if self.summary is not None:
            draw(painter, place, self.summary, replace(self._display.look, theme=theme), log=self.log)

    def shown_table(self) -> Table | None:
        found = self.summary
        if found is None:
            return None
        columns = (
            Column("from", "From", found.edges[:-1]),
            Column("to", "To", found.edges[1:], help="The last bar includes it."),
            Column("values", "Values", found.bins),
        )
        return Table("histogram", "Histogram of the values", columns)

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        return np.empty(0, np.int64)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.surface))
            if self.summary is not None and len(self.summary.bins):
                bars = draw(painter, QRectF(self.rect()), self.summary, self._display.look, log=self.log)
                if 0 <= self._hovered < len(self.summary.bins):
                    left, right = _sides(bars, self._hovered, len(self.summary.bins))
                    outline(painter, QRectF(left, bars.top(), max(right - left - 1, 1.0), bars.height()), theme)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self._bin_at(event.position())
        if found != self._hovered:
            self._hovered = found
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.summary is not None:
            found = self._bin_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(words.bins(self.summary, found) if found >= 0 else ""), self)
            return True
        return super().event(event)

    def _bin_at(self, point: QPointF) -> int:
        if self.summary is None or not len(self.summary.bins):
            return -1
        bars = lay_out(QRectF(self.rect()), self.summary, QFontMetricsF(self.font(), self))
        if not bars.contains(point):
            return -1
        count = len(self.summary.bins)
        return min(int((point.x() - bars.left()) / bars.width() * count), count - 1)


def lay_out(place: QRectF, found: Summary, metrics: QFontMetricsF) -> QRectF:
    """Where the bars stand."""
    left = advance(plain(int(found.bins.max(initial=0))), metrics) + 2 * GAP
    return QRectF(
        place.left() + left,
        place.top() + GAP + metrics.height() / 2,
        max(place.width() - left - 2 * GAP, 1.0),
        max(place.height() - 2 * GAP - 1.5 * metrics.height() - 4, 1.0),
    )


def draw(painter: QPainter, place: QRectF, found: Summary, look: Look, *, log: bool) -> QRectF:
    """Bars, counts at the left, values below; returns where the bars stand."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    bars, theme = lay_out(place, found, metrics), look.theme
    _draw_counts(painter, bars, found, theme, metrics, log=log)
    fill = QColor(fitted(QUIET, theme.surface, theme.dark))
    for number, share in enumerate(heights(found.bins, log=log).tolist()):
        if share > 0:
            left, right = _sides(bars, number, len(found.bins))
            height = max(share * bars.height(), 1.0)
            gap = 1.0 if right - left >= 4 else 0.0
            painter.fillRect(QRectF(left, bars.bottom() - height, max(right - left - gap, 1.0), height), fill)
    painter.setPen(QPen(QColor(theme.line), 0))
    painter.drawLine(QLineF(bars.left(), bars.bottom(), bars.right(), bars.bottom()))
    _draw_values(painter, bars, found, theme, metrics)
    return bars


def _sides(bars: QRectF, number: int, count: int) -> tuple[float, float]:
    return bars.left() + bars.width() * number / count, bars.left() + bars.width() * (number + 1) / count


def count_ticks(most: int, *, log: bool) -> list[tuple[float, int]]:
    """(share of the height, count) of the ticks up to ``most``: whole counts, each at its own height."""
    shares = [step / TICKS for step in range(TICKS + 1)]
    counts = {round(math.expm1(share * math.log1p(most)) if log else share * most) for share in shares}
    top = math.log1p(most) if log else most
    return [((math.log1p(count) if log else count) / (top or 1), count) for count in sorted(counts)]


def edge_text(edges: F64, number: int) -> str:
    """An edge, with digits enough to tell it from those beside it."""
    value, width = float(edges[number]), float(edges[-1] - edges[0]) / max(len(edges) - 1, 1)
    decimals = decimals_telling(width / 10)
    if decimals == MOST_DECIMALS:  # powers of ten are read more easily
        return words.number_text(value)
    rounded = words.plain_number(round(value, decimals))
    return words.number_text(rounded) if isinstance(rounded, int) else signed(f"{rounded:.{decimals}f}".rstrip("0"))


def _draw_counts(
    painter: QPainter, bars: QRectF, found: Summary, theme: Theme, metrics: QFontMetricsF, *, log: bool
) -> None:
    flags = Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value
    for share, count in count_ticks(int(found.bins.max(initial=0)), log=log):
        y = bars.bottom() - share * bars.height()
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(bars.left(), y, bars.right(), y))
        painter.setPen(QColor(theme.muted))
        painter.drawText(
            QRectF(0, y - metrics.height() / 2, bars.left() - GAP / 2, metrics.height()), flags, plain(count)
        )


def _draw_values(painter: QPainter, bars: QRectF, found: Summary, theme: Theme, metrics: QFontMetricsF) -> None:
    """The value at some edges: of every bar, or of each so many."""
    count = len(found.bins)
    step = max(1, math.ceil(count / max(1, int(bars.width() / LABEL_SPACE))))
    painter.setPen(QColor(theme.muted))
    centre = Qt.AlignmentFlag.AlignHCenter.value | Qt.TextFlag.TextSingleLine.value
    for number in range(0, count + 1, step):
        x = bars.left() + bars.width() * number / count
        text = edge_text(found.edges, number)
        width = advance(text, metrics) + 2
        left = min(max(x - width / 2, 0.0), bars.right() + GAP - width)
        painter.drawText(QRectF(left, bars.bottom() + 3, width, metrics.height()), centre, text)
