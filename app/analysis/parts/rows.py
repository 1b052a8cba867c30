"""Some rows of the columns of a section, and of the events of a host."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.profile.arrays import I64, Integers, Ragged, sealed
from app.profile.ascend import Details, TypedColumn
from app.profile.tensorflow import HostEvents
from app.profile.timeline import Timeline

Section = TypeVar("Section", bound=Struct)


def taken_rows(section: Section, rows: I64, but: Collection[str] = ()) -> Section:
    """A copy with these rows of all columns: arrays, ragged columns and tuples. Fields named in ``but`` and texts stay
    as they are."""
    changes: dict[str, Any] = {}
    for name in section.__struct_fields__:
        value = getattr(section, name)
        if name in but:
            continue
        if isinstance(value, np.ndarray):
            changes[name] = sealed(value[rows])
        elif isinstance(value, Ragged):
            changes[name] = value.gather(rows)
        elif isinstance(value, tuple):
            changes[name] = tuple(value[row] for row in rows.tolist())
    return replace(section, **changes)


def typed_rows(column: TypedColumn, rows: I64) -> TypedColumn:
    """The column with only these rows."""
    details = None if column.details is None else column.details.of_rows(rows, column.values.shape[1])
    return replace(column, values=sealed(column.values[rows]), details=details)


def typed_cores(column: TypedColumn, cores: I64) -> TypedColumn:
    """The column with only the values of these cores (of the first core for one without values, as in ``of_core``);
    unchanged if all cores share them."""
    rows, width = column.values.shape
    if width == 1:
        return column
    cores = np.where(cores < width, cores, 0)
    details = column.details
    if details is not None:
        cells = (np.arange(rows, dtype=np.int64)[:, None] * width + cores).ravel()
        parts = Ragged(details.first, np.arange(len(details.reason), dtype=np.int64)).gather(cells)
        details = Details(
            details.reasons, parts.first, sealed(details.reason[parts.items]), sealed(details.count[parts.items])
        )
    return replace(column, values=sealed(column.values[:, cores]), details=details)


def of_rows(events: HostEvents, rows: I64) -> HostEvents:
    """Only the events ``rows`` (ascending), with what belongs to them."""
    number = np.full(len(events) + 1, -1, np.int64)  # the last one stands for no event
    number[rows] = np.arange(len(rows))
    lists = ("attached", "tensors", "ml_types", "skipped_names", "skipped_counts")
    part = taken_rows(events, rows, lists)
    made = {}
    for name in lists[:3]:
        own = getattr(events, name)
        few = taken_rows(own, np.flatnonzero(number[own.event] >= 0).astype(np.int64))
        made[name] = replace(few, event=sealed(number[few.event].astype(np.int32)))
    return replace(part, begin=sealed(number[part.begin].astype(np.int32)), skipped_names=(), skipped_counts=(), **made)


def renumbered(timeline: Timeline, rows: Integers) -> Timeline:
    """``timeline`` whose slices name records by their place in ``rows`` (ascending), -1 for others."""
    record = timeline.slices.record
    place = np.minimum(np.searchsorted(rows, record), max(len(rows) - 1, 0))
    there = (record >= 0) & (rows[place] == record) if len(rows) else np.zeros(len(record), np.bool_)
    return replace(timeline, slices=replace(timeline.slices, record=sealed(np.where(there, place, -1))))
