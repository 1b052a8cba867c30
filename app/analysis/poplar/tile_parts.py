"""Sections about tiles: how the bytes and cycles of compute sets and exchanges spread over them (total, mean, worst
tile), and what the memory of the selected ones contains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.memory import used
from app.analysis.part import Amount, Fact, Part, Pointer, Words, sentence
from app.analysis.poplar.matrices import BYTE_TITLES, SHARED
from app.analysis.poplar.numbers import blocks
from app.analysis.poplar.scope import Scope
from app.analysis.poplar.tile_content import CONTENTS, TileContents, TileItems
from app.language import Message, plural, tr
from app.profile.arrays import I64, Integers, distinct
from app.profile.poplar import EXCHANGE_KINDS, SHARED_KINDS
from app.profile.profile import Profile
from app.profile.selection import Selection

MOST_CELLS: Final = 30_000_000
"""Larger sums are skipped, because the user is waiting."""
ADDED: Final = tr("Sum over tiles, mean and median over all tiles, and the tile with the maximum.")


class _Series(Struct, frozen=True, eq=False):
    """``values``: int64[tiles]."""

    label: str
    unit: Literal["B", "cycles"]
    values: I64
    help: str = ADDED


def per_tile(profile: Profile, scope: Scope) -> Part | None:
    """The section; None if nothing of it is on any tile."""
    facts, worst = [], dict[str, tuple[int, Pointer]]()
    for series in (*_of_sets(profile, scope.sets), *_of_exchanges(profile, scope.exchanges)):
        tile = int(np.argmax(series.values)) if len(series.values) else 0
        most = int(series.values[tile]) if len(series.values) else 0
        if most > 0:
            facts.append(_fact(series, tile, most))
            if most > worst.get(series.unit, (0,))[0]:
                of = f" · {series.label.lower()}" if series.unit == "B" else ""
                text: Words = (tr("tile {tile:,} · ", tile=tile), Amount(most, series.unit), of)
                worst[series.unit] = most, Pointer(text, Selection("tile", (tile,), "details"))
    return Part(tr("On tiles"), tuple(facts), tuple(pointer for _, pointer in worst.values())) if facts else None


def _fact(series: _Series, tile: int, most: int) -> Fact:
    unit = series.unit
    where = sentence(tr("max {most} on\u00a0tile\u00a0{tile:,}", most=Amount(most, unit), tile=tile))
    total = int(series.values.sum())
    mean, median = total / len(series.values), float(np.median(series.values))
    middle = sentence(tr("mean {mean}, median {median}", mean=Amount(mean, unit), median=Amount(median, unit)))
    if series.unit == "cycles":  # the longest tile counts
        return Fact(series.label, (*where, ", ", *middle), series.help)
    return Fact(series.label, (Amount(total, unit), ", ", *middle, ", ", *where), series.help)


def _of_sets(profile: Profile, sets: I64) -> Iterator[_Series]:
    matrices = profile.compute_set_bytes.matrices if profile.compute_set_bytes is not None else {}
    for kind, matrix in matrices.items():
        shared = kind in SHARED_KINDS
        values = _added(matrix, sets) if len(sets) == 1 or not shared else None
        if values is not None:
            help_ = f"{ADDED} {SHARED}" if shared else ADDED
            yield _Series(BYTE_TITLES.get(kind, kind).removesuffix(" bytes"), "B", values, help_)
    if len(sets) != 1:
        return
    measured = profile.measured_cycles.compute_sets if profile.measured_cycles is not None else None
    estimate = profile.compute_sets.cycles if profile.compute_sets is not None else None
    for label, cycles in ((tr("Estimated cycles"), estimate), (tr("Measured cycles"), measured)):
        values = _added(cycles, sets)
        if values is not None:
            yield _Series(label, "cycles", values)


def _of_exchanges(profile: Profile, chosen: I64) -> Iterator[_Series]:
    exchanges = profile.exchanges
    parts = [
        (own, chosen[(chosen >= exchanges.first(kind)) & (chosen < exchanges.first(kind) + len(own))], kind)
        for kind in (EXCHANGE_KINDS if exchanges is not None else ())
        if exchanges is not None and (own := exchanges.of(kind)) is not None
    ]
    for label, key, unit in (
        (tr("Bytes sent"), "sent", "B"),
        (tr("Bytes received"), "received", "B"),
        (tr("Exchange code"), "code", "B"),
        (tr("Exchange cycles"), "cycles", "cycles"),
    ):
        if key == "cycles" and len(chosen) != 1:
            continue
        sums = [
            _added(getattr(own, key), rows - exchanges.first(kind))
            for own, rows, kind in parts
            if exchanges is not None and len(rows)
        ]
        known = [values for values in sums if values is not None]
        if known and len({len(values) for values in known}) == 1:
            yield _Series(label, "cycles" if unit == "cycles" else "B", np.sum(known, axis=0))


def _added(matrix: Integers | None, rows: I64) -> I64 | None:
    """int64[tiles]: the sum of the rows; None without any, or if there are too many."""
    if matrix is None:
        return None
    rows = rows[(rows >= 0) & (rows < len(matrix))]
    if not len(rows) or len(rows) * matrix.shape[1] > MOST_CELLS:
        return None
    out = np.zeros(matrix.shape[1], np.int64)
    for part in blocks(len(rows), matrix.shape[1]):
        out += matrix[rows[part]].sum(axis=0, dtype=np.int64)
    return out


SOURCE: Final = "details"
MOST_LISTED: Final = 6
MOST_FULLEST: Final = 5
MOST_COST: Final = 8_000_000
"""Longer sums are skipped, because the user is waiting; the table computes them in the background."""
IN_USE: Final = tr("Memory with gaps, which must fit. The shares below refer to this and add up to it in each list.")
TOO_MANY: Final = tr("Too many entries to add up here; see the tables below the plot of tile memory")


def contents_parts(contents: TileContents, chosen: I64) -> Iterator[Part]:
    """For the tiles ``chosen``: the fullest one if there are several, then the contents, largest first."""
    tiles = distinct(chosen[(chosen >= 0) & (chosen < contents.tiles)])
    if not len(tiles):
        return
    if len(tiles) > 1:
        yield from _fullest(contents, tiles)
    whole = contents.used(tiles)
    if whole is not None:
        title = plural("Memory contents", "Memory contents", count=len(tiles))
        yield Part(title, (Fact(tr("In use"), (Amount(whole, "B"),), IN_USE),))
    for kind, spec in CONTENTS.items():
        if contents.cost(kind, len(tiles)) > MOST_COST:
            yield Part(spec.title, (Fact(tr("Not shown"), (TOO_MANY,)),))
            continue
        taken = contents.taken(kind, tiles)
        if taken is not None:
            yield _part(spec.title, taken)
        elif kind == "variable":
            yield Part(spec.title, (Fact(tr("Unknown"), (spec.nothing,)),))


def _fullest(contents: TileContents, tiles: I64) -> Iterator[Part]:
    memory = contents.profile.tile_memory
    values = None if memory is None else used(memory)
    if values is None:
        return
    order = tiles[np.argsort(-values[tiles].astype(np.int64), kind="stable")][:MOST_FULLEST].tolist()
    pointers = (
        Pointer((tr("tile {tile:,} · ", tile=tile), Amount(int(values[tile]), "B")), Selection("tile", (tile,), SOURCE))
        for tile in order
    )
    yield Part(tr("Fullest tiles"), (), tuple(pointers))


def _part(title: str, taken: TileItems) -> Part:
    """A section that links to the largest items, followed by the sum of the others and the remainders."""
    rows = range(min(len(taken.items), MOST_LISTED))
    pointers = tuple(
        Pointer(
            (*_size(taken, row), " · ", taken.names.strings.get(int(taken.names.ids[row]), tr("(no name)"))),
            Selection(taken.kind, (int(taken.items[row]),), SOURCE),
        )
        for row in rows
    )
    below = [Fact(rest.title, _share(rest.bytes, taken.used), rest.help) for rest in taken.rests]
    more = len(taken.items) - MOST_LISTED
    if more > 0:
        words: Words = (tr("not listed"),)
        if taken.bytes is not None:
            words = _share(int(taken.bytes.known[MOST_LISTED:].sum()), taken.used)
        below.insert(
            0, Fact(tr("{more:,} more", more=more), words, tr("The table below the plot of tile memory lists all."))
        )
    return Part(title, (), pointers, tuple(below))


def _size(taken: TileItems, row: int) -> Words:
    if taken.bytes is not None and taken.bytes.total[row] >= 0:
        return _share(int(taken.bytes.total[row]), taken.used)
    words: list[str | Amount] = []
    for key, values in taken.others.items():
        if values[row] < 0:
            continue
        words += [", " if words else "", *sentence(_OTHERS[key](Amount(int(values[row]), "B")))]
    return tuple(words)


_OTHERS: Final[dict[str, Callable[[Amount], Message]]] = {
    "overlapped": lambda amount: tr("{amount} overlapped", amount=amount),
    "code": lambda amount: tr("{amount} of code", amount=amount),
    "sent": lambda amount: tr("{amount} sent", amount=amount),
    "received": lambda amount: tr("{amount} received", amount=amount),
}
"""What further amounts of an item are, by their keys."""


def _share(bytes_: int, whole: int | None) -> Words:
    if not whole:
        return (Amount(bytes_, "B"),)
    return Amount(bytes_, "B"), " · ", Amount(100.0 * bytes_ / whole, "%")
