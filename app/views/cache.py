"""Figures of cache lines and cache sets as maps of 128 cells per row, and the tool tips of their cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import line_shares
from app.analysis.ascend.typed_columns import percent as percents
from app.analysis.table import Unit
from app.analysis.tables.ascend_load import SET_TITLES
from app.language import labelled, plural, tr
from app.profile.arrays import F64, I64
from app.profile.ascend import SET_FIELDS, Cache, CacheSide
from app.profile.selection import Kind
from app.views.differences import ONLY_BASELINE, both_sides
from app.views.heat.scale import HeatScale, scale_of
from app.views.units import exact, percent, plain

WIDE = 128
"""Cells per row (Ascend operator files, section 3.6)."""
Figure: TypeAlias = Literal["share", "count"]
MAPPED = tuple(field for field in SET_FIELDS if field != "line")
"""The seven metrics of a cache set, in the order of the vendor's pages."""


class MapBaseline(Struct, frozen=True, eq=False):
    """``share``, ``count``: float64[cells] of the baseline, NaN for no data; ``alone``: the first cell that only the
    baseline has."""

    share: F64
    count: F64
    alone: int


class CacheMap(Struct, frozen=True, eq=False):
    """One map: cell i (row i // 128, column i % 128) shows item i of ``kind``. ``share`` (percent) and ``count``:
    float64[cells], NaN for no data; ``line``: int64 ids of the cache lines, -1 for unknown; ``of``: what 100 percent
    is; ``baseline``: what the figures are compared with."""

    id: str
    title: str
    kind: Kind
    share: F64
    count: F64
    line: I64
    of: str
    side: CacheSide | None = None
    baseline: MapBaseline | None = None

    @property
    def own_cells(self) -> int:
        """How many cells are those of the profile: the others are only in the baseline."""
        return self.cells if self.baseline is None else self.baseline.alone

    @property
    def cells(self) -> int:
        return len(self.share)

    @property
    def rows(self) -> int:
        return -(-self.cells // WIDE)

    def matrix(self, figure: Figure) -> F64:
        """float64[rows, 128]; NaN for no data and after the last cell."""
        return self.as_matrix(self.share if figure == "share" else self.count)

    def as_matrix(self, figures: F64) -> F64:
        """The same of figures of all cells."""
        values = np.full(self.rows * WIDE, np.nan)
        values[: self.cells] = figures
        return values.reshape(self.rows, WIDE)

    def scale(self, figure: Figure) -> HeatScale:
        """The scale of a figure; shares always range from 0 to 100, so that maps can be compared."""
        return HeatScale(0.0, 100.0) if figure == "share" else scale_of(self.matrix("count"))


class Choice(Struct, frozen=True):
    """Maps that are shown together; ``make`` builds them."""

    id: str
    title: str
    make: Callable[[], tuple[CacheMap, ...]]

    @property
    def lines(self) -> bool:
        """Whether these are maps of lines rather than of sets."""
        return self.id.startswith("lines")


def unit_of(figure: Figure) -> Unit:
    return "%" if figure == "share" else ""


def choices(cache: Cache) -> tuple[Choice, ...]:
    """The maps to choose from: all maps of a block first, then each one alone."""
    entries: list[Choice] = []
    if cache.lines is not None and len(cache.lines.line):
        entries.append(Choice("lines", tr("Lines: hits and misses"), partial(line_maps, cache)))
        for place, title in enumerate((tr("Lines: hits"), tr("Lines: misses"))):
            entries.append(Choice(f"lines/{place}", title, partial(_one, line_maps, cache, place)))
    if cache.sets is not None and len(cache.sets):
        entries.append(Choice("sets", tr("Sets: all seven events"), partial(set_maps, cache)))
        for place, title in enumerate(SET_TITLES[field] for field in MAPPED):
            one = partial(_one, set_maps, cache, place)
            entries.append(Choice(f"sets/{place}", tr("Sets: {title}", title=title.lower()), one))
    return tuple(entries)


def line_maps(cache: Cache) -> tuple[CacheMap, ...]:
    """Hits and misses of the cache lines (0x0E)."""
    lines = cache.lines
    if lines is None:
        return ()
    of = tr("the line's hits and misses")
    hits, misses = line_shares(lines)
    return (
        CacheMap("hit", tr("Hits"), "cache_hit", hits, lines.hits.count, lines.line, of, lines.hits),
        CacheMap("miss", tr("Misses"), "cache_miss", misses, lines.misses.count, lines.line, of, lines.misses),
    )


def set_maps(cache: Cache) -> tuple[CacheMap, ...]:
    """The seven metrics of the cache sets (0x0B)."""
    sets = cache.sets
    if sets is None:
        return ()
    events = sets[:, SET_FIELDS.index("load")].astype(np.float64) + sets[:, SET_FIELDS.index("store")]
    line = sets[:, SET_FIELDS.index("line")].astype(np.int64)
    made = []
    for field in MAPPED:
        count = sets[:, SET_FIELDS.index(field)].astype(np.float64)
        made.append(
            CacheMap(
                field,
                SET_TITLES[field],
                "cache_set",
                percents(count, events),
                count,
                line,
                tr("loads and stores"),
            )
        )
    return tuple(made)


def _one(make: Callable[[Cache], tuple[CacheMap, ...]], cache: Cache, place: int) -> tuple[CacheMap, ...]:
    return make(cache)[place : place + 1]


MOST_RANGES = 6


def about(shown: CacheMap, cell: int, instructions: Callable[[CacheMap, int], int | None]) -> str:
    """The tool tip of a cell: its line, the number of events, the share and its formula, and where they come from.
    ``instructions``: how many instructions of the file are linked to it; None if the file has no instructions."""
    line = int(shown.line[cell])
    name = tr("Cache line {line:,}", line=line) if line >= 0 else tr("A cache line without a number")
    what = tr("Cache set") if shown.kind == "cache_set" else tr("Cell")
    lines = [f"{name} ({what.lower()} {cell:,}): {shown.title.lower()}"]
    count, share = float(shown.count[cell]), float(shown.share[cell])
    lines.append(labelled(shown.title, tr("no data") if count != count else plain(count)))
    if share == share:
        exactly = exact(share, "%")
        shorter = percent(share)
        figure = shorter if len(exactly) > 12 or exactly == shorter else f"{shorter} ({exactly})"
        lines.append(
            tr(
                "Share: {figure} of {of} = 100 · events / ({formula})",
                figure=figure,
                of=shown.of,
                formula=_formula(shown),
            )
        )
    else:
        lines.append(tr("Share: no data; {of} are 0 or unknown", of=shown.of))
    baseline = shown.baseline
    if baseline is not None:
        before = float(baseline.share[cell]), float(baseline.count[cell])
        lines.append(tr("Events: {sides}", sides=both_sides(before[1], count, "")))
        lines.append(tr("Share: {sides}", sides=both_sides(before[0], share, "%")))
        if cell >= baseline.alone:
            return "\n".join((*lines[:1], ONLY_BASELINE.capitalize(), *lines[-2:]))
    if shown.side is not None:
        lines += _ranges(shown, cell, instructions)
    return "\n".join(lines)


def _formula(shown: CacheMap) -> str:
    return tr("loads + stores") if shown.kind == "cache_set" else tr("hits + misses")


def _ranges(shown: CacheMap, cell: int, instructions: Callable[[CacheMap, int], int | None]) -> list[str]:
    side = shown.side
    assert side is not None
    first, after = int(side.first_range[cell]), int(side.first_range[cell + 1])
    if first == after:
        return [tr("No instructions: the file has no address range for this cell")]
    ranges = [
        tr(
            "{range_start} to {range_end}",
            range_start=f"{int(side.range_start[place]):#x}",
            range_end=f"{int(side.range_end[place]):#x}",
        )
        for place in range(first, min(after, first + MOST_RANGES))
    ]
    left = after - first - len(ranges)
    lines = [
        tr("Instructions at {ranges}", ranges=", ".join(ranges))
        + (
            plural(
                " and {count:,} more range",
                " and {count:,} more ranges",
                count=left,
            )
            if left > 0
            else ""
        )
    ]
    count = instructions(shown, cell)
    if count is not None:
        lines.append(
            plural(
                "Click to select it with {count:,} instruction",
                "Click to select it with {count:,} instructions",
                count=count,
            )
        )
    return lines
