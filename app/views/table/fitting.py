"""Column widths of tables and trees: from a sample of their cells, never from all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from app.analysis.table import Column, Table

SAMPLE_ROWS = 200
MOST_SEARCHED, MOST_WATCHED = 1_000_000, 100_000
"""In longer columns the largest value is not searched for: of a new table; of one that changes while it is shown."""
SLACK = 3
"""A text shorter than the longest by up to this many letters may still be wider."""


def sample(table: Table, column: Column) -> list[int]:
    """A sample of row numbers from first to last, including those with the smallest and the largest value, whose texts
    are the longest."""
    if not table.rows:
        return []
    rows = np.linspace(0, table.rows - 1, SAMPLE_ROWS).astype(np.int64).tolist()
    return sorted({*rows, *extremes(column, MOST_SEARCHED)})


def extremes(column: Column, most: int = MOST_WATCHED) -> list[int]:
    """Rows with the smallest and the largest value; none for texts, or for more than ``most`` rows."""
    values = column.values
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf" or not 0 < len(values) <= most:
        return []
    known = values if values.dtype.kind != "f" else np.nan_to_num(values, posinf=0.0, neginf=0.0)
    return [int(np.argmin(known)), int(np.argmax(known))]


def widest(texts: Iterable[str | None], width_of: Callable[[str], int]) -> int:
    """Width in pixels of the widest text; only the longest ones are measured."""
    distinct = {text for text in texts if text}
    longest = max(map(len, distinct), default=0)
    return max((width_of(text) for text in distinct if len(text) >= longest - SLACK), default=0)
