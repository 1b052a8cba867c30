"""Breakdowns of memory, and other figures of tiles: by tile, by IPU and by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace

from app.analysis.table import Column, Table
from app.analysis.tile_breakdowns import WHOLE, Content, by_ipu, choices, content_of, ipus, statistics
from app.language import plural, tr
from app.profile.arrays import F64, I64, Array
from app.profile.profile import Profile

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
