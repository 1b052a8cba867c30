"""Cells of stall samples: the share, and its breakdown by reason."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from app.analysis.ascend.typed_columns import Parts
from app.language import labelled, tr
from app.views.colours import blend, palette
from app.views.look import Theme
from app.views.units import NO_DATA, plain
from app.views.units import percent as percent_text
from app.widgets.table.delegate import PADDING

BAR = 120
RIGHT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value


class StallCell:
    """A bar for the share (relative to the largest in the column), split by reason, with the figure to its right."""

    def __init__(self, parts: Parts, title: str, font: QFont) -> None:
        self.parts = parts
        self._title = title
        self._font = font
        self._room = QFontMetrics(font).horizontalAdvance("100.00 %") + PADDING
        self._full = parts.largest or 1.0
        self._colours: tuple[str, dict[str, QColor]] = ("", {})
        self.width = BAR + self._room + 2 * PADDING

    @property
    def reasons(self) -> list[str]:
        """All reasons in the column, in the order of the file."""
        return self.parts.details.reasons.tolist()

    def colours(self, theme: Theme) -> dict[str, QColor]:
        """The colour of each reason."""
        if self._colours[0] != theme.name:
            chosen = palette(self.reasons, theme)
            self._colours = theme.name, {reason: QColor(chosen[reason]) for reason in self.reasons}
        return self._colours[1]

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        own = self.parts.row(row)
        percent = float(self.parts.percent[own]) if own >= 0 else float("nan")
        if own < 0:
            return None
        known = percent == percent
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text if known else theme.muted))
        text = f"{percent:.2f} %" if known else NO_DATA
        painter.drawText(rect.adjusted(PADDING, 0, -PADDING, -1), RIGHT, text)
        room = rect.width() - self._room - 2 * PADDING
        if known and room > 4:
            track = QRect(rect.left() + PADDING, rect.top() + 6, room, max(rect.height() - 13, 3))
            painter.fillRect(track, QColor(blend(theme.surface, theme.line, 0.35)))
            self._draw_parts(painter, track, row, percent, theme)
        return None

    def _draw_parts(self, painter: QPainter, track: QRect, row: int, percent: float, theme: Theme) -> None:
        counts = [(reason, count) for reason, count in self.parts.of(row) if count > 0]
        total = sum(count for _, count in counts)
        width = track.width() * min(percent / self._full, 1.0)
        if not counts:
            painter.fillRect(track.left(), track.top(), round(width), track.height(), QColor(theme.muted))
            return
        colours, done = self.colours(theme), 0.0
        for reason, count in counts:
            left, right = round(width * done / total), round(width * (done + count) / total)
            painter.fillRect(track.left() + left, track.top(), right - left, track.height(), colours[reason])
            done += count

    def tip(self, row: int) -> str:
        own = self.parts.row(row)
        if own < 0 or self.parts.percent[own] != self.parts.percent[own]:
            return ""
        counts = self.parts.of(row)
        total = sum(count for _, count in counts)
        lines: list[str] = [
            tr(
                "{title}: {percent} % of all samples of this kind",
                title=self._title,
                percent=f"{float(self.parts.percent[own]):.4g}",
            )
        ]
        lines += [
            labelled(reason, f"{plain(count)} ({percent_text(100 * count / total)})")
            for reason, count in sorted(counts, key=lambda part: -part[1])
            if count > 0
        ]
        return "\n".join(lines)
