"""The contents of a heat map, independent of any screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import F64, I64, U32, Array
from app.views.axis import TileAxis
from app.views.colours import blend, packed
from app.views.differences import both_sides
from app.views.heat.pyramid import Pyramid
from app.views.heat.scale import Scale, scale_of
from app.views.look import Look, Theme
from app.views.plot import fold
from app.views.units import Scale as UnitScale
from app.views.units import change, exact, format_value, scale_for
from app.widgets.texts import advance

Both: TypeAlias = tuple[float | int | None, float | int | None]
"""An amount in the baseline and in the comparison; None: no data."""


class HeatPicture(Struct, frozen=True, eq=False):
    """``pyramid.values`` [rows, tiles] in ``unit``; NaN is no data, and so are negative amounts unless the scale is
    signed. ``title``: what the amounts are; ``row_name``: the name of a row; ``row_title``: what rows are; ``margins``:
    values of whole rows and columns, None for none; ``both``: of a profile with a baseline, the amounts of a cell (row,
    column) on both sides."""

    title: str
    pyramid: Pyramid
    unit: Unit
    row_title: str
    row_name: Callable[[int], str]
    axis: TileAxis
    clock_hz: float | None = None
    margins: Margins | None = None
    both: Callable[[int, int], Both] | None = None

    @property
    def rows(self) -> int:
        return self.pyramid.shape[0]

    @property
    def columns(self) -> int:
        return self.pyramid.shape[1]

    @property
    def scale(self) -> Scale:
        return self.pyramid.scale

    def amount(self, row: int, column: int) -> float | int | None:
        """The exact amount of a cell; None if there is no data."""
        value: float | int = self.pyramid.values[row, column].item()
        if value != value or (value < 0 and not self.scale.signed):
            return None
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def largest(self, rows: range, columns: range) -> tuple[int, int]:
        """Row and column of the largest cell in a block (of differences: in either direction); its first cell if none
        has data."""
        block = self.pyramid.values[rows.start : rows.stop, columns.start : columns.stop]
        block = np.abs(block) if self.scale.signed else block
        if block.dtype.kind == "f":
            block = np.where(np.isnan(block), -1, block)
        row, column = np.unravel_index(int(np.argmax(block)), block.shape)
        return rows.start + int(row), columns.start + int(column)

    def describe(self, rows: range, columns: range, look: Look) -> str:
        """The description of a pixel: the cell it shows, and how many it covers."""
        row, column = self.largest(rows, columns)
        place = labelled(f"{self.row_name(row)} · {self.axis.name(column)}", self.figure(row, column, look))
        cells = len(rows) * len(columns)
        return (
            place
            if cells == 1
            else tr(
                "{place} · max of {count:,} × {columns_count:,} cells here",
                place=place,
                count=len(rows),
                columns_count=len(columns),
            )
        )

    def figure(self, row: int, column: int, look: Look) -> str:
        """The amount of a cell in words, or those of both sides."""
        if self.both is not None:
            return both_sides(*self.both(row, column), self.unit, look, self.clock_hz)
        value = self.amount(row, column)
        shown = tr("no data") if value is None else format_value(value, self.unit, look, self.clock_hz)
        full = "" if value is None else exact(value, self.unit)
        return shown if full in ("", shown) else f"{shown} ({full})"

    def describe_row(self, rows: range, look: Look) -> str:
        """The description of the largest row value among ``rows``."""
        return self._describe(rows, False, look)

    def describe_column(self, columns: range, look: Look) -> str:
        """The description of the largest column value among ``columns``."""
        return self._describe(columns, True, look)

    def _describe(self, places: range, across: bool, look: Look) -> str:
        if self.margins is None:
            return ""
        values = (self.margins.columns if across else self.margins.rows)[places.start : places.stop]
        place = places.start + int(np.argmax(np.abs(values)))
        name = self.axis.name(place) if across else self.row_name(place)
        more = tr(" · max of {count:,} here", count=len(places)) if len(places) > 1 else ""
        value, before = int(values[place - places.start]), self._before(place, across)
        return self.margins.describe(name, value, before, look, across=across) + more

    def _before(self, place: int, across: bool) -> int | None:
        """The value of a row or column in the baseline; None without one."""
        if self.margins is None or self.margins.before is None:
            return None
        return int(self.margins.before[across][place])

    def legend(self, look: Look, places: int = 3) -> list[tuple[float, str]]:
        """(position on the colour scale 0..1, amount) of some labels along it."""
        scale = scale_for(self.scale.high, self.unit, look, self.clock_hz)
        shares = [step / (places - 1) for step in range(places)]
        if self.scale.signed:
            texts = [change(self.scale.value(share), self.unit, look, self.clock_hz) for share in shares]
            if self.scale.clipped:  # larger differences have the colours of the ends
                texts[0], texts[-1] = f"≤ {texts[0]}", f"≥ {texts[-1]}"
            return list(zip(shares, texts, strict=True))
        if not self.scale.log:
            return [(share, scale.text(self.scale.value(share))) for share in shares]
        return [
            (share, format_value(round(self.scale.value(share)), self.unit, look, self.clock_hz)) for share in shares
        ]


def heat_picture(
    title: str,
    values: Array,
    unit: Unit,
    row_title: str,
    row_name: Callable[[int], str],
    axis: TileAxis,
    *,
    log: bool = False,
    clock_hz: float | None = None,
    margins: Margins | None = None,
) -> HeatPicture:
    """A picture of ``values`` with its own colour scale."""
    pyramid = Pyramid(values, scale_of(values, log=log))
    return HeatPicture(title, pyramid, unit, row_title, row_name, axis, clock_hz, margins)


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

    def scale(self, look: Look) -> UnitScale:
        """One scale for all rows, so that they are comparable."""
        return scale_for(self.largest, self.unit, look, self._row_clock)

    def number(self, value: int, scale: UnitScale) -> str:
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
    colours = np.array([packed(theme.surface), packed(blend(theme.surface, theme.muted, FAINT))], np.uint32)
    pixels: U32 = np.ascontiguousarray(colours[inside.astype(np.uint8)])
    painter.drawImage(place, QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32))
