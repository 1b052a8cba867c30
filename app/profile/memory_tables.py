"""The memory tables of each block, which may have any columns."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import F64, I32, I64
from app.profile.strings import Strings


class MemoryTables(Struct, frozen=True, eq=False):
    """Block type 0x09 (Ascend operator files, section 2.10), all tables concatenated.

    Table t has the rows first_row[t] .. first_row[t + 1] - 1 and the columns first_column[t] .. first_column[t + 1] -
    1; its cells, row by row, start at first_cell[t] (int64[tables + 1] each). ``block`` (of the table: row of
    ``block_name``), ``name``, ``row_name``, ``column_name``: int32; the names are ids into ``strings``, -1 none. A cell
    is either ``value`` (float64, NaN if it is not a number) or ``text`` (int32 id of its text, -1 for no data).
    ``block_name``, ``block_type``: int32 ids, one per block; ``advice``: one tuple per block.
    """

    SECTION: ClassVar[str] = "memory_tables"
    strings: Strings
    block_name: I32
    block_type: I32
    advice: tuple[tuple[str, ...], ...]
    block: I32
    name: I32
    first_row: I64
    row_name: I32
    first_column: I64
    column_name: I32
    first_cell: I64
    value: F64
    text: I32

    def __len__(self) -> int:
        return len(self.block)
