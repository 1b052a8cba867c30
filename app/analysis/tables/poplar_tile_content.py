"""What uses the memory of some tiles, as tables: for the tile memory panel, and for `--tiles` of the commands."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.poplar.columns import masked
from app.analysis.poplar.names import meaning
from app.analysis.poplar.tile_content import CONTENTS, TileContents, TileItems
from app.analysis.table import Coded, Column, Role, Table, Unit
from app.analysis.tables.poplar_exchanges import KINDS
from app.language import labelled, plural, tr
from app.profile.arrays import I64, Integers
from app.profile.poplar import EXCHANGE_KINDS
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings, joined
from app.profile.strings import taken as texts_of

_OTHERS: Final[dict[str, tuple[str, str]]] = {
    "overlapped": (
        tr("Overlapped"),
        tr("Shared between variables that are never live at the same time; categories may share them."),
    ),
    "code": (tr("Code"), tr("Part of the bytes. Code shared by several entries is counted in each.")),
    "sent": (tr("Bytes sent"), tr("Moved when the exchange runs once; takes no memory itself.")),
    "received": (tr("Bytes received"), tr("Moved when the exchange runs once; takes no memory itself.")),
}

_NUMBER: Final = tr("Index in the file's list.")


def table_of(contents: TileContents, kind: Kind, tiles: I64) -> Table | None:
    """One row per item on ``tiles``, largest first, then the remainder; None if the file does not say. Bytes and shares
    add up to what is in use on the tiles."""
    taken = contents.taken(kind, tiles)
    if taken is None:
        return None
    spec, rests = CONTENTS[kind], len(taken.rests)
    columns = [Column("name", spec.one, _names(taken), role="name")]
    columns += _amounts(taken, several=len(tiles) > 1)
    for key, values in taken.others.items():
        title, help_ = _OTHERS[key]
        columns.append(_padded(key, title, values, rests, "B", help_))
    columns += _about(contents.profile, taken, several=len(tiles) > 1)
    several = plural("{count:,} tile", "{count:,} tiles", count=len(tiles))
    of = tr("tile {tile:,}", tile=int(tiles[0])) if len(tiles) == 1 else several
    keys = np.concatenate((taken.items, np.full(rests, -1, np.int64)))
    return Table(spec.table, tr("{spec} on {of}", spec=spec.title, of=of), tuple(columns), kind, keys)


def _names(taken: TileItems) -> Coded:
    """Names of the items, then of the remainders."""
    own, rests = taken.names.ids, len(taken.rests)
    texts = joined(texts_of(taken.names.strings, own), Strings.of(rest.title for rest in taken.rests))
    there = np.concatenate((own >= 0, np.ones(rests, np.bool_)))
    return Coded(np.where(there, np.arange(len(texts)), -1), texts)


def _amounts(taken: TileItems, *, several: bool) -> list[Column]:
    spec = CONTENTS[taken.kind]
    title, help_ = spec.bytes_title, spec.bytes_help
    if taken.bytes is None:
        blank = np.zeros(len(taken.items), np.int64)
        return [Column("bytes", title, blank, "B", tr("Not in the file."), missing=np.ones(len(blank), np.bool_))]
    rests = np.array([rest.bytes for rest in taken.rests], np.int64)
    bytes_ = np.concatenate((taken.bytes.total, rests))
    missing = np.concatenate((taken.bytes.total < 0, np.zeros(len(rests), np.bool_)))
    why = " ".join(labelled(rest.title, rest.help) for rest in taken.rests)
    columns = [Column("bytes", title, bytes_, "B", f"{help_} {why}".strip(), missing=missing)]
    if taken.used:
        share = 100.0 * bytes_ / taken.used
        of = tr("the bytes in use on the tiles") if several else tr("the bytes in use on the tile")
        help_ = tr("Bytes / used bytes with gaps.")
        columns.append(Column("share", tr("Share"), share, "%", help_, missing=missing, share_of=of))
    if several:
        count = len(rests)
        columns.append(_padded("most", tr("Maximum on a tile"), taken.bytes.most, count, "B", adds_up=False))
        columns.append(
            _padded(
                "tile",
                tr("Tile of the maximum"),
                taken.bytes.tile,
                count,
                help_=tr("The tile with the most bytes."),
                role="key",
            )
        )
        columns.append(
            _padded("tiles", tr("Tiles"), taken.bytes.tiles, count, help_=tr("Number of the tiles that have it."))
        )
    return columns


def _about(profile: Profile, taken: TileItems, *, several: bool) -> list[Column]:
    """What else the file says about the items."""
    items, rests = taken.items, len(taken.rests)
    if taken.kind == "category":
        texts = [meaning(taken.names.strings.get(number)) for number in taken.names.ids.tolist()]
        return [Column("meaning", tr("Meaning"), (*texts, *(rest.help for rest in taken.rests)))]
    if taken.kind == "exchange" and profile.exchanges is not None:
        first = np.array([profile.exchanges.first(kind) for kind in EXCHANGE_KINDS])
        ids = np.searchsorted(first, items, "right") - 1
        kind = Column(
            "kind",
            tr("Kind"),
            Coded(_with_rests(ids, rests), Strings.of(KINDS[kind] for kind in EXCHANGE_KINDS)),
            role="kind",
        )
        return [kind, _padded("number", tr("Number"), items - first[ids], rests, help_=_NUMBER, role="key")]
    variables = profile.variables
    if taken.kind != "variable" or variables is None:
        return [_padded("number", tr("Number"), items, rests, help_=_NUMBER, role="key")]
    columns = [
        Column("category", tr("Category"), Coded(_with_rests(variables.category[items], rests), variables.strings))
    ]
    if not several:
        address = _with_rests(variables.offset[items], rests)
        columns.append(Column("offset", tr("Address"), address, missing=address < 0, hexadecimal=True))
        help_ = tr("Number given by the compiler.")
        columns.append(
            _padded("variable", tr("Variable number"), variables.number[items], rests, help_=help_, role="key")
        )
    return columns


def _padded(
    key: str,
    title: str,
    values: I64,
    rests: int,
    unit: Unit = "",
    help_: str = "",
    *,
    role: Role = "",
    adds_up: bool = True,
) -> Column:
    """A column of the items, without values for the remainders."""
    return masked(key, title, _with_rests(values, rests), unit, help_, role=role, adds_up=adds_up)


def _with_rests(values: Integers, rests: int) -> I64:
    return np.concatenate((values.astype(np.int64), np.full(rests, -1, np.int64)))
