"""Reads memory_info.json, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.json import tolerant
from app.formats.json.problems import Problems
from app.formats.json.tolerant import has_repeated_key, text_start
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import I32, I64, Bool, sealed
from app.profile.ascend_report import Onchip, OnchipBlocks, OnchipScopes
from app.profile.strings import Interner

LIMIT = 1 << 62
MAX_BITS = 1 << 43
"""One terabyte; sums of such blocks fit into 64 bits."""


class Block(NamedTuple):
    """One row of OnchipBlocks."""

    scope: int
    buffer: int
    source: int
    part: int
    address: int
    size: int
    allocated: int
    start: int
    end: int
    temporary: bool


def of_buffer(record: Any, scope: int, strings: Interner) -> list[Block]:
    """The blocks of one entry of memory_info_array; ValueError states what is wrong with it. A buffer without offsets
    is a block without an address."""
    if not isinstance(record, dict):
        raise ValueError(tr("it is not an object"))
    extent = _whole(record, "extent")
    if not 0 <= extent < MAX_BITS:
        raise ValueError(tr("its extent is implausible for a memory"))
    life = record.get("life_time_in_ir")
    span = [-1, -1]
    if isinstance(life, list) and len(life) >= 2:
        span = [_number(life[0]), _number(life[1])]
    if min(span) < 0 or span[1] < span[0]:
        raise ValueError(tr("its lifetime {life} is not a range of steps", life=str(life)[:40]))
    offsets = record.get("offset")
    offsets = offsets if isinstance(offsets, list) else [] if offsets is None else [offsets]
    addresses = [_number(offset) for offset in offsets] or [-1]
    if offsets and min(addresses) < 0:
        raise ValueError(tr("its offsets are not addresses"))
    buffer, source = _text(record.get("buffer"), strings), _text(record.get("source_location"), strings)
    size, allocated = -(-extent // 8), _whole(record, "alloc_time_in_ir")  # the extent is in bits
    temporary = record.get("is_tmpbuf") is True
    return [
        Block(scope, buffer, source, part, address, size, allocated, span[0], span[1], temporary)
        for part, address in enumerate(addresses)
    ]


def columns(blocks: list[Block]) -> OnchipBlocks:
    """The blocks as columns."""

    def i32(name: str) -> I32:
        return sealed(np.array([getattr(block, name) for block in blocks], np.int32))

    def i64(name: str) -> I64:
        return sealed(np.array([getattr(block, name) for block in blocks], np.int64))

    temporary: Bool = sealed(np.array([block.temporary for block in blocks], np.bool_))
    return OnchipBlocks(
        scope=i32("scope"),
        buffer=i32("buffer"),
        source=i32("source"),
        part=i32("part"),
        address=i64("address"),
        size=i64("size"),
        allocated=i64("allocated"),
        start=i64("start"),
        end=i64("end"),
        temporary=temporary,
    )


def _whole(record: dict[str, Any], key: str) -> int:
    return _number(record.get(key))


def _number(value: Any) -> int:
    """An integer from 0 on; -1 for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < LIMIT else -1


def _text(value: Any, strings: Interner) -> int:
    return strings(value) if isinstance(value, str) and value else -1


