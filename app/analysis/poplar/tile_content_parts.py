"""Sections about the contents of the selected tiles' memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.memory import used
from app.analysis.part import Amount, Fact, Part, Pointer, Words
from app.analysis.poplar.tile_content import CONTENTS, TileContents, TileItems
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.selection import Selection

SOURCE: Final = "details"
MOST_LISTED: Final = 6
MOST_FULLEST: Final = 5
MOST_COST: Final = 8_000_000
"""Longer sums are skipped, because the user is waiting; the table computes them in the background."""
IN_USE: Final = tr("With gaps: what has to fit. The shares below are of this, and add up to it in each list.")
TOO_MANY: Final = tr("Too many to add up here; the tables below the plot of tile memory have them")


def contents_parts(contents: TileContents, chosen: I64) -> Iterator[Part]:
    """For the tiles ``chosen``: the fullest one if there are several, then the contents, largest first."""
    tiles = np.unique(chosen[(chosen >= 0) & (chosen < contents.tiles)])
    if not len(tiles):
        return
    if len(tiles) > 1:
        yield from _fullest(contents, tiles)
    whole = contents.used(tiles)
    if whole is not None:
        title = plural("What takes its memory", "What takes their memory", count=len(tiles))
        yield Part(title, (Fact(tr("In use"), (Amount(whole, "B"),), IN_USE),))
    for kind, spec in CONTENTS.items():
        if contents.cost(kind, len(tiles)) > MOST_COST:
            yield Part(spec.title, (Fact(tr("Not shown"), (TOO_MANY,)),))
            continue
        taken = contents.taken(kind, tiles)
        if taken is not None:
            yield _part(spec.title, taken)
        elif kind == "variable":
            yield Part(spec.title, (Fact(tr("Not known"), (spec.nothing,)),))


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
    yield Part(tr("The fullest of them"), (), tuple(pointers))


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
        words += [", " if words else "", Amount(int(values[row]), "B"), f" {key}"]
    return tuple(words)


def _share(bytes_: int, whole: int | None) -> Words:
    if not whole:
        return (Amount(bytes_, "B"),)
    return Amount(bytes_, "B"), " · ", Amount(100.0 * bytes_ / whole, "%")
