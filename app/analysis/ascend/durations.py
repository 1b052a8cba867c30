"""How long the blocks of an operator ran, and whether that is plausible."""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import F64
from app.profile.ascend import Operator, TypedColumn

TOLERANCE = 1.001
"""Blocks and operator are measured separately: 0.1 % more is not yet a contradiction."""


def duration_columns(operator: Operator) -> tuple[TypedColumn, ...]:
    """The columns of the block table that hold durations."""
    return tuple(column for column in operator.blocks if "duration" in column.name.lower() and column.numeric)


def of_blocks(operator: Operator) -> F64:
    """float64[blocks, sub-blocks]: durations as stored; NaN no data."""
    columns = [
        np.where(column.missing(0), np.nan, column.of_core(0).astype(np.float64))
        for column in duration_columns(operator)
    ]
    rows = len(operator.blocks[0].values) if operator.blocks else 0
    return np.stack(columns, axis=1) if columns else np.empty((rows, 0))


class Spread(Struct, frozen=True):
    """Statistics over all blocks that have a duration for this kind of sub-block; ``block`` is the row of the
    longest."""

    name: str
    mean: float
    median: float
    longest: float
    block: int


def spreads(operator: Operator) -> list[Spread]:
    """One for each duration column that has data."""
    stored = of_blocks(operator)
    result = []
    for place, name in enumerate(sub_block_names(operator)):
        values = stored[:, place]
        if not np.isnan(values).all():
            longest = int(np.nanargmax(values))
            result.append(
                Spread(name, float(np.nanmean(values)), float(np.nanmedian(values)), float(values[longest]), longest)
            )
    return result


def sub_block_names(operator: Operator) -> tuple[str, ...]:
    """The sub-block of each duration column: Cube0 for "Cube0 Duration (us)"; "Duration" for that of the block
    itself."""
    titles = (column.name for column in duration_columns(operator))
    names = (re.sub(r"\s*duration\s*(\([^)]*\))?\s*", " ", title, flags=re.IGNORECASE).strip() for title in titles)
    return tuple(name or tr("Duration") for name in names)


def doubtful(operator: Operator) -> bool:
    """Whether some block is longer than the whole operator: then the unit of the block durations is not what their
    titles say (Ascend operator files, section 2.1, rule 6)."""
    stored = of_blocks(operator)
    if operator.duration_us is None or not stored.size:
        return False
    return bool((stored > TOLERANCE * operator.duration_us).any())


def block_names(operator: Operator) -> tuple[str, ...]:
    """Names of the rows of the block table: their block ids, else their indices."""
    rows = len(operator.blocks[0].values) if operator.blocks else 0
    column = next((one for one in operator.blocks if one.name.lower() == "block id"), None)
    if column is None:
        return tuple(str(row) for row in range(rows))
    codes = column.of_core(0).tolist()
    if column.strings is None:
        return tuple(str(int(code)) if code == code and code >= 0 else "" for code in codes)
    return tuple(column.strings.get(code) for code in codes)