PHASE = tr("reading the memory plan")
_TICK = 4096


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Reads one profile per file. FormatError if a file is not a memory plan."""
    for source in sources:
        start = text_start(source)
        if source.size - start > tolerant.MAX_BYTES:
            reason = tr(
                "larger than {max_bytes:,} bytes, which is implausible for a memory plan", max_bytes=tolerant.MAX_BYTES
            )
            raise FormatError(reason, path=str(source.path))
        try:
            text = source.read(start, source.size - start)
            document, repaired = tolerant.loads(text)
        except FormatError as error:
            raise FormatError(error.text, path=str(source.path), offset=start + (error.offset or 0)) from error
        header, records = (
            (document.get("Header"), document.get("Record")) if isinstance(document, dict) else (None, None)
        )
        if not isinstance(records, list):
            raise FormatError(tr("it contains no Record array"), path=str(source.path))
        kernel = header.get("KernelName") if isinstance(header, dict) else None
        kernel = kernel if isinstance(kernel, str) else ""
        sink(Began(kernel or source.path.name, (source.path,)))
        problems = Problems(sink, source.path.name)
        if repaired:
            problems.add(
                "info",
                tr("repaired texts"),
                None,
                tr("parts of the text are not valid JSON (NaN, trailing commas); they count as no data"),
            )
        if has_repeated_key(text, document):
            problems.repeated(start)
        section = _Plan(problems, sink, source.size).section(kernel, records)
        problems.finish()
        sink(SectionReady(section))


class _Plan:
    def __init__(self, problems: Problems, sink: Sink, size: int) -> None:
        self._problems = problems
        self._sink = sink
        self._size = size
        self._strings = Interner()
        self._names = Interner()
        self._scopes: list[tuple[int, int, int]] = []
        self._blocks: dict[Block, None] = {}
        self._twice = 0
        self._done = 0

    def section(self, kernel: str, records: list[Any]) -> Onchip:
        """The plan of all records that can be read."""
        for number, record in enumerate(records):
            self._done = self._size * number // len(records)
            if isinstance(record, dict):
                self._record(record, f"Record[{number}]")
            else:
                self._problems.add(
                    "warning",
                    tr("records that are not objects"),
                    None,
                    tr("Record[{number}] is not an object", number=number),
                )
            if number % 64 == 0:
                self._sink(Progress(self._done, self._size, PHASE))
        if self._twice:
            text = plural(
                "{count:,} block is listed twice, but shown once",
                "{count:,} blocks are listed twice, but shown once",
                count=self._twice,
            )
            self._problems.add("info", tr("repeated blocks"), None, text)
        name, status, error = np.array(self._scopes, np.int32).reshape(-1, 3).T
        return Onchip(
            kernel=kernel,
            strings=self._strings.strings(),
            scopes=OnchipScopes(sealed(name), sealed(status), sealed(error)),
            blocks=columns(list(self._blocks)),
        )

    def _record(self, record: dict[str, Any], place: str) -> None:
        """Adds one memory; older files list buffers without one."""
        scope = self._scope(record, place)
        buffers = record.get("memory_info_array", [record] if "extent" in record else [])
        if not isinstance(buffers, list):
            self._problems.add(
                "warning",
                tr("memories without a list of buffers"),
                None,
                tr("{place}.memory_info_array is not an array", place=place),
            )
            return
        for number, buffer in enumerate(buffers):
            try:
                blocks = of_buffer(buffer, scope, self._strings)
            except ValueError as error:
                text = tr(
                    "{place}.memory_info_array[{number}] is skipped: {error}", place=place, number=number, error=error
                )
                self._problems.add("warning", tr("skipped buffers"), None, text)
                continue
            for block in blocks:
                self._twice += block in self._blocks
                self._blocks[block] = None
            if number % _TICK == 0:
                self._sink(Progress(self._done, self._size, PHASE))

    def _scope(self, record: dict[str, Any], place: str) -> int:
        """The number of its memory, which several records may share."""
        name = record.get("scope")
        name = name if isinstance(name, str) else ""
        texts = [record.get("status"), record.get("err_msg") or record.get("error_info")]
        status, error = (self._strings(t) if isinstance(t, str) and t else -1 for t in texts)
        if error >= 0:
            self._problems.add(
                "warning",
                tr("memories with errors"),
                None,
                tr("{place} ({name}): compiler message: {text}", place=place, name=name, text=texts[1]),
            )
        number = self._names(name)
        if number == len(self._scopes):
            self._scopes.append((self._strings(name) if name else -1, status, error))
        elif error >= 0:
            self._scopes[number] = (self._scopes[number][0], status, error)
        return number
