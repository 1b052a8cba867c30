"""Decodes blocks 0x08 (transfers between memories), 0x09 (memory tables with arbitrary columns), 0x0A (individual
memory accesses and their call stacks), 0x0B and 0x0E (lines and sets of the L2 cache)."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from app.formats.ascend_bin.blocks import CACHE_LINES
from app.formats.ascend_bin.columns import PADDING, ROOM
from app.formats.ascend_bin.operator import kind_of
from app.formats.ascend_bin.part import (
    MAX_WHOLE,
    NO_DATA,
    Column,
    Part,
    Ranges,
    Values,
    first_of,
    hit_rates,
    objects,
    pieces,
    text,
    texts,
)
from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, U32, Array, sealed
from app.profile.ascend import (
    SET_FIELDS,
    UNIT_NAMES,
    Cache,
    CacheLines,
    CacheSide,
    CallStacks,
    MemoryAccesses,
    MemoryBlocks,
    MemoryPaths,
    MemoryTables,
)
from app.profile.profile import Section
from app.profile.strings import Interner


def decode_memory_paths(part: Part) -> tuple[Section, ...]:
    """The MemoryPaths section (Ascend operator files, section 2.9)."""
    values = Values()
    strings = Interner()
    entries = objects(part.json().get("core_memory_map"))
    units = [(index, unit) for index, entry in enumerate(entries) for unit in objects(entry.get("memory_unit"))]

    def ids(words: list[str]) -> I32:
        return sealed(np.array([strings(word) if word else -1 for word in words], np.int32))

    def numbers(key: str) -> F64:
        return sealed(np.array([values.number(unit.get(key)) for _, unit in units], np.float64))

    def suffixes(*keys: str) -> I32:
        return ids([text(first_of(unit, *keys)) for _, unit in units])

    paths = MemoryPaths(
        blocks=_blocks(entries, values, ids),
        entry=sealed(np.array([index for index, _ in units], np.int32)),
        path=sealed(np.array([values.whole(unit.get("memory_path")) for _, unit in units], np.int32)),
        request=numbers("request"),
        bandwidth=numbers("bandwidth"),
        peak=numbers("peak_ratio"),
        display=sealed(np.array([_shown(unit.get("display", 1)) for _, unit in units], np.bool_)),
        bandwidth_suffix=suffixes("bandwidth_suffix"),
        request_suffix=suffixes("request_suffix", "requests_suffix"),
        strings=strings.strings(),
    )
    part.report_odd(values)
    return (paths,)


def _shown(value: Any) -> bool:
    return value not in (0, "0", False, "false")


def _blocks(entries: list[dict[str, Any]], values: Values, ids: Any) -> MemoryBlocks:
    caches = [_object(entry, "L2cache") for entry in entries]

    def cache(key: str) -> F64:
        return sealed(np.array([values.number(one.get(key)) for one in caches], np.float64))

    def unit(key: str) -> Array:
        rows = [[values.number(_object(entry, name).get(key)) for name in UNIT_NAMES] for entry in entries]
        return sealed(np.array(rows, np.float64).reshape(len(entries), len(UNIT_NAMES)))

    hit, miss = cache("hit"), cache("miss")
    return MemoryBlocks(
        block=ids([text(first_of(entry, "core_no", "block_id")) for entry in entries]),
        operator_type=ids([kind_of(text(first_of(entry, "op_type", "core_type"))) for entry in entries]),
        soc=ids([text(entry.get("soc")) for entry in entries]),
        hit=hit,
        miss=miss,
        total=cache("total_request"),
        hit_rate=sealed(hit_rates(cache("hit_ratio"), hit, miss)),
        unit_cycles=unit("cycle"),
        unit_total_cycles=unit("total_cycles"),
        unit_ratio=unit("ratio"),
        advice=tuple(texts(entry.get("advice")) for entry in entries),
    )


def _object(entry: dict[str, Any], key: str) -> dict[str, Any]:
    value = entry.get(key)
    return value if isinstance(value, dict) else {}


MAX_TABLE_COLUMNS = 64


def decode_memory_tables(part: Part) -> tuple[Section, ...]:
    """The MemoryTables section (Ascend operator files, section 2.10)."""
    gathered = _GatheredTable()
    entries = objects(part.json().get("table_per_block"))
    for number, entry in enumerate(entries):
        for table in objects(first_of(entry, "table_detail", "tables_detail")):
            gathered.add(number, table)
    part.report_odd(gathered.values)
    return (gathered.section(entries),)


class _GatheredTable:
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
        width = min(max(map(len, lists), default=len(titles)), max(MAX_TABLE_COLUMNS, len(titles)))
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


RECORD = np.dtype(
    [
        ("operation", "u1"),
        ("core", "i1"),
        ("space", "i1"),
        ("block_type", "u1"),
        ("record", "<u4"),
        ("address", "<u8"),
        ("size", "<u8"),
        ("pc", "<u8"),
    ]
)
_LENGTH = struct.Struct("<Q")
_SECTIONS = 4


_FIELDS = (
    ("operation", np.uint8),
    ("core", np.int32),
    ("space", np.int32),
    ("block_type", np.uint8),
    ("record", np.int64),
    ("address", np.uint64),
    ("size", np.uint64),
    ("pc", np.uint64),
)


def decode_memory_accesses(part: Part) -> tuple[Section, ...]:
    """The MemoryAccesses section (Ascend operator files, section 2.13). This follows the vendor's documentation alone;
    no file with this block is known."""
    if part.block.size < _LENGTH.size:
        raise FormatError(tr("too short for its length field"), offset=part.block.payload)
    length = _record_bytes(part)
    if length is None:
        claimed = _length_at(part, 0)
        length = (part.block.size - _LENGTH.size) // RECORD.itemsize * RECORD.itemsize
        text = tr(
            "{block} declares {claimed:,} bytes or records, but contains {length:,} records",
            block=part.block.label,
            claimed=claimed,
            length=length // RECORD.itemsize,
        )
        part.warn(tr("incomplete records"), text)
    columns = {name: Column(kind) for name, kind in _FIELDS}
    for records in pieces(part, _LENGTH.size, length, RECORD):
        for name, column in columns.items():
            column.add(records[name])
    stacks = _stacks(part, _LENGTH.size + length)
    return (MemoryAccesses(**{name: column.done() for name, column in columns.items()}, stacks=stacks),)


def _length_at(part: Part, at: int) -> int:
    return int.from_bytes(part.content(at, _LENGTH.size), "little")


def _record_bytes(part: Part) -> int | None:
    """The size of the records in bytes; None where no interpretation fits. The documentation does not say whether the
    length counts bytes or records: the one after which call stacks follow is taken, else bytes before records."""
    length = _length_at(part, 0)
    fitting = [n for n in (length if length % RECORD.itemsize == 0 else -1, length * RECORD.itemsize) if n >= 0]
    fitting = [n for n in fitting if _LENGTH.size + n <= part.block.size]
    for size in fitting:
        if _stack_span(part, _LENGTH.size + size) is not None:
            return size
    return next(iter(fitting), None)


def _stack_span(part: Part, at: int) -> tuple[int, int] | None:
    """(offset in the payload, size) of the call stacks: the first length-prefixed section from ``at`` on that is JSON;
    None without one."""
    for _ in range(_SECTIONS):
        if at + _LENGTH.size > part.block.size:
            return None
        length = _length_at(part, at)
        begin = at + _LENGTH.size
        if begin + length > part.block.size:
            return None
        if part.content(begin, min(length, 64)).lstrip()[:1] in (b"[", b"{"):
            return begin, length
        at = begin + length
    return None


def _stacks(part: Part, at: int) -> CallStacks | None:
    span = _stack_span(part, at)
    if span is None:
        return None
    try:
        if span[1] > MAX_WHOLE:
            raise FormatError(tr("they are larger than {max_whole:,} bytes", max_whole=MAX_WHOLE))
        value, _ = tolerant.loads(part.content(*span).rstrip(b"\0"), max_bytes=MAX_WHOLE)
    except FormatError as error:
        place = part.block.payload + span[0] + (error.offset or 0)
        part.problems.add(
            "warning", tr("damaged call stacks"), place, tr("the call stacks are not read: {error}", error=error.text)
        )
        return None
    if isinstance(value, dict):  # keyed by address
        entries = [{"Address": key, **entry} for key, entry in value.items() if isinstance(entry, dict)]
    else:
        entries = objects(value)
    return _columns(entries)


def _columns(entries: list[dict[str, Any]]) -> CallStacks:
    by_pc: dict[int, dict[str, Any]] = {}
    for entry in entries:
        pc = _pc(entry.get("Address"))
        if pc >= 0:
            by_pc.setdefault(pc, entry)
    ordered = sorted(by_pc)
    strings = Interner()
    values = Values()
    frames = [objects(by_pc[pc].get("Symbol")) for pc in ordered]
    flat = [frame for stack in frames for frame in stack]

    def ids(raw: list[Any]) -> I32:
        words = [text(value) for value in raw]
        return sealed(np.array([strings(word) if word else -1 for word in words], np.int32))

    def numbers(key: str) -> I32:
        return sealed(np.array([values.whole(frame.get(key)) for frame in flat], np.int32))

    return CallStacks(
        pc=sealed(np.array(ordered, np.uint64)),
        module=ids([by_pc[pc].get("ModuleName") for pc in ordered]),
        first=sealed(np.array(list(accumulate(map(len, frames), initial=0)), np.int64)),
        function=ids([frame.get("FunctionName") for frame in flat]),
        file=ids([frame.get("FileName") for frame in flat]),
        line=numbers("Line"),
        column=numbers("Column"),
        strings=strings.strings(),
    )


def _pc(value: Any) -> int:
    """``value`` as an address of up to 64 bits; -1 where it is not one."""
    if isinstance(value, str):
        try:
            value = int(value, 16)
        except ValueError:
            return -1
    return value if type(value) is int and 0 <= value < 1 << 64 else -1


_RECORD = 4 * len(SET_FIELDS)


def decode_cache(parts: Sequence[Part]) -> tuple[Section, ...]:
    """One Cache from whichever of the two blocks exist (Ascend operator files, section 2.13)."""
    lines: CacheLines | None = None
    sets: U32 | None = None
    for part in parts:
        if part.block.type == CACHE_LINES:
            lines = _lines(part)
        else:
            sets = _sets(part)
    return (Cache(lines, sets),)


def _lines(part: Part) -> CacheLines:
    values = Values()
    records = objects(part.json().get("Cacheline Records"))
    lines = CacheLines(
        line=sealed(np.array([values.whole(record.get("Cacheline Id"), bits=63) for record in records], np.int64)),
        hits=_side([record.get("Hit") for record in records], values, part),
        misses=_side([record.get("Miss") for record in records], values, part),
    )
    part.report_odd(values)
    return lines


def _side(cells: list[Any], values: Values, part: Part) -> CacheSide:
    sides: list[dict[str, Any]] = [side if isinstance(side, dict) else {} for side in cells]
    pairs = [_pair(side.get("Value"), values) for side in sides]
    ranges = Ranges()
    ranges.add([side.get("Address Range") for side in sides])
    ranges.report(part)
    first, start, end = ranges.columns()
    return CacheSide(
        count=sealed(np.array([count for count, _ in pairs], np.float64)),
        ratio=sealed(np.array([ratio for _, ratio in pairs], np.float64)),
        first_range=first,
        range_start=start,
        range_end=end,
    )


def _pair(value: Any, values: Values) -> tuple[float, float]:
    pair = value if isinstance(value, list) and len(value) >= 2 else [None, None]
    return values.number(pair[0]), values.number(pair[1])


def _sets(part: Part) -> U32:
    """The cache sets: uint32[sets, 8], columns as in SET_FIELDS."""
    rest = part.block.size % _RECORD
    if rest:
        part.warn(
            tr("incomplete records"),
            plural(
                "{block} ends inside a record; its last {count:,} byte is not read",
                "{block} ends inside a record; its last {count:,} bytes are not read",
                count=rest,
                block=part.block.label,
            ),
        )
    sets = Column(np.uint32)
    for piece in pieces(part, 0, part.block.size - rest, "<u4"):
        sets.add(piece)
    table: U32 = sets.done().reshape(-1, len(SET_FIELDS))
    return table
