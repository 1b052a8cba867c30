"""A part of a profile: a section of text about a thing, and the rows that are of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Coded, Column, Table
from app.language import Message, followed, pieces
from app.profile.arrays import I32, I64, distinct, sealed
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings, joined


class Amount(Struct, frozen=True):
    """A number inside a sentence, formatted by the view."""

    value: float | int
    unit: Literal["B", "cycles", "s", "%", ""]


Words: TypeAlias = tuple[str | Amount, ...]
"""A sentence: a sequence of texts and amounts."""


def sentence(text: Message) -> Words:
    """``text`` with the amounts (and words with amounts) among its arguments, each where this language puts it."""
    words: list[str | Amount] = []
    last: object = ""
    for piece in pieces(text):
        for word in piece if isinstance(piece, tuple) else (piece,):
            if isinstance(word, Amount):
                words.append(word)
            elif words and isinstance(words[-1], str):
                ours = isinstance(word, Message) or isinstance(last, Message)  # one of two that meet is from the text
                words[-1] = followed(words[-1], str(word), ours=ours)
            else:
                words.append(str(word))
            last = word
    return tuple(words)


def joined_words(sentences: Iterable[Words]) -> Words:
    """Sentences one after the other."""
    words: list[str | Amount] = []
    for own in sentences:
        if words and own:
            words.append(" ")
        words += own
    return tuple(words)


class Pointer(Struct, frozen=True):
    """A link in a verdict: activating it selects ``selection``."""

    text: Words
    selection: Selection


class Fact(Struct, frozen=True):
    """A label and its text, formatted by the view; ``help`` gives the formula."""

    label: str
    words: Words
    help: str = ""


class PartRow(Struct, frozen=True):
    """A row of a small table: a name, which selects ``selection`` if that is given, and figures in columns; ``panel``,
    ``table``: ids of the panel and of its table that the name leads to."""

    name: str
    cells: tuple[Words, ...]
    selection: Selection | None = None
    panel: str = ""
    table: str = ""
    help: str = ""


class Part(Struct, frozen=True):
    """A section. ``pointers`` are shown after ``facts`` and select a thing; ``below``: facts after the pointers;
    ``rows``: a small table after these."""

    title: str
    facts: tuple[Fact, ...]
    pointers: tuple[Pointer, ...] = ()
    below: tuple[Fact, ...] = ()
    rows: tuple[PartRow, ...] = ()


TILES: Final = ("tile", "fullest")
IPUS: Final = ("ipu",)
STEPS: Final = ("step", "most_step")
"""Keys of the columns that hold numbers of tiles, IPUs and steps."""
PROCESSES: Final = ("process", "from_process", "to_process")
_OWN: Final[dict[str, tuple[str, ...]]] = {
    "block": ("block", "block_id"),
    "core": ("core",),
    "sub-core": PROCESSES,
    "process": (*PROCESSES, "device"),
    "rank": ("rank", "late_rank", *PROCESSES),
    "ipu": IPUS,
    "replica": (),
}
"""Columns that say which part of its kind it is: the same in all its rows."""
_CORE: Final = re.compile(r"(?P<before>(?:warp\.)?)core\d+")


def numbered(table: Table, profile: Profile) -> Table:
    """The table with the numbers that tiles, IPUs and steps have in the whole profile, of which ``profile`` may be a
    part. What rows stand for (``keys``) is not changed."""
    if table.numbered or not profile.origin.part:
        return table
    target, steps = profile.target, profile.steps
    changes: dict[tuple[str, ...], Callable[[I64], I64]] = {}
    if target is not None and target.first_tile:
        first, own = target.first_tile, target.tiles_per_ipu
        changes[TILES] = lambda tiles: np.where(tiles >= 0, tiles + first, tiles)
        if own:
            changes[IPUS] = lambda ipus: np.where(ipus >= 0, ipus + first // own, ipus)
    if steps is not None and steps.number is not None:
        numbers = np.append(steps.number, -1)
        changes[STEPS] = lambda places: numbers[places]
    return replace(_changed(table, changes), numbered=True)


def alike(table: Table, profile: Profile) -> Table:
    """A ``numbered`` table of a part for matching it with that of another part of this kind: tiles and steps count from
    the first, and what names the part is left out. That of a whole profile is itself."""
    kind = kind_of(profile)
    target, steps = profile.target, profile.steps
    changes: dict[tuple[str, ...], Callable[[I64], I64]] = {}
    if kind in ("ipu", "replica") and target is not None and target.first_tile:
        first, own = target.first_tile, target.tiles_per_ipu
        changes[TILES] = lambda tiles: np.where(tiles >= 0, tiles - first, tiles)
        if own:
            changes[IPUS] = lambda ipus: np.where(ipus >= 0, ipus - first // own, ipus)
    if steps is not None and steps.number is not None:
        numbers = steps.number
        changes[STEPS] = lambda places: np.where(places >= 0, np.searchsorted(numbers, places), places)
    return _changed(table, changes, _OWN.get(kind, ()), PROCESSES if kind == "core" else ())


def kind_of(profile: Profile) -> str:
    """Which kind of part it is, "" for a whole profile."""
    return profile.origin.part.partition("=")[0]


def _changed(
    table: Table,
    numbers: dict[tuple[str, ...], Callable[[I64], I64]],
    constant: tuple[str, ...] = (),
    of_cores: tuple[str, ...] = (),
) -> Table:
    """``numbers``: what is done to the numbers of columns; ``constant``: columns that say which part it is;
    ``of_cores``: texts that begin with the name of the core."""
    if not (numbers or constant or of_cores):
        return table
    changes = {key: change for keys, change in numbers.items() for key in keys}

    def new(column: Column) -> Column:
        if column.key in changes and isinstance(column.values, np.ndarray):
            return replace(column, values=changes[column.key](column.values.astype(np.int64)))
        if column.key in of_cores and isinstance(column.values, Coded):
            return replace(column, values=_without_core(column.values))
        if column.key in constant:
            return replace(column, values=_constant(column))
        return column

    columns = tuple(map(new, table.columns))
    same = all(one is other for one, other in zip(columns, table.columns, strict=True))
    return table if same else replace(table, columns=columns)


def _constant(column: Column) -> I64 | Coded:
    """The same in all rows."""
    none = np.zeros(len(column.values), np.int64)
    return none if isinstance(column.values, np.ndarray) else Coded(none, Strings.of(("",)))


def _without_core(cells: Coded) -> Coded:
    """Each text without the number of its core: ``core3.veccore0`` is ``core.veccore0``."""
    used = distinct(cells.ids[cells.ids >= 0])
    texts = {number: _CORE.sub(r"\g<before>core", cells.strings.get(number), count=1) for number in used.tolist()}
    place = np.full(len(cells.strings) + 1, -1, np.int64)
    place[used] = np.arange(len(used))
    return Coded(place[cells.ids], Strings.of(texts.values()))


def named_like(before: Profile, after: Profile) -> Profile:
    """``before`` with the block of ``after`` for its own, if both are single blocks: what finds the rows of a block by
    its name then finds those of both."""
    if not kind_of(before) == kind_of(after) == "block":
        return before
    name = after.origin.part.partition("=")[2]
    workload, paths, tables = before.workload, before.memory_paths, before.memory_tables
    if workload is not None:
        strings, block = _one_text(workload.strings, name, len(workload.block))
        workload = replace(workload, strings=strings, block=block)
    if paths is not None:
        strings, block = _one_text(paths.strings, name, len(paths.blocks.block))
        paths = replace(paths, strings=strings, blocks=replace(paths.blocks, block=block))
    if tables is not None:
        strings, block = _one_text(tables.strings, name, len(tables.block_name))
        tables = replace(tables, strings=strings, block_name=block)
    return replace(before, workload=workload, memory_paths=paths, memory_tables=tables)


def _one_text(strings: Strings, text: str, count: int) -> tuple[Strings, I32]:
    """The texts with one more, and its id ``count`` times."""
    return joined(strings, Strings.of((text,))), sealed(np.full(count, len(strings), np.int32))
