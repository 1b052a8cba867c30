"""Reads memory_info.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.formats.ascend_memory_info.blocks import Block, columns, of_buffer
from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.json import tolerant
from app.formats.json.problems import Problems
from app.formats.json.repeated import has_repeated_key
from app.formats.json.text import text_start
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import sealed
from app.profile.ascend_report import Onchip, OnchipScopes
from app.profile.strings import Interner

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
