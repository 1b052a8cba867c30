"""Turns records of a table, with or without declared columns, into columns piece by piece."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from app.formats.ascend_bin.cells import Cells, CellsPart
from app.formats.ascend_bin.columns import finish
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.values import text
from app.formats.errors import FormatError
from app.formats.walk import Walk
from app.language import tr
from app.profile.ascend import TypedColumn

MAX_COLUMNS = 256
MAX_CORES = 4096
_SPARSE = 64
_SPARSE_ROWS = 16384
"""A column is dropped when, after this many rows, fewer than one row in _SPARSE has it: otherwise a few bytes of the
file could claim memory for every row."""
_BATCH = 1024
_BATCH_BYTES = 256 * 1024


class RowsPart(Struct, frozen=True, eq=False):
    """Consecutive rows as columns. ``present``: how many rows have each key, in order of appearance; ``columns``: those
    of its keys. With too many keys there are no columns, but the rows as JSON in ``text``."""

    rows: int
    present: dict[str, int]
    columns: dict[str, CellsPart]
    text: str = ""

    @classmethod
    def of(cls, records: Sequence[dict[str, Any]], known: Sequence[str]) -> RowsPart:
        """The columns of ``records`` except ``known`` ones."""
        present = Counter(chain.from_iterable(records))
        if len(present) > MAX_COLUMNS:
            return cls(len(records), {}, {}, json.dumps(records))
        columns = {}
        for key in present:
            if key not in known:
                cells = Cells(key)
                cells.add([record.get(key) for record in records])
                columns[key] = cells.part()
        return cls(len(records), dict(present), columns)


class Fields:
    """Collects all members of records except ``known`` ones as columns. Records are processed in batches, because each
    batch has a cost per column and a file may have very many lists of one record."""

    def __init__(self, known: Sequence[str]) -> None:
        self.rows = 0
        self._known = frozenset(known)
        self._cells: dict[str, Cells] = {}
        self._present: Counter[str] = Counter()
        self._dropped: set[str] = set()
        self._waiting: list[list[dict[str, Any]] | RowsPart] = []
        self._waiting_rows = 0
        self._gathered = 0  # rows that are processed
        self._since = 0

    def add(self, records: Sequence[dict[str, Any]], at: int) -> None:
        """Adds the next rows. ``at``: the offset reached in the file; a batch is limited in bytes, too."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(last, list):
            last += records
        else:
            self._waiting.append(list(records))
        self._count(len(records), at)

    def join(self, part: RowsPart, at: int) -> None:
        """Adds rows that were made into columns elsewhere, with the same result."""
        if part.text:
            self.add(json.loads(part.text), at)
        else:
            self._waiting.append(part)
            self._count(part.rows, at)

    def _count(self, rows: int, at: int) -> None:
        self.rows += rows
        self._waiting_rows += rows
        if self._waiting_rows >= _BATCH or at - self._since > _BATCH_BYTES:
            self._gather()
            self._since = at

    def _gather(self) -> None:
        waiting, self._waiting = self._waiting, []
        rows, self._waiting_rows = self._waiting_rows, 0
        present: Counter[str] = Counter()
        for some in waiting:
            present.update(some.present if isinstance(some, RowsPart) else chain.from_iterable(some))
        for key in present:
            if key not in self._cells and key not in self._known:
                self._start(key)
        for key, cells in self._cells.items():
            if key in present:
                for some in waiting:
                    _add(cells, key, some)
            else:
                cells.skip(rows)
        self._gathered += rows
        self._present.update(present)
        for key in [key for key in self._cells if _SPARSE * self._present[key] + _SPARSE_ROWS < self._gathered]:
            del self._cells[key]
            self._drop(key)

    def columns(self, dtypes: dict[str, int] | None, part: Part) -> tuple[TypedColumn, ...]:
        """The columns that the file declares, in the order of ``dtypes``; undeclared ones are left out and reported.
        Without declarations, all columns in the order of first appearance."""
        self._gather()
        if self._dropped:
            left_out = ", ".join(sorted(self._dropped)[:20])
            text = tr(
                "columns of {block} with almost no values are skipped: {left_out}",
                block=part.block.label,
                left_out=left_out,
            )
            part.warn(tr("skipped columns"), text)
        names = list(self._cells) if dtypes is None else [name for name in dtypes if name in self._cells]
        hidden = [name for name in self._cells if name not in names]
        if hidden:
            text = tr(
                "columns of {block} whose type the file does not declare are not shown: {columns}",
                block=part.block.label,
                columns=", ".join(hidden[:20]),
            )
            part.problems.add("info", tr("undeclared columns"), part.block.offset, text)
        finished = [
            finish(self._cells[name], None if dtypes is None else dtypes[name], part.problems, part.block.offset)
            for name in names
        ]
        return tuple(column for column in finished if column is not None)

    def _start(self, key: str) -> None:
        if len(self._cells) >= MAX_COLUMNS:
            self._drop(key)
            return
        if key not in self._dropped:
            cells = Cells(key)
            cells.skip(self._gathered)
            self._cells[key] = cells

    def _drop(self, key: str) -> None:
        if len(self._dropped) < MAX_COLUMNS:
            self._dropped.add(key)


def _add(cells: Cells, key: str, rows: list[dict[str, Any]] | RowsPart) -> None:
    """Adds the cells of ``rows`` under ``key``."""
    if not isinstance(rows, RowsPart):
        cells.add([record.get(key) for record in rows])
    elif key in rows.columns:
        cells.join(rows.columns[key])
    else:
        cells.skip(rows.rows)


def objects_of(walk: Walk) -> Iterator[list[dict[str, Any]]]:
    """Yields the objects of the array at ``walk``, some at a time; empty ones are left out."""
    for batch in walk.records(dict, an_object):
        yield [record for record in batch.records if record]


def an_object(value: Any) -> dict[str, Any]:
    """``value``, which must be an object; else ValueError."""
    if not isinstance(value, dict):
        raise ValueError(tr("not an object"))
    return value


def core_names(value: Any) -> tuple[str, ...]:
    """The names in a "Cores" member, at most MAX_CORES."""
    return tuple(text(name) for name in value[:MAX_CORES]) if isinstance(value, list) else ()


def dtypes(value: Any, of: str) -> dict[str, int] | None:
    """Type codes by column name from a "... Dtype" member, -1 for invalid codes; None where there are none."""
    inner = value.get(of) if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return None
    return {name: code if type(code) is int else -1 for name, code in inner.items()}


def read_rows(part: Part, read: Callable[[], None], fields: Fields) -> None:
    """Calls ``read``, which adds rows to ``fields``. If the block is damaged behind the first row, this is reported,
    and the rows before the damage remain. FormatError without any row."""
    try:
        read()
    except FormatError as error:
        if not fields.rows:
            raise
        where = error.offset if error.offset is not None else part.block.offset
        why = tr("{block} is damaged here: {error}", block=part.block.label, error=error.text)
        part.problems.add("error", tr("damaged blocks"), where, why)
