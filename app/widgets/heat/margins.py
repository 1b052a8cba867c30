"""The margins of a heat map: a bar for the value of each row and column, and numbers for named rows."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64, I64, U32
from app.views.colours import blend
from app.views.differences import both_sides
from app.views.look import Look
from app.views.plot.fold import fold
from app.views.theme import Theme
from app.views.units import Scale, exact, format_value, scale_for
from app.widgets.texts import advance

FAINT: Final = 0.3
"""Contrast of the bars between background and muted colour: text is drawn over them."""


class Margins(Struct, frozen=True, eq=False):
    """The values of whole rows and columns. ``rows``, ``columns``: int64, in display order; ``row_word``,
    ``column_word``: what the values are (Sum, Max); ``help``: over what. ``before``: the same (rows, columns) of the
    baseline, of which ``rows`` and ``columns`` are the differences if ``signed``."""

    rows: I64
    columns: I64
    unit: Unit
    help: str
    clock_hz: float | None = None
    row_word: str = tr("Sum")
    column_word: str = tr("Sum")
    before: tuple[I64, I64] | None = None
    signed: bool = False
    parallel: bool = False
    """Whether rows are sums over what runs at the same time, so that their cycles are no durations."""

    @property
    def _row_clock(self) -> float | None:
        return None if self.parallel else self.clock_hz

    @property
    def largest(self) -> float:
        """The value of the row with the largest, in either direction."""
        return float(np.abs(self.rows).max(initial=0))

    def scale(self, look: Look) -> Scale:
        """One scale for all rows, so that they are comparable."""
        return scale_for(self.largest, self.unit, look, self._row_clock)

    def number(self, value: int, scale: Scale) -> str:
        """A row value on ``scale``, without its unit; a difference with its sign."""
        return f"+{scale.number(float(value))}" if self.signed and value > 0 else scale.number(float(value))

    def title(self, look: Look) -> str:
        """What the row values are, and their unit."""
        suffix = self.scale(look).suffix
        return f"{self.row_word} ({suffix})" if suffix else self.row_word

    def width(self, look: Look, metrics: QFontMetricsF) -> float:
        """Width of the largest row value in pixels."""
        scale, largest = self.scale(look), int(self.largest)
        written = (self.number(end, scale) for end in ((largest, -largest) if self.signed else (largest,)))
        return max(*(advance(text, metrics) for text in written), advance(self.title(look), metrics))

    def describe(self, name: str, value: int, before: int | None, look: Look, *, across: bool) -> str:
        """The tool tip of the value of a row, or (``across``) of a column; ``before``: that of the baseline, None
        without one."""
        word = self.column_word if across else self.row_word
        clock = self.clock_hz if across else self._row_clock
        if before is not None:
            after = before + value if self.signed else value
            sides = both_sides(before, after, self.unit, look, clock)
            return tr("{name}: {word}: {sides}", name=name, word=word.lower(), sides=sides)
        shown, full = format_value(value, self.unit, look, clock), exact(value, self.unit)
        return tr(
            "{name}: {word} {shown}",
            name=name,
            word=word.lower(),
            shown=shown if shown == full else f"{shown} ({full})",
        )


def draw_rows(painter: QPainter, place: QRectF, start: float, end: float, margins: Margins, theme: Theme) -> None:
    """Draws a bar from the left for each visible row; of rows that share a pixel, the longest."""
    height, width = max(1, round(place.height())), max(1, round(place.width()))
    lengths = _lengths(margins.rows, start, end, height, width)
    inside = np.arange(width)[None, :] < lengths[:, None]
    _paint(painter, place, inside, theme)


def draw_columns(painter: QPainter, place: QRectF, start: float, end: float, margins: Margins, theme: Theme) -> None:
    """Draws an upward bar for each visible column; of columns that share a pixel, the highest."""
    height, width = max(1, round(place.height())), max(1, round(place.width()))
    lengths = _lengths(margins.columns, start, end, width, height)
    inside = np.arange(height)[::-1, None] < lengths[None, :]
    _paint(painter, place, inside, theme)


def draw_number(painter: QPainter, box: QRectF, text: str, theme: Theme) -> None:
    painter.setPen(QColor(theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value, text)


def _lengths(values: I64, start: float, end: float, pixels: int, longest: int) -> F64:
    """Length of each bar in pixels; at least 1 for positive values."""
    if not len(values):
        return np.zeros(pixels)
    sizes = np.abs(values).astype(np.float64)
    top = max(float(sizes.max()), 1.0)
    most = fold(sizes, start, end, pixels).most
    out: F64 = np.ceil(most / top * longest)
    return out


def _paint(
    painter: QPainter, place: QRectF, inside: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], theme: Theme
) -> None:
    height, width = inside.shape
    colours = np.array([_packed(theme.surface), _packed(blend(theme.surface, theme.muted, FAINT))], np.uint32)
    pixels: U32 = np.ascontiguousarray(colours[inside.astype(np.uint8)])
    painter.drawImage(place, QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32))


def _packed(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
