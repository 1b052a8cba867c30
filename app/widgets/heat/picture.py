"""The contents of a heat map, independent of any screen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import Array
from app.widgets.display import Look
from app.widgets.heat.margins import Margins
from app.widgets.heat.pyramid import Pyramid
from app.widgets.heat.scale import HeatScale, scale_of
from app.widgets.tile_axis import TileAxis
from app.widgets.units import exact, format_value, scale_for


class HeatPicture(Struct, frozen=True, eq=False):
    """``pyramid.values`` [rows, tiles] in ``unit``; negative amounts and NaN are no data. ``title``: what the amounts
    are; ``row_name``: the name of a row; ``row_title``: what rows are; ``margins``: values of whole rows and columns,
    None for none."""

    title: str
    pyramid: Pyramid
    unit: Unit
    row_title: str
    row_name: Callable[[int], str]
    axis: TileAxis
    clock_hz: float | None = None
    margins: Margins | None = None

    @property
    def rows(self) -> int:
        return self.pyramid.shape[0]

    @property
    def columns(self) -> int:
        return self.pyramid.shape[1]

    @property
    def scale(self) -> HeatScale:
        return self.pyramid.scale

    def amount(self, row: int, column: int) -> float | int | None:
        """The exact amount of a cell; None if there is no data."""
        value = self.pyramid.values[row, column].item()
        return value if value >= 0 else None

    def largest(self, rows: range, columns: range) -> tuple[int, int]:
        """Row and column of the largest cell in a block; its first cell if none has data."""
        block = self.pyramid.values[rows.start : rows.stop, columns.start : columns.stop]
        if block.dtype.kind == "f":
            block = np.where(np.isnan(block), -1, block)
        row, column = np.unravel_index(int(np.argmax(block)), block.shape)
        return rows.start + int(row), columns.start + int(column)

    def describe(self, rows: range, columns: range, look: Look) -> str:
        """The description of a pixel: the cell it shows, and how many it covers."""
        row, column = self.largest(rows, columns)
        value = self.amount(row, column)
        shown = tr("no data") if value is None else format_value(value, self.unit, look, self.clock_hz)
        full = "" if value is None else exact(value, self.unit)
        figure = shown if full in ("", shown) else f"{shown} ({full})"
        place = f"{self.row_name(row)} · {self.axis.name(column)}: {figure}"
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
        place = places.start + int(np.argmax(values))
        name = self.axis.name(place) if across else self.row_name(place)
        more = tr(" · max of {count:,} here", count=len(places)) if len(places) > 1 else ""
        word = self.margins.column_word if across else self.margins.row_word
        return self.margins.describe(name, word, int(values.max()), look) + more

    def legend(self, look: Look, places: int = 3) -> list[tuple[float, str]]:
        """(position on the colour scale 0..1, amount) of some labels along it."""
        scale = scale_for(self.scale.high, self.unit, look, self.clock_hz)
        shares = [step / (places - 1) for step in range(places)]
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
