"""Memory of tiles: by tile, by category, by IPU and by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace

from app.analysis.amounts import shares
from app.analysis.memory import NO_GAPS, WITH_GAPS, used
from app.analysis.poplar.columns import masked, optional
from app.analysis.poplar.names import meaning
from app.analysis.poplar.numbers import ipu_of_tiles, sync_delays
from app.analysis.table import Coded, Column, Table
from app.analysis.tile_figures import WHOLE, Content, by_ipu, choices, content_of, ipus, statistics
from app.language import plural, tr
from app.profile.arrays import F64, I64, Array, combine_at
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


WITHOUT_GAPS = "/without-gaps"


def by_tile(profile: Profile) -> Iterator[Table]:
    """One table per breakdown of memory, one row per tile."""
    return (tile_table(content) for content in _memory(profile))


def by_ipus(profile: Profile) -> Iterator[Table]:
    """One table per breakdown of memory, one row per IPU; none if there is only one IPU."""
    return (ipu_table(content) for content in _memory(profile) if ipus(content) > 1)


def figures(profile: Profile) -> Iterator[Table]:
    """One table per breakdown of memory: how each part is distributed over all tiles."""
    return (_figures(content) for content in _memory(profile))


def tile_table_named(profile: Profile, table_id: str) -> Table | None:
    """Tables that ``by_tile`` does not list: other figures of tiles, and memory without gaps."""
    content = _named(profile, table_id)
    return None if content is None else tile_table(content)


def ipu_table_named(profile: Profile, table_id: str) -> Table | None:
    content = _named(profile, table_id)
    return None if content is None else ipu_table(content)


def figures_table_named(profile: Profile, table_id: str) -> Table | None:
    content = _named(profile, table_id)
    return None if content is None else _figures(content)


def _figures(content: Content) -> Table:
    """Statistics of the parts over all tiles."""
    return replace(figures_table(content, np.arange(content.tiles), ""), selects=None, keys=None)


def _memory(profile: Profile) -> Iterator[Content]:
    """The breakdowns of memory, gaps included."""
    for choice in choices(profile):
        content = content_of(profile, choice) if choice.figure is None else None
        if content is not None:
            yield content


def _named(profile: Profile, table_id: str) -> Content | None:
    name = f"/{table_id.partition('/')[2]}"
    gaps = not name.endswith(WITHOUT_GAPS)
    name = name.removesuffix(WITHOUT_GAPS).removeprefix("/")
    choice = next((choice for choice in choices(profile) if choice.id == (name or WHOLE)), None)
    return None if choice is None else content_of(profile, choice, gaps=gaps)


def tile_table(content: Content) -> Table:
    """One row per tile, one column per part."""
    columns = [Column("tile", tr("Tile"), np.arange(content.tiles), role="key")]
    if content.per_ipu:
        columns.append(Column("ipu", "IPU", np.arange(content.tiles) // content.per_ipu, role="key"))
    columns.append(_total(content, content.total, tr("Sum of the parts.")))
    if content.limit:
        share = 100 * content.total / content.limit
        columns.append(Column("share", tr("Share"), share, "%", share_of=tr("the memory of a tile")))
    if len(content.parts) > 1:
        columns += _parts(content, lambda values: values)
    return Table(f"tile-memory{_name(content)}", content.title, tuple(columns), "tile", note=content.note)


def ipu_table(content: Content) -> Table:
    """One row per IPU: sums over its tiles (means of figures that do not add up), and its fullest tile."""
    most, fullest = _fullest(content)
    columns = [
        Column("ipu", "IPU", np.arange(len(most)), role="key"),
        _total(content, by_ipu(content, content.total), tr("Of its tiles."), parallel=content.adds_up),
        Column(
            "max_tile",
            tr("Maximum on a tile"),
            most,
            content.unit,
            tr("Maximum over the tiles of the IPU."),
            adds_up=False,
        ),
        Column("fullest", tr("Fullest tile"), fullest, missing=fullest < 0, role="key"),
    ]
    if len(content.parts) > 1:
        columns += _parts(content, lambda values: by_ipu(content, values), parallel=content.adds_up)
    return Table(
        f"tile-memory-ipus{_name(content)}", tr("{part}, by IPU", part=content.title), tuple(columns), note=content.note
    )


def _fullest(content: Content) -> tuple[F64, I64]:
    """float64 and int64[IPUs]: the largest amount on a tile of each IPU, and the first tile that has it; NaN and -1
    where no tile has data."""
    first = np.arange(ipus(content)) * content.per_ipu
    known = np.where(np.isnan(content.total), -np.inf, content.total)
    most = np.maximum.reduceat(known, first)
    full = np.flatnonzero(known == np.repeat(most, np.diff(first, append=content.tiles)))
    _, place = np.unique(np.searchsorted(first, full, "right"), return_index=True)
    there = np.isfinite(most)
    return np.where(there, most, np.nan), np.where(there, full[place], -1)


def figures_table(content: Content, tiles: I64, of: str) -> Table:
    """One row per part (and one for their sum): statistics over ``tiles``. ``of``: words for the note that say which of
    all tiles these are."""
    rows: list[tuple[str, Array]] = [(title, values) for _, title, values, _ in content.parts]
    if len(rows) > 1:
        rows.insert(0, (tr("All parts"), content.total))
    if len(tiles) == 1:
        return _figures_of_one(content, rows, int(tiles[0]))
    found_of = [statistics(values[tiles]) for _, values in rows]
    columns = [Column("part", tr("Part"), tuple(name for name, _ in rows))]
    if content.adds_up:
        totals = np.array([each.total for each in found_of])
        columns.append(
            Column(
                "total",
                tr("Total"),
                totals,
                content.unit,
                tr("Of these tiles."),
                inclusive=len(rows) > 1,
                parallel=True,
            )
        )
    for key, title in (
        ("mean", tr("Mean")),
        ("median", tr("Median")),
        ("least", tr("Minimum")),
        ("most", tr("Maximum")),
    ):
        values = np.array([getattr(each, key) for each in found_of])
        columns.append(Column(key, title, values, content.unit, adds_up=False))
    ratio = np.array([each.ratio for each in found_of])
    columns.append(Column("ratio", tr("Max / mean"), ratio, help=tr("1 means that all tiles are equal.")))
    most = [values[tiles] for _, values in rows]
    worst = [int(tiles[int(np.nanargmax(own))]) if _any(own) and np.nanmax(own) > 0 else -1 for own in most]
    at = np.array(worst, np.int64)
    columns.append(Column("tile", tr("Tile of the maximum"), at, missing=at < 0, role="key"))
    note = plural(
        "{count:,} tile{of}. {note}",
        "{count:,} tiles{of}. {note}",
        count=len(tiles),
        of=of,
        note=content.note,
    ).strip()
    return Table(
        f"tile-memory-figures{_name(content)}",
        tr("{part}: figures", part=content.title),
        tuple(columns),
        "tile",
        at,
        note,
    )


def _figures_of_one(content: Content, rows: list[tuple[str, Array]], tile: int) -> Table:
    """One row per part of a single tile."""
    values = np.array([own[tile] for _, own in rows])
    columns = [
        Column("part", tr("Part"), tuple(name for name, _ in rows)),
        Column("value", tr("Amount"), values, content.unit),
    ]
    whole = float(content.total[tile])
    if content.adds_up and len(rows) > 1 and whole > 0:
        columns.append(Column("share", tr("Share"), 100 * values / whole, "%", share_of=tr("all parts")))
    note = tr("Tile {tile:,} selected. {note}", tile=tile, note=content.note).strip()
    return Table(
        f"tile-memory-figures{_name(content)}", tr("{part}: figures", part=content.title), tuple(columns), note=note
    )


def _name(content: Content) -> str:
    """The suffix of the table id for this content."""
    return ("" if content.id == WHOLE else f"/{content.id}") + ("" if content.gaps else WITHOUT_GAPS)


def _parts(content: Content, of: Callable[[Array], Array], *, parallel: bool = False) -> list[Column]:
    return [
        Column(key, title, of(values), content.unit, help_, adds_up=content.adds_up, parallel=parallel)
        for key, title, values, help_ in content.parts
    ]


def _any(values: Array) -> bool:
    return bool(len(values)) and not (values.dtype.kind == "f" and bool(np.all(np.isnan(values))))


def _total(content: Content, values: Array, about: str, *, parallel: bool = False) -> Column:
    adds = content.adds_up
    title = tr("Total") if adds else content.parts[0][1]
    about = about if adds else content.note
    return Column("total", title, values, content.unit, about, adds_up=adds, parallel=parallel)
