"""Figures of cache lines and cache sets as maps of 128 cells per row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import line_shares, percent
from app.analysis.table import Unit
from app.analysis.tables.ascend_load import SET_TITLES
from app.language import tr
from app.profile.arrays import F64, I64
from app.profile.cache import SET_FIELDS, Cache, CacheSide
from app.profile.selection import Kind
from app.views.heat.scale import HeatScale, scale_of

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
            CacheMap(field, SET_TITLES[field], "cache_set", percent(count, events), count, line, tr("loads and stores"))
        )
    return tuple(made)


def _one(make: Callable[[Cache], tuple[CacheMap, ...]], cache: Cache, place: int) -> tuple[CacheMap, ...]:
    return make(cache)[place : place + 1]
