"""Decodes blocks 0x01, 0x03 and 0x04: source texts, and the cost of source lines and of instructions, whose tables
have declared columns or none."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.ascend_bin.columns import Cells, CellsPart, finish
from app.formats.ascend_bin.part import Column, Part, Ranges, Values, addresses, pieces, text
from app.formats.ascend_bin.registers import with_live_registers
from app.formats.errors import FormatError
from app.formats.json import stretches as json_stretches
from app.formats.json.pieces import batches, collector_off
from app.formats.json.stretches import Passage, StretchRecords, nothing, place_of
from app.formats.json.walk import JsonWalk
from app.formats.pool import Moved, Task
from app.formats.source import Source
from app.formats.walk import Walk
from app.language import tr
from app.profile.arrays import I32, I64, sealed
from app.profile.ascend import Instructions, Lines, Sources, TypedColumn
from app.profile.profile import Section
from app.profile.strings import Interner, Strings

_ADDRESS, _PLACE, _PIPE, _TEXT = "Address", "AscendC Inner Code", "Pipe", "Source"
_KNOWN = (_ADDRESS, _PLACE, _PIPE, _TEXT)
_INNER = re.compile(r"(.*):(\d{1,9})(?::\d+)?\s*\Z", re.DOTALL)
_BY_PLACE = 0
"""The version byte of a block whose instructions are mapped to source lines by "AscendC Inner Code"."""


def decode_instructions(part: Part) -> tuple[Section, ...]:
    """The Instructions section (Ascend operator files, section 2.5). It is read piece by piece, with keys in any order;
    of a damaged block the rows before the damage are kept."""
    gathered = _Gathered(part)
    read_rows(part, gathered.read, gathered.fields)
    return (gathered.section(),)


class InstructionsPart(Struct, frozen=True, eq=False):
    """The instructions of one piece. ``pipe`` and ``text``: int32, indices of ``strings``, ``place`` of ``places``, -1
    for none; ``fields``: the other columns."""

    strings: list[str]
    places: list[str]
    address: I64
    pipe: I32
    text: I32
    place: I32
    fields: RowsPart


class InstructionsStretch(Struct, frozen=True, eq=False):
    """The instructions of a stretch."""

    passage: Passage
    parts: list[InstructionsPart]


def decode_stretch(source: Source, stretch: json_stretches.Stretch, moved: Moved) -> InstructionsStretch:
    """The instructions of ``stretch``."""
    place = place_of(source, stretch)
    if place is None:
        return InstructionsStretch(nothing(stretch), [])
    decoder = msgspec.json.Decoder(list[dict[str, Any]])
    records: StretchRecords[dict[str, Any]] = StretchRecords(
        source, stretch, place, decode=decoder.decode, rescue=an_object
    )
    with collector_off():
        pieces = batches(source, records, stretch.start - 1, records.log, moved)
        parts = [_part([record for record in batch.records if record]) for batch in pieces]
    return InstructionsStretch(records.passage(), parts)


def _part(rows: list[dict[str, Any]]) -> InstructionsPart:
    strings, places = Interner(), Interner()
    pipe, text, place = (_ids(rows, key, ids) for key, ids in ((_PIPE, strings), (_TEXT, strings), (_PLACE, places)))
    address = addresses([row.get(_ADDRESS) for row in rows])
    return InstructionsPart(list(strings.ids), list(places.ids), address, pipe, text, place, RowsPart.of(rows, _KNOWN))


TASK: Final = Task("instructions", decode_stretch, json_stretches.Stretch, InstructionsStretch)


class _Gathered:
    def __init__(self, part: Part) -> None:
        self.fields = Fields(_KNOWN)
        self._part = part
        self._strings = Interner()
        self._cores: tuple[str, ...] = ()
        self._dtypes: dict[str, int] | None = None
        self._address: list[I64] = []
        self._pipe: list[I32] = []
        self._text: list[I32] = []
        self._place: list[I32] = []
        self._places = Interner()

    def read(self) -> None:
        walk = self._part.walk()
        for key in walk.members():
            if key == "Cores":
                self._cores = core_names(walk.value())
            elif key == "Instructions Dtype":
                self._dtypes = dtypes(walk.value(), "Instructions")
            elif key == "Instructions" and walk.kind() == "array":
                divided = walk.divided(TASK)
                for rows in objects_of(walk) if divided is None else ():
                    self._add(rows, walk.offset)
                for stretch in divided or ():
                    for part in stretch.parts:
                        self._join(part, walk.offset)

    def section(self) -> Instructions:
        address = _joined(self._address, np.int64)
        by_address = np.argsort(address, kind="stable")
        columns = with_live_registers(self.fields.columns(self._dtypes, self._part))
        order = by_address if self._dtypes is not None and (np.diff(by_address) != 1).any() else None
        file, line = self._places_of(_joined(self._place, np.int32))
        return Instructions(
            cores=self._cores,
            strings=self._strings.strings(),
            address=_ordered(address, order),
            by_address=sealed(by_address if order is None else np.arange(len(address))),
            pipe=_ordered(_joined(self._pipe, np.int32), order),
            text=_ordered(_joined(self._text, np.int32), order),
            file=_ordered(file, order),
            line=_ordered(line, order),
            by_inner_code=self._part.block.version == _BY_PLACE,
            columns=columns if order is None else tuple(_reordered(column, order) for column in columns),
        )

    def _add(self, rows: list[dict[str, Any]], at: int) -> None:
        self._address.append(addresses([row.get(_ADDRESS) for row in rows]))
        self._pipe.append(_ids(rows, _PIPE, self._strings))
        self._text.append(_ids(rows, _TEXT, self._strings))
        self._place.append(_ids(rows, _PLACE, self._places))
        self.fields.add(rows, at)

    def _join(self, part: InstructionsPart, at: int) -> None:
        strings = np.array([*map(self._strings, part.strings), -1], np.int32)
        places = np.array([*map(self._places, part.places), -1], np.int32)
        self._address.append(part.address)
        self._pipe.append(strings[part.pipe])
        self._text.append(strings[part.text])
        self._place.append(places[part.place])
        self.fields.join(part.fields, at)

    def _places_of(self, place: I32) -> tuple[I32, I32]:
        """(text id of the file, line) of each instruction, int32, from "path:line"; -1 where absent."""
        files = []
        lines = []
        for code in self._places.ids:
            match = _INNER.match(code)
            files.append(self._strings(match[1] if match else code))
            lines.append(int(match[2]) if match else -1)
        return np.array([*files, -1], np.int32)[place], np.array([*lines, -1], np.int32)[place]


def _ids(rows: list[dict[str, Any]], key: str, interner: Interner) -> I32:
    """int32[rows]: ids of the texts under ``key``, -1 where there is none."""
    values = [row.get(key) for row in rows]
    words: list[Any] = values if set(map(type, values)) == {str} else list(map(text, values))
    ids = np.fromiter(map(interner, words), np.int32, len(words))
    return np.where(ids == interner.ids.get("", -1), np.int32(-1), ids)


def _joined(parts: list[Any], dtype: type[np.generic]) -> Any:
    return np.concatenate(parts) if parts else np.empty(0, dtype)


def _ordered(column: Any, order: I64 | None) -> Any:
    return sealed(column if order is None else column[order])


def _reordered(column: TypedColumn, order: I64) -> TypedColumn:
    """The column with its rows in ``order``."""
    details = column.details.of_rows(order, column.values.shape[1]) if column.details else None
    return TypedColumn(column.name, column.kind, sealed(column.values[order]), column.strings, details)


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


_RANGE, _LINE = "Address Range", "Line"


def decode_lines(part: Part) -> tuple[Section, ...]:
    """The Lines section (Ascend operator files, section 2.4). Files and lines are read piece by piece, with keys in any
    order; of a damaged block the lines before the damage are kept."""
    gathered = _GatheredLines(part)
    read_rows(part, gathered.read, gathered.fields)
    return (gathered.section(),)


class _GatheredLines:
    def __init__(self, part: Part) -> None:
        self.fields = Fields((_RANGE, _LINE))
        self._part = part
        self._values = Values()
        self._ranges = Ranges()
        self._paths = Interner()
        self._cores: tuple[str, ...] = ()
        self._dtypes: dict[str, int] | None = None
        self._line: list[int] = []
        self._file: list[tuple[int, int]] = []  # (path, lines)

    def read(self) -> None:
        walk = self._part.walk()
        for key in walk.members():
            if key == "Cores":
                self._cores = core_names(walk.value())
            elif key == "Files Dtype":
                self._dtypes = dtypes(walk.value(), "Lines")
            elif key == "Files" and walk.kind() == "array":
                for _ in walk.items():
                    if walk.kind() == "object":
                        self._read_file(walk)

    def section(self) -> Lines:
        part = self._part
        part.report_odd(self._values)
        self._ranges.report(part)
        counts = [count for _, count in self._file]
        first, start, end = self._ranges.columns()
        return Lines(
            cores=self._cores,
            paths=self._paths.strings(),
            file=sealed(np.repeat(np.array([path for path, _ in self._file], np.int32), counts)),
            line=sealed(np.array(self._line, np.int32)),
            first_range=first,
            range_start=start,
            range_end=end,
            columns=self.fields.columns(self._dtypes, part),
        )

    def _read_file(self, walk: JsonWalk) -> None:
        path = ""
        before = len(self._line)
        try:
            for key in walk.members():
                if key == "Source":
                    path = text(walk.value())
                elif key == "Lines" and walk.kind() == "array":
                    self._read_lines(walk)
        finally:
            self._file.append((self._paths(path), len(self._line) - before))

    def _read_lines(self, walk: JsonWalk) -> None:
        for rows in objects_of(walk):
            self._line += [self._values.whole(row.get(_LINE)) for row in rows]
            self._ranges.add([row.get(_RANGE) for row in rows])
            self.fields.add(rows, walk.offset)


MAX_TEXT = 64 << 20
"""The largest text in bytes; the source view loads a text whole."""


def decode_sources(parts: Sequence[Part]) -> tuple[Section, ...]:
    """The Sources section: each path once, in the order of first appearance, with its last text. Only those texts are
    read, because some writers store the whole text once per line (Ascend operator files, section 1.1)."""
    last: dict[str, Part] = {}
    for part in parts:
        last[part.block.path] = part
    blob = Column(np.uint8)
    for part in last.values():
        if part.block.size > MAX_TEXT:
            part.warn(
                tr("truncated sources"),
                tr("the text of {path} is cut after {max_text:,} bytes", path=part.block.path, max_text=MAX_TEXT),
            )
        for piece in pieces(part, 0, _size(part), np.uint8):
            blob.add(piece)
    ends = np.cumsum([_size(part) for part in last.values()], dtype=np.int64)
    return (Sources(Strings.of(last), Strings(blob.done(), sealed(ends))),)


def _size(part: Part) -> int:
    return min(part.block.size, MAX_TEXT)
