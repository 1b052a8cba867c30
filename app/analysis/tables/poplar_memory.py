"""Tiles, and categories of memory."""

from __future__ import annotations

import numpy as np

from app.analysis.memory import NO_GAPS, WITH_GAPS, used
from app.analysis.poplar.categories import meaning
from app.analysis.poplar.columns import masked, optional
from app.analysis.poplar.numbers import ipu_of_tiles, sync_delays
from app.analysis.shares import shares
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I64, combine_at
from app.profile.poplar import REGIONS, Categories, TileMemory
from app.profile.profile import Profile
from app.profile.strings import Strings


def tiles(profile: Profile) -> Table | None:
    """One row per tile."""
    memory = profile.tile_memory
    if memory is None:
        return None
    count = memory.tiles
    columns = [Column("tile", tr("Tile"), np.arange(count, dtype=np.int64), role="key")]
    columns += optional(
        "ipu", "IPU", ipu_of_tiles(profile.target, count), count, help_=tr("Tile / tiles per IPU."), role="key"
    )
    columns += _fit(profile, memory)
    columns += optional("total", tr("Without gaps"), memory.total, count, "B", NO_GAPS)
    columns += optional(
        "non_interleaved", tr("Non-interleaved"), memory.non_interleaved, count, "B", tr("Bytes without gaps.")
    )
    columns += optional("interleaved", tr("Interleaved"), memory.interleaved, count, "B", tr("Bytes without gaps."))
    columns += optional("overflowed", tr("Overflowed"), memory.overflowed, count, "B", tr("Bytes that did not fit."))
    columns += optional("always_live", tr("Always live"), memory.always_live, count, "B", tr("Live all the time."))
    help_ = tr("Maximum over the program of the temporarily live bytes on this tile.")
    columns += optional(
        "temporary_max", tr("Maximum temporarily live"), memory.temporary_max, count, "B", help_, adds_up=False
    )
    columns += optional("sync_delay", tr("Sync delay"), _delays(profile, count), count, "cycles", _SYNC, adds_up=False)
    return Table("tiles", tr("Tiles"), tuple(columns), "tile")


_SYNC = tr("Minimum sync delay + the tile's own: cycles from its sync request to its release.")


def _fit(profile: Profile, memory: TileMemory) -> list[Column]:
    values = used(memory)
    if values is None:
        return []
    help_ = WITH_GAPS if memory.total_with_gaps is not None else NO_GAPS
    columns = [Column("used", tr("Used"), values, "B", help_)]
    limit = profile.target.bytes_per_tile if profile.target is not None else None
    if limit and limit > 0:
        share = 100.0 * values / limit
        over = np.maximum(values.astype(np.int64) - limit, 0)
        columns.append(
            Column("used_share", tr("Used, share"), share, "%", tr("Used / bytes per tile."), share_of=tr("the tile"))
        )
        columns.append(Column("over", tr("Over the limit"), over, "B", tr("Used - bytes per tile, if above zero.")))
    return columns


def _delays(profile: Profile, count: int) -> I64 | None:
    target = profile.target
    delays = sync_delays(target) if target is not None else None
    if target is None or delays is None or not target.tiles_per_ipu or len(delays) != target.tiles_per_ipu:
        return None
    return delays[np.arange(count) % target.tiles_per_ipu]


STATED = tr(" (the stated total if the file lacks some)")


def categories(profile: Profile) -> Table | None:
    """One row per category of memory, over all tiles."""
    own = profile.tile_memory.categories if profile.tile_memory is not None else None
    if own is None:
        return None
    names = Strings.of(own.names)
    sums = own.bytes.sum(axis=1, dtype=np.int64)
    total, most = _totals(own, sums)
    columns = [
        Column("category", tr("Category"), Coded(np.arange(len(names)), names)),
        masked("total", tr("Total"), total, "B", tr("Sum of its six parts over all tiles{stated}.", stated=STATED)),
        Column(
            "share",
            tr("Share"),
            shares(np.maximum(total, 0)),
            "%",
            tr("Share of the totals."),
            total < 0,
            tr("all categories"),
        ),
        masked(
            "max_tile",
            tr("Maximum on a tile"),
            most,
            "B",
            tr("Maximum over tiles of the sum of its six parts{stated}.", stated=STATED),
            adds_up=False,
        ),
        masked(
            "not_overlapped",
            tr("Not overlapped"),
            _by_part(own, sums, None, False),
            "B",
            tr("Bytes that are never shared."),
        ),
        masked(
            "overlapped",
            tr("Overlapped"),
            _by_part(own, sums, None, True),
            "B",
            tr(
                "Shared between variables that are never live at the same time; several categories may count the same "
                "byte."
            ),
        ),
    ]
    for region, name in enumerate(REGIONS):
        help_ = tr("Bytes in the region {name}, overlapped or not.", name=name)
        columns.append(masked(name.lower(), _TITLES[region], _by_part(own, sums, region, None), "B", help_))
    columns.append(Column("meaning", tr("Meaning"), tuple(meaning(name) for name in own.names)))
    return Table("memory-by-category", tr("Memory by category"), tuple(columns), "category")


_TITLES = (tr("Interleaved"), tr("Non-interleaved"), tr("Overflowed"))


def _by_part(own: Categories, sums: I64, region: int | None, overlapped: bool | None) -> I64:
    """int64[categories]: sums of the parts in that region, overlapped or not (None: either); -1 if the file lacks one
    of them."""
    chosen = np.ones(len(sums), np.bool_)
    if region is not None:
        chosen &= own.region == region
    if overlapped is not None:
        chosen &= own.overlapped == overlapped
    out = np.zeros(len(own.names), np.int64)
    combine_at(np.add, out, own.category[chosen], sums[chosen])
    wanted = (1 if region is not None else len(REGIONS)) * (1 if overlapped is not None else 2)
    return np.where(np.bincount(own.category[chosen], minlength=len(out)) < wanted, -1, out)


def _totals(listed: Categories, sums: I64) -> tuple[I64, I64]:
    """(int64[categories] bytes over all tiles, int64[categories] the most on a tile): from the parts of each, or as the
    file states them if it lacks parts; -1 if it has neither."""
    total, most = _by_part(listed, sums, None, None), np.full(len(listed.names), -1, np.int64)
    stated = {of: row for row, of in enumerate(listed.total_of.tolist())}
    for place in range(len(listed.names)):
        if total[place] < 0 and place in stated:
            own = listed.totals[stated[place]].astype(np.int64)
        else:
            own = listed.bytes[listed.category == place].sum(axis=0, dtype=np.int64)
        if place in stated or place in listed.category:
            total[place], most[place] = own.sum(), own.max(initial=0)
    return total, most
