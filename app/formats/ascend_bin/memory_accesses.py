"""Decodes block 0x0A: individual memory accesses and their call stacks."""

from __future__ import annotations

import struct
from itertools import accumulate
from typing import Any

import numpy as np

from app.formats.ascend_bin.part import MAX_WHOLE, Part
from app.formats.ascend_bin.pieces import Column, pieces
from app.formats.ascend_bin.values import Values, objects, text
from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.language import tr
from app.profile.arrays import I32, sealed
from app.profile.ascend import CallStacks, MemoryAccesses
from app.profile.profile import Section
from app.profile.strings import Interner

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


def decode(part: Part) -> tuple[Section, ...]:
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
