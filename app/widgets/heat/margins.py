"""The figures of whole rows and columns beside a heat map: a bar each, and for rows with names the number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64, I64, U32
from app.widgets.colours import blend
from app.widgets.display import Look
from app.widgets.plot.fold import fold
from app.widgets.texts import advance
from app.widgets.theme import Theme
from app.widgets.units import Scale, exact, format_value, scale_for

FAINT: Final = 0.3
"""How far the bars go from the ground to the muted colour: figures stand on them."""


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """``rows``, ``columns``: int64, in the order in which they are drawn. ``row_word``, ``column_word``: what the
    figures are (Sum, Max); ``help`` says over what."""

    rows: I64
    columns: I64
    unit: Unit
    help: str
    clock_hz: float | None = None
    row_word: str = tr("Sum")
    column_word: str = tr("Sum")

    def scale(self, look: Look) -> Scale:
        """One for all rows, so that they compare by eye."""
        return scale_for(float(self.rows.max(initial=0)), self.unit, look, self.clock_hz)

    def title(self, look: Look) -> str:
        """What the figures of rows are, and their unit."""
        suffix = self.scale(look).suffix
        return f"{self.row_word} ({suffix})" if suffix else self.row_word

    def width(self, look: Look, metrics: QFontMetricsF) -> float:
        """Room for the largest figure of a row."""
        written = self.scale(look).number(float(self.rows.max(initial=0)))
        return max(advance(written, metrics), advance(self.title(look), metrics))

    def describe(self, name: str, word: str, value: int, look: Look) -> str:
        """What one figure says; ``word``: what it is."""
        shown, full = format_value(value, self.unit, look, self.clock_hz), exact(value, self.unit)
        return tr(
            "{name}: {word} {shown}",
            name=name,
            word=word.lower(),
            shown=shown if shown == full else f"{shown} ({full})",
        )


def draw_rows(painter: QPainter, place: QRectF, start: float, end: float, found: Margins, theme: Theme) -> None:
    """A bar from the left for each row seen, the longest of those that share a pixel."""
    height, width = max(1, round(place.height())), max(1, round(place.width()))
    lengths = _lengths(found.rows, start, end, height, width)
    inside = np.arange(width)[None, :] < lengths[:, None]
    _paint(painter, place, inside, theme)


def draw_columns(painter: QPainter, place: QRectF, start: float, end: float, found: Margins, theme: Theme) -> None:
    """A bar upwards for each column seen, the highest of those that share a pixel."""
    height, width = max(1, round(place.height())), max(1, round(place.width()))
    lengths = _lengths(found.columns, start, end, width, height)
    inside = np.arange(height)[::-1, None] < lengths[None, :]
    _paint(painter, place, inside, theme)


def draw_number(painter: QPainter, box: QRectF, text: str, theme: Theme) -> None:
    painter.setPen(QColor(theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value, text)


def _lengths(values: I64, start: float, end: float, pixels: int, longest: int) -> F64:
    """Pixels of each bar; what is above zero has one at least."""
    if not len(values):
        return np.zeros(pixels)
    top = max(float(values.max()), 1.0)
    most = fold(values.astype(np.float64), start, end, pixels).most
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
