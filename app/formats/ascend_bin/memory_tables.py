"""Decodes block 0x09: memory tables with arbitrary columns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from app.formats.ascend_bin.operator import kind_of
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.values import NO_DATA, Values, first_of, objects, text, texts
from app.formats.ascend_bin.width import PADDING, ROOM
from app.profile.arrays import I32, I64, sealed
from app.profile.ascend import MemoryTables
from app.profile.profile import Section
from app.profile.strings import Interner

MAX_COLUMNS = 64


def decode(part: Part) -> tuple[Section, ...]:
    """The MemoryTables section (Ascend operator files, section 2.10)."""
    gathered = _Gathered()
    entries = objects(part.json().get("table_per_block"))
    for number, entry in enumerate(entries):
        for table in objects(first_of(entry, "table_detail", "tables_detail")):
            gathered.add(number, table)
    part.report_odd(gathered.values)
    return (gathered.section(entries),)


class _Gathered:
    """The concatenated rows and columns of all tables."""

    def __init__(self) -> None:
        self.values = Values()
        self.strings = Interner()
        self.block: list[int] = []
        self.name: list[int] = []
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.row_name: list[int] = []
        self.column_name: list[int] = []
        self.value = array("d")
        self.text = array("i")
        self._held = 0  # cells in the file so far

    def add(self, block: int, table: dict[str, Any]) -> None:
        """Adds one table. The first title is that of the row names. Values beyond the titles get generated titles: a
        second-generation table has one more value than titles (section 7, e)."""
        rows = objects(table.get("row"))
        cells = [row.get("value") for row in rows]
        lists = [row_cells if isinstance(row_cells, list) else [row_cells] for row_cells in cells]
        header = first_of(table, "header_name", "head_name")
        titles = [text(title) for title in header[1:]] if isinstance(header, list) else []
        width = min(max(map(len, lists), default=len(titles)), max(MAX_COLUMNS, len(titles)))
        titles = [*titles, *(f"(column {place + 2})" for place in range(len(titles), width))]
        self._held += sum(map(len, lists))
        if len(self.value) + len(rows) * len(titles) > PADDING * self._held + ROOM:
            titles = titles[:1]  # a table with many titles but hardly any values
        self.block.append(block)
        self.name.append(self.strings(text(table.get("table_name"))))
        self.rows.append(len(rows))
        self.columns.append(len(titles))
        self.column_name += [self.strings(title) for title in titles]
        for row, row_cells in zip(rows, lists, strict=True):
            self.row_name.append(self.strings(text(row.get("name"))))
            for place in range(len(titles)):
                self._cell(row_cells[place] if place < len(row_cells) else None)

    def section(self, entries: list[dict[str, Any]]) -> MemoryTables:
        def ids(numbers: Sequence[int]) -> I32:
            return sealed(np.array(numbers, np.int32))

        def code(words: str) -> int:
            return self.strings(words) if words else -1

        block_name = ids([code(text(first_of(entry, "block_id", "core_no"))) for entry in entries])
        block_type = ids([code(kind_of(text(first_of(entry, "table_op_type", "op_type")))) for entry in entries])
        return MemoryTables(
            block_name=block_name,
            block_type=block_type,
            advice=tuple(texts(entry.get("advice")) for entry in entries),
            block=ids(self.block),
            name=ids(self.name),
            first_row=_firsts(self.rows),
            row_name=ids(self.row_name),
            first_column=_firsts(self.columns),
            column_name=ids(self.column_name),
            first_cell=_firsts([rows * columns for rows, columns in zip(self.rows, self.columns, strict=True)]),
            value=sealed(np.array(self.value, np.float64)),
            text=ids(self.text),
            strings=self.strings.strings(),
        )

    def _cell(self, value: Any) -> None:
        odd = self.values.odd
        number = self.values.number(value)
        self.values.odd = odd  # text in a cell is valid, so it does not count as odd
        words = "" if number == number or not isinstance(value, str) else value.strip()
        self.value.append(number)
        self.text.append(self.strings(words) if words.upper() not in NO_DATA else -1)


def _firsts(counts: list[int]) -> I64:
    return sealed(np.array(list(accumulate(counts, initial=0)), np.int64))
