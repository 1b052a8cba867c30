"""Typed columns of the file as columns of a table: counts that are stored as floating-point numbers, ratios of two
counts, and components of percentages (the reasons that warps stalled for)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from app.analysis.table import Coded, Column, Role, Unit
from app.language import labelled, tr
from app.profile.arrays import F64, I64, sealed
from app.profile.ascend import LIVE_REGISTERS, CacheLines, Details, TypedColumn

_EXACT = 2.0**53


def count_column(key: str, title: str, values: F64, unit: Unit = "", help: str = "") -> Column:  # noqa: A002
    """A column of integers with missing values marked, or of the floats themselves if one is not a whole number."""
    missing = np.isnan(values)
    known = values[~missing]
    if not len(known) or not bool(((known == np.floor(known)) & (np.abs(known) < _EXACT)).all()):
        return Column(key, title, values, unit, help, stored=True)
    whole = np.where(missing, 0.0, values).astype(np.int64)
    return Column(key, title, whole, unit, help, missing=missing if missing.any() else None)


def hit_percent(hit: F64, miss: F64) -> F64:
    """100 · hit / (hit + miss); NaN if one is unknown or both are 0 (Ascend operator files, section 3.2)."""
    return percent(hit, hit + miss)


def line_shares(lines: CacheLines) -> tuple[F64, F64]:
    """Hits and misses of each cache line in percent of its events, as stored; NaN for a line without events, for which
    the file stores 0."""
    none = (lines.hits.count == 0) & (lines.misses.count == 0)
    hits, misses = (np.where(none, np.nan, 100.0 * side.ratio) for side in (lines.hits, lines.misses))
    return hits, misses


def percent(part: F64, whole: F64) -> F64:
    """100 · part / whole; NaN without a positive whole."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, 100.0 * part / whole, np.nan)


MAX_REASONS = 32
"""At most this many components of a percentage become columns of their own."""

_UNITS: dict[str, Unit] = {"cycles": "cycles", "bytes": "B"}
MICROSECONDS = " (us)"
"""The end of names of times."""
NO_DATA = tr("Negative values, NA and N/A count as no data.")
LIVE_TITLE = tr("Live registers")
LIVE_HELP = tr("Number of registers in GPR Status: those that the instruction reads or writes, and those in use.")


RATES = frozenset({"L2Cache Hit Rate"})
"""Percentages that earlier writers declared as texts (Ascend operator files, section 2.6)."""
_IDS = frozenset({"step", "rank", "device", "core", "line"})
_MOMENTS = ("start time(us)", "timestamp(us)", "allocation time(us)", "release time(us)", "start_time(us)")
_NONE = frozenset({"", "NA", "N/A"})


def as_shown(column: TypedColumn) -> TypedColumn:
    """The column with percentages stored as text converted to numbers; any other column unchanged."""
    if column.name not in RATES or column.kind != "text" or column.strings is None:
        return column
    numbers = []
    for text in column.strings:
        stripped = text.strip().removesuffix("%")
        try:
            number = np.nan if stripped in _NONE else float(stripped)
        except ValueError:
            return column
        numbers.append(number if 0 <= number <= 100 else np.nan)
    values = np.array([*numbers, np.nan])[column.values]
    return TypedColumn(column.name, "percent", sealed(values))


def key_of(title: str) -> str:
    """A short name for exports: lower case, words joined by underscores."""
    words = re.sub(r"[^0-9a-z]+", "_", title.lower().replace("μ", "u").replace("µ", "u")).strip("_")
    return words or "column"


def role_of(title: str) -> Role:
    """What a column of a report says about a row, by its title: ids and ranks, and moments of the run."""
    lowered = title.lower()
    if lowered in _IDS or lowered.endswith(("_id", " id", "pid", " ptr")):
        return "key"
    return "place" if lowered.endswith(_MOMENTS) else ""


def unit_of_share(title: str) -> Unit:
    """Of columns of a report: those whose titles say so are percentages."""
    return "%" if "(%)" in title else ""


