"""`--tiles`: tables of selected tiles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.matching import rows_within
from app.analysis.poplar.tile_content import CONTENTS, TileContents
from app.analysis.table import Table, only
from app.analysis.tables import available, by_id
from app.analysis.tables.poplar_tile_content import table_of
from app.analysis.tile_sets import BadTiles, parse
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, TileRange

TILE_TABLES = tuple(spec.table for spec in CONTENTS.values())
"""The tables that need `--tiles`."""


class NoTiles(Exception):
    """There is no such table of tiles; the text says why."""


def tables_on(profile: Profile, text: str) -> Iterator[Table]:
    """Tables of the memory of the tiles that ``text`` names, and tables whose rows are tiles, limited to these."""
    tiles = _tiles(profile, text)
    contents = TileContents(profile)
    made = (table_of(contents, kind, tiles) for kind in CONTENTS)
    yield from (table for table in made if table is not None)
    limited = (_limited(profile, table, tiles) for table in available(profile))
    yield from (table for table in limited if table is not None)


def table_on(profile: Profile, table_id: str, text: str) -> Table:
    """One of these tables; NoTiles if there is none, or if ``text`` names no tiles of the profile."""
    tiles = _tiles(profile, text)
    for spec in CONTENTS.values():
        if spec.table == table_id:
            table = table_of(TileContents(profile), spec.kind, tiles)
            if table is None:
                raise NoTiles(tr("no table {table_id}: {nothing}", table_id=f"{table_id!r}", nothing=spec.nothing))
            return table
    whole = by_id(profile, table_id)
    if whole is None:
        raise NoTiles(
            tr(
                "no table {table_id}; --tiles works with {tile_tables}",
                table_id=f"{table_id!r}",
                tile_tables=", ".join(TILE_TABLES),
            )
        )
    table = _limited(profile, whole, tiles)
    if table is None:
        raise NoTiles(tr("--tiles: the rows of {table_id} are not tiles", table_id=table_id))
    return table


def _tiles(profile: Profile, text: str) -> I64:
    count = TileContents(profile).tiles
    if not count:
        raise NoTiles(tr("--tiles: the file has no tile memory"))
    try:
        return parse(text, count, profile.target.tiles_per_ipu if profile.target is not None else None)
    except BadTiles as error:
        raise NoTiles(f"--tiles: {error}") from error


def _limited(profile: Profile, table: Table, tiles: I64) -> Table | None:
    """The rows for ``tiles``; None if its rows are something else."""
    within = rows_within(profile, table, Ranges(tiles=TileRange(tuple(tiles.tolist()))))
    return None if within is None else only(table, np.flatnonzero(within))
