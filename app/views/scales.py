"""Display units of table columns. The command line prints tables in them, too."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.analysis.table import Column, Table
from app.language import Message
from app.profile.arrays import F64, Array
from app.views.units import TIMES, Scale, decimals_needed, scale_for, unit_word

if TYPE_CHECKING:
    from app.views.look import Look

SAMPLE = 2048
MOST_DIGITS = 1e6
"""A scale is chosen for the median value, but so that the largest stays below this."""
MOST_DECIMALS = 3

_WORDS = re.compile(r"[\w/%]+")


def titled(column: Column, scale: Scale | None, title: str) -> str:
    """The title with the unit, unless the column's title already names the unit. One-letter units are always added: a
    column called B may be in bytes."""
    suffix = unit_word(column.unit) if scale is None else scale.suffix
    english = column.title.english if isinstance(column.title, Message) else ""  # units are those of English
    unit = column.unit if suffix == unit_word(column.unit) else suffix
    named = len(unit) > 1 and unit.lower() in _WORDS.findall(f"{column.title} {english}".lower())
    named = named or column.title.endswith(f"({suffix})")
    return f"{title} ({suffix})" if suffix and not named else title


def column_scales(table: Table, look: Look | None, clock_hz: float | None) -> tuple[Scale | None, ...]:
    """The scale of each column; None for texts, addresses and plain counts. Columns that are compared share one
    unit."""
    together: dict[str, list[Column]] = {}
    for place, column in enumerate(table.columns):
        together.setdefault(column.compared or f"{place}", []).append(column)
    shared = {word: _scale(columns, look, clock_hz) for word, columns in together.items()}
    return tuple(
        _own_scale(column, shared[column.compared or f"{place}"]) for place, column in enumerate(table.columns)
    )


def _scale(columns: Sequence[Column], look: Look | None, clock_hz: float | None) -> Scale:
    """One unit and number of decimals that suit most cells of ``columns``; cycles of what runs at the same time are no
    durations."""
    unit, clock_hz = columns[0].unit, None if columns[0].parallel else clock_hz
    amounts = [_amounts(column, values) for column in columns if (values := _scaled(column)) is not None]
    together = np.concatenate([np.empty(0), *amounts])
    if not len(together) and unit in TIMES:
        return Scale(1.0, unit, 0)
    if not len(together):
        return scale_for(0.0, unit, look, clock_hz)
    middle, largest = float(np.median(together)), float(together.max())
    scale = scale_for(max(middle, largest / MOST_DIGITS), unit, look, clock_hz)
    whole = unit == "B" and scale.factor == 1.0
    decimals = 0 if whole else 1 if unit in ("%", "pp") else _decimals(together, scale)
    return Scale(scale.factor, scale.suffix, decimals)


def _own_scale(column: Column, shared: Scale) -> Scale | None:
    """The scale of one column: ``shared`` with the column's own decimals, none for integers, whole cycles and
    whole counts in their own unit. None for a column without a scale."""
    values = _scaled(column)
    if values is None:
        return None
    whole = shared.factor == 1.0 and column.unit not in ("%", "pp")
    whole = whole and (values.dtype.kind in "iu" or (column.unit in ("cycles", "") and _all_whole(column, values)))
    wanted = max(column.decimals, decimals_needed(column.finest / shared.factor))
    return Scale(shared.factor, shared.suffix, max(0 if whole else shared.decimals, wanted))


def _all_whole(column: Column, values: Array) -> bool:
    """Whether no value that the column has is a fraction."""
    known = values if column.missing is None else values[~column.missing]
    known = known[np.isfinite(known)]
    return bool((known == np.floor(known)).all())


def _scaled(column: Column) -> Array | None:
    """The values of a column of amounts; None for texts, addresses and plain counts."""
    values = column.values
    if not isinstance(values, np.ndarray) or not column.numeric or column.hexadecimal or column.units is not None:
        return None
    return values if column.unit or values.dtype.kind not in "iu" else None


def _decimals(amounts: F64, scale: Scale) -> int:
    """Enough decimals for two digits of the smaller values too, three at most."""
    small = float(np.quantile(amounts, 0.05)) / scale.factor
    return max(scale.decimals, min(MOST_DECIMALS, math.ceil(1 - math.log10(small)))) if small < 10 else scale.decimals


def _amounts(column: Column, values: Array) -> F64:
    """Positive amounts in a sample of the column, including its largest one (float64)."""
    step = max(1, len(values) // SAMPLE)
    known = None if column.missing is None else ~column.missing
    sample = np.abs((values if known is None else values[known])[::step].astype(np.float64))
    if len(values) and values.dtype.kind in "iuf":
        with np.errstate(all="ignore"):
            peak = float(np.fmax.reduce(values)) if known is None or known.all() else math.nan
        sample = np.append(sample, abs(peak))
    return sample[np.isfinite(sample) & (sample > 0)]
