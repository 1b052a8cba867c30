"""Cells of the memory tables by the titles of their columns, of all blocks at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, distinct, expand
from app.profile.ascend import MemoryTables

_UNTITLED: Final = "(column "
"""How the last title begins where rows have more values than titles: their values are not those of the titles."""


class NamedCells(Struct, frozen=True, eq=False):
    """One entry for each row of the tables. ``name``, ``row``, ``block``: int32, text ids of the table, of the row and
    of the block; ``values``: float64[rows, titles], NaN for no data and for columns that a table lacks."""

    name: I32
    row: I32
    block: I32
    values: F64


def named_cells(stored: MemoryTables, wanted: Callable[[str], bool], titles: Sequence[str]) -> NamedCells:
    """The rows of the tables whose name is ``wanted`` and that have the first of these columns."""
    strings = stored.strings
    named = [text for text in distinct(stored.name).tolist() if wanted(strings.get(text))]
    tables = np.flatnonzero(np.isin(stored.name, named))
    parts = [
        _cells(stored, own, [columns.index(title) if title in columns else -1 for title in titles], len(columns))
        for columns, own in _by_columns(stored, tables)
        if titles[0] in columns and not columns[-1].startswith(_UNTITLED)
    ]
    if not parts:
        none = np.empty(0, np.int32)
        return NamedCells(none, none, none, np.empty((0, len(titles))))
    return NamedCells(
        np.concatenate([part.name for part in parts]),
        np.concatenate([part.row for part in parts]),
        np.concatenate([part.block for part in parts]),
        np.concatenate([part.values for part in parts]),
    )


def _by_columns(stored: MemoryTables, tables: I64) -> Iterator[tuple[list[str], I64]]:
    """(titles, tables) of the tables that have the same columns."""
    widths = np.diff(stored.first_column)[tables]
    for width in distinct(widths).tolist():
        own = tables[widths == width]
        if not width:
            continue
        codes = stored.column_name[stored.first_column[own][:, None] + np.arange(width)]
        for first, of in _groups(codes):
            yield [stored.strings.get(code) for code in codes[first].tolist()], own[of]


def _groups(codes: np.ndarray[tuple[int, int], np.dtype[np.int32]]) -> Iterator[tuple[int, I64]]:
    """(first, all) rows of each set of equal rows."""
    order = np.lexsort(codes.T[::-1])
    new = np.flatnonzero((np.diff(codes[order], axis=0) != 0).any(axis=1)) + 1
    for part in np.split(order, new):
        yield int(part[0]), part


def _cells(stored: MemoryTables, tables: I64, places: Sequence[int], width: int) -> NamedCells:
    counts = stored.first_row[tables + 1] - stored.first_row[tables]
    rows = expand(stored.first_row[tables], stored.first_row[tables + 1])
    owner = np.repeat(np.arange(len(tables)), counts)
    within = rows - stored.first_row[tables][owner]
    begin = stored.first_cell[tables][owner] + within * width
    values = np.full((len(rows), len(places)), np.nan)
    for column, place in enumerate(places):
        if place >= 0:
            values[:, column] = stored.value[begin + place]
    block = stored.block_name[stored.block[tables]][owner]
    return NamedCells(stored.name[tables][owner], stored.row_name[rows], block, values)