def unit_of(column: TypedColumn) -> Unit:
    if column.kind in ("percent", "details"):
        return "%"
    if column.name.endswith(MICROSECONDS):
        return "µs"
    lowered = column.name.lower()
    return next((unit for word, unit in _UNITS.items() if lowered.endswith(word)), "")


def _title(column: TypedColumn) -> str:
    """The name without a unit, which the heading states."""
    if column.name == LIVE_REGISTERS:
        return LIVE_TITLE
    return column.name.removesuffix(MICROSECONDS)


def of_core(column: TypedColumn, core: int) -> Column:
    """The column for one core."""
    return _plain(column, core, key_of(column.name), _title(column))


def of_all_cores(columns: Sequence[TypedColumn], cores: Sequence[str]) -> Iterator[Column]:
    """Each column once for every core that has values of its own, followed by the components of percentages."""
    for column in map(as_shown, columns):
        width = column.values.shape[1]
        for core in range(width):
            where = "" if width == 1 else (cores[core] if core < len(cores) else str(core))
            key = key_of(column.name) + (f".{where}" if where else "")
            title = _title(column) + (f", {where}" if where else "")
            yield _plain(column, core, key, title)
            yield from _parts(column, core, key, title)


def _plain(column: TypedColumn, core: int, key: str, title: str) -> Column:
    values = column.of_core(core)
    if column.strings is not None:
        return Column(key, title, Coded(values, column.strings))
    if values.dtype.kind == "f":
        return Column(key, title, values, unit_of(column), NO_DATA, stored=column.kind != "details")
    help_ = LIVE_HELP if column.name == LIVE_REGISTERS else NO_DATA
    return Column(key, title, values, unit_of(column), help_, missing=column.missing(core))


def _parts(column: TypedColumn, core: int, key: str, title: str) -> Iterator[Column]:
    """One column per reason: its samples in each row, 0 where it does not occur, NaN no data."""
    details = column.details
    if details is None or len(details.reasons) > MAX_REASONS:
        return
    rows, width = column.values.shape
    cell = np.repeat(np.arange(rows * width), np.diff(details.first))
    here = cell % width == core
    missing = column.missing(core)
    for code, reason in enumerate(details.reasons):
        chosen = here & (details.reason == code)
        count = np.bincount(cell[chosen] // width, details.count[chosen], rows)
        samples = np.where(missing, np.nan, count)
        yield count_column(f"{key}.{key_of(reason)}", labelled(title, reason), samples, help=tr("Number of samples."))


class Parts(Struct, frozen=True, eq=False):
    """The components of one column for one core. ``percent``: float64[rows of the column], NaN no data; ``rows``: which
    row of the column each row of the table shows (int64, -1 none), None if they are the same."""

    percent: F64
    details: Details
    width: int
    core: int
    rows: I64 | None = None

    def row(self, row: int) -> int:
        """The row of the column that a row of the table shows; -1 none."""
        return row if self.rows is None else int(self.rows[row])

    def of(self, row: int) -> list[tuple[str, float]]:
        """(reason, samples) of a row of the table, in the file's order."""
        own = self.row(row)
        if own < 0:
            return []
        cell = own * self.width + self.core
        part = slice(int(self.details.first[cell]), int(self.details.first[cell + 1]))
        codes, counts = self.details.reason[part].tolist(), self.details.count[part].tolist()
        return [(self.details.reasons.get(code), count) for code, count in zip(codes, counts, strict=True)]

    @property
    def largest(self) -> float:
        """The largest percentage of the column; 0 if there is none."""
        known = self.percent[~np.isnan(self.percent)]
        return float(known.max(initial=0.0))


def parts_of(columns: Sequence[TypedColumn], core: int, rows: I64 | None = None) -> dict[str, Parts]:
    """The components of each column that has any, by the column's key in tables."""
    parts = {}
    for column in columns:
        width = column.values.shape[1]
        if column.details is not None:
            own = core if 0 <= core < width else 0
            parts[key_of(column.name)] = Parts(column.of_core(own), column.details, width, own, rows)
    return parts
