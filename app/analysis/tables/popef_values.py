"""Values of a tensor, or of a slice of it, as tables. They come from the payload, which a profile does not hold, so
TABLES does not list them: panels make them of what they have read."""

from __future__ import annotations

import numpy as np

from app.analysis.bins import Bins, table
from app.analysis.popef.slicing import Slice
from app.analysis.popef.summary import Summary
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.arrays import Array, Bool


def values_table(part: Slice, numbers: Array, missing: Bool | None) -> Table:
    """``numbers``, [rows, columns] (``missing``: which are no data), as an index column and one column for each index
    across."""
    columns = [Column("index", tr("Index"), np.array(part.rows, np.int64), role="key")] if part.open else []
    names = [str(index) for index in part.columns] if len(part.open) > 1 else ["value"]
    for place, name in enumerate(names):
        absent = None if missing is None else missing[:, place]
        columns.append(Column(name, name, _exported(numbers[:, place]), missing=absent))
    return Table("values", tr("Values {part}", part=part.text), tuple(columns))


def histogram_table(summary: Summary) -> Table:
    """One row per bar."""
    return table(tr("Histogram of the values"), Bins(summary.edges, summary.bins), "", "values")


def _exported(numbers: Array) -> Array | tuple[str, ...]:
    """A column for export; as texts if it has non-finite numbers, which would otherwise be taken for missing data."""
    if numbers.dtype.kind != "f" or np.isfinite(numbers).all():
        return numbers
    return tuple(str(number) for number in numbers.tolist())
