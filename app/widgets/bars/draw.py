"""Draws horizontal bars, for the screen and for export alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.widgets.bars.picture import BarsPicture
from app.widgets.colours import blend, fitted
from app.widgets.display import Look
from app.widgets.texts import advance, elided, shown_line
from app.widgets.theme import Theme
from app.widgets.timeline.ticks import amount_ticks
from app.widgets.units import scale_for

PAD = 8.0
AIR = 8.0
"""Between two bars."""
NAMES_SHARE = 0.45
TICK_SPACE = 64.0
TRACK = 0.35
MOST_ROW = 32.0
SINGLE = Qt.TextFlag.TextSingleLine.value
LEFT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | SINGLE
RIGHT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value | SINGLE


@dataclass(frozen=True, slots=True)
class BarsLayout:
    """``names``, ``tracks`` and ``figures`` are columns over all rows; a row is ``row`` pixels high."""

    head: QRectF
    names: QRectF
    tracks: QRectF
    figures: QRectF
    axis: QRectF
    row: float
    count: int

    def row_at(self, point: QPointF) -> int:
        """The bar in the row of ``point``; -1 above and below."""
        place = math.floor((point.y() - self.tracks.top()) / self.row)
        return place if 0 <= place < self.count else -1

    def rows_in(self, seen: QRectF) -> range:
        """The bars of which ``seen`` shows something."""
        first = math.floor((seen.top() - self.tracks.top()) / self.row)
        last = math.floor((seen.bottom() - self.tracks.top()) / self.row)
        return range(max(first, 0), min(last + 1, self.count))

    def row_rect(self, place: int) -> QRectF:
        width = self.figures.right() - self.names.left()
        return QRectF(self.names.left(), self.tracks.top() + place * self.row, width, self.row)


def height_of(picture: BarsPicture, metrics: QFontMetricsF) -> float:
    """How high a chart has to be so that no row is squeezed."""
    line = metrics.height()
    return math.ceil((line + AIR) + len(picture.bars) * (line + AIR) + line + 2 * PAD)


def lay_out(place: QRectF, picture: BarsPicture, look: Look, metrics: QFontMetricsF) -> BarsLayout:
    """The parts inside ``place``; rows take what height there is, within reason."""
    line = metrics.height()
    inside = place.adjusted(PAD, 0, -PAD, -PAD)
    head = QRectF(inside.left(), inside.top(), inside.width(), line + AIR)
    count = len(picture.bars)
    room = inside.height() - head.height() - line - PAD / 2
    row = min(max(room / max(count, 1), line + 2), MOST_ROW)
    wanted = max((advance(_label(bar.name, bar.part), metrics) for bar in picture.bars), default=0.0) + PAD
    names = QRectF(inside.left(), head.bottom(), min(wanted, inside.width() * NAMES_SHARE), row * count)
    figure = max((advance(text, metrics) for text in picture.texts(look)), default=0.0) + PAD
    width = max(inside.width() - names.width() - figure, 1.0)
    tracks = QRectF(names.right(), names.top(), width, names.height())
    figures = QRectF(tracks.right(), names.top(), figure, names.height())
    axis = QRectF(tracks.left(), tracks.bottom() + PAD / 2, width, line)
    return BarsLayout(head, names, tracks, figures, axis, row, count)


def draw_bars(
    painter: QPainter,
    place: QRectF,
    picture: BarsPicture,
    look: Look,
    *,
    hovered: int = -1,
    selected: int = -1,
    seen: QRectF | None = None,
) -> BarsLayout:
    """The whole chart into ``place``, or the bars of it that ``seen`` shows; returns where everything lies."""
    theme = look.theme
    metrics = QFontMetricsF(painter.font(), painter.device())
    layout = lay_out(place, picture, look, metrics)
    painter.setPen(QColor(theme.text))
    painter.drawText(layout.head, LEFT, elided(picture.title, metrics, place.width()))
    if 0 <= selected < layout.count:
        painter.fillRect(layout.row_rect(selected), QColor(blend(theme.surface, theme.selection, 0.24)))
    _draw_grid(painter, layout, picture, look, metrics)
    texts = picture.texts(look)
    for number in layout.rows_in(place if seen is None else seen):
        _draw_bar(painter, layout, picture, number, texts[number], theme, metrics)
    if 0 <= hovered < layout.count:
        painter.setPen(QPen(QColor(theme.hover), 1))
        painter.drawRect(layout.row_rect(hovered).adjusted(0.5, 0.5, -0.5, -0.5))
    return layout


def _draw_bar(
    painter: QPainter,
    layout: BarsLayout,
    picture: BarsPicture,
    number: int,
    text: str,
    theme: Theme,
    metrics: QFontMetricsF,
) -> None:
    bar, row = picture.bars[number], layout.row_rect(number)
    _draw_name(
        painter, QRectF(row.left(), row.top(), layout.names.width() - PAD, row.height()), bar.name, bar.part, theme
    )
    inset = max((row.height() - metrics.height()) / 2, 2.0)
    track = QRectF(layout.tracks.left(), row.top() + inset, layout.tracks.width(), row.height() - 2 * inset)
    missing = math.isnan(bar.amount)
    painter.fillRect(track, QColor(theme.no_data if missing else blend(theme.surface, theme.line, TRACK)))
    if not missing and bar.amount > 0:
        width = max(min(bar.amount / picture.full, 1.0) * track.width(), 1.0)
        fill = fitted(bar.colour, theme.surface, theme.dark)
        painter.fillRect(QRectF(track.left(), track.top(), width, track.height()), QColor(fill))
    painter.setPen(QColor(theme.muted if missing else theme.text))
    painter.drawText(
        QRectF(layout.figures.left(), row.top(), layout.figures.width(), row.height()), RIGHT, shown_line(text)
    )
    if missing:
        painter.drawText(track.adjusted(PAD, 0, 0, 0), LEFT, "no data")


def _draw_name(painter: QPainter, place: QRectF, name: str, part: str, theme: Theme) -> None:
    """The name keeps as much as it can; the part behind it gives way last, for it is short."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    behind = advance(f" {part}", metrics) if part else 0.0
    shown = elided(name, metrics, max(place.width() - behind, 0.0), Qt.TextElideMode.ElideMiddle)
    painter.setPen(QColor(theme.text))
    painter.drawText(place, LEFT, shown)
    if part:
        left = advance(shown, metrics)
        painter.setPen(QColor(theme.muted))
        painter.drawText(place.adjusted(left, 0, 0, 0), LEFT, shown_line(f" {part}"))


def _draw_grid(painter: QPainter, layout: BarsLayout, picture: BarsPicture, look: Look, metrics: QFontMetricsF) -> None:
    theme, tracks = look.theme, layout.tracks
    scale = scale_for(picture.full, picture.unit, look)
    for amount, text in amount_ticks(0.0, picture.full, scale, max(1, int(tracks.width() / TICK_SPACE))):
        x = tracks.left() + amount / picture.full * tracks.width()
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(x, tracks.top(), x, tracks.bottom()))
        width = advance(text, metrics)
        painter.setPen(QColor(theme.muted))
        box = QRectF(
            min(x - width / 2, layout.figures.right() - width), layout.axis.top(), width + 1, layout.axis.height()
        )
        painter.drawText(box, LEFT, shown_line(text))


def _label(name: str, part: str) -> str:
    return f"{name} {part}" if part else name
