"""Reads the blocks of a file into the sections of a profile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from app.formats.ascend_bin import blocks
from app.formats.ascend_bin.blocks import Block
from app.formats.ascend_bin.instructions import decode_instructions, decode_lines, decode_sources
from app.formats.ascend_bin.memory import (
    decode_cache,
    decode_memory_accesses,
    decode_memory_paths,
    decode_memory_tables,
)
from app.formats.ascend_bin.operator import (
    decode_core_load,
    decode_operator,
    decode_roofline,
    decode_stall_reasons,
    decode_workload,
)
from app.formats.ascend_bin.part import Part
from app.formats.ascend_trace.read import clocked, read_ranges
from app.formats.errors import FormatError
from app.formats.events import Began, Deferred, Progress, SectionReady, Sink
from app.formats.json.pieces import collector_off
from app.formats.json.problems import Problems
from app.formats.pool import ALONE, Pool
from app.formats.source import Source
from app.language import tr
from app.profile.ascend import Operator
from app.profile.profile import Section, Target

_ALONE: tuple[tuple[int, Callable[[Part], tuple[Section, ...]]], ...] = (
    (blocks.CORE_LOAD, decode_core_load),
    (blocks.MEMORY_PATHS, decode_memory_paths),
    (blocks.MEMORY_TABLES, decode_memory_tables),
    (blocks.ROOFLINE, decode_roofline),
    (blocks.STALLS, decode_stall_reasons),
    (blocks.ACCESSES, decode_memory_accesses),
    (blocks.LINES, decode_lines),
    (blocks.INSTRUCTIONS, decode_instructions),
)
_TOGETHER: tuple[tuple[tuple[int, ...], Callable[[Sequence[Part]], tuple[Section, ...]]], ...] = (
    ((blocks.WORKLOAD_GRAPH, blocks.WORKLOAD_TABLE), decode_workload),
    ((blocks.CACHE_LINES, blocks.CACHE_SETS), decode_cache),
)
MAX_TRACES = 4096
MAX_BROKEN = 100
"""Limits on repeated and on damaged blocks of one type (a chip has some dozens of cores); the rest is left out."""
_PARTIAL = frozenset({blocks.SOURCE, blocks.TRACE, blocks.LINES, blocks.INSTRUCTIONS})
"""Types of blocks that are read even if truncated, because they are read front to back."""


def read(files: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Sends one profile for each file. ``pool`` helps with large traces and tables of instructions. Raises FormatError
    where nothing in a file can be read."""
    for source in files:
        with collector_off():
            _Reader(source, sink, pool).read()


class _Reader:
    def __init__(self, source: Source, sink: Sink, pool: Pool) -> None:
        self._source = source
        self._pool = pool
        self._sink = Deferred(sink)
        self._sink(Began(name_of(source.path), (source.path,)))
        self._problems = Problems(self._sink, source.path.name)
        self._failures: list[FormatError] = []
        self._read = 0
        self._blocks: list[Block] = []
        self._operator: tuple[Section, ...] = ()

    def read(self) -> None:
        self._blocks, stopped = blocks.walk(self._source, self._problems)
        if stopped:
            self._fail(stopped)
        self._first(blocks.OPERATOR, self._decode_operator)
        for together, decode_all in _TOGETHER:
            self._together([block for kind in together for block in self._usable(kind)[:1]], decode_all)
        for kind, decode in _ALONE:
            self._first(kind, decode)
        self._together(self._usable(blocks.SOURCE), decode_sources)
        self._traces(self._usable(blocks.TRACE))
        self._repeats()
        self._problems.finish()
        if self._failures and self._sink.waiting:
            first = self._failures[0]
            raise FormatError(first.text, path=str(self._source.path), offset=first.offset)
        self._sink(SectionReady(blocks.table(self._blocks)))

    def _usable(self, kind: int) -> list[Block]:
        return [b for b in self._blocks if b.type == kind and b.size and (b.whole or kind in _PARTIAL)]

    def _first(self, kind: int, decode: Callable[[Part], tuple[Section, ...]]) -> None:
        """Decodes the first readable block of a type, trying at most MAX_BROKEN; further ones are ignored (Ascend
        operator files, section 1.1)."""
        for block in self._usable(kind)[:MAX_BROKEN]:
            if self._try([block], lambda parts: decode(parts[0])):
                return

    def _decode_operator(self, part: Part) -> tuple[Section, ...]:
        self._operator = decode_operator(part)
        return self._operator

    def _together(self, group: list[Block], decode: Callable[[Sequence[Part]], tuple[Section, ...]]) -> None:
        """Decodes several blocks into one section, or one by one if any of them is damaged."""
        if len(group) > 1 and self._try(group, decode, quiet=True):
            return
        for block in group:
            self._try([block], decode)

    def _traces(self, traces: list[Block]) -> None:
        """Reads all trace blocks into one timeline (Ascend operator files, section 1.1)."""
        if not traces:
            return
        if len(traces) > MAX_TRACES:
            text = tr(
                "{part} occurs {count:,} times; only the first {max_traces:,} are read",
                part=traces[0].label,
                count=len(traces),
                max_traces=MAX_TRACES,
            )
            self._problems.add("warning", tr("too many traces"), traces[MAX_TRACES].offset, text)
            traces = traces[:MAX_TRACES]
        ranges = [(block.payload, block.end) for block in traces]
        timeline = read_ranges(self._source, ranges, self._problems, self._tick, pool=self._pool)
        self._read += sum(block.size for block in traces)
        if timeline is not None:
            base = next((one for one in self._operator if isinstance(one, Operator)), None)
            target = next((one for one in self._operator if isinstance(one, Target)), None)
            self._sink(SectionReady(clocked(timeline, base, target)))
        elif self._sink.waiting:
            self._failures.append(
                FormatError(tr("{part} contains no events", part=traces[0].label), offset=traces[0].offset)
            )

    def _try(
        self,
        group: list[Block],
        decode: Callable[[Sequence[Part]], tuple[Section, ...]],
        *,
        quiet: bool = False,
    ) -> bool:
        before = self._read
        try:
            made = decode([self._part(block) for block in group])
        except FormatError as error:
            self._read = before
            if not quiet:
                inside = group[0].offset if error.offset is None else error.offset
                self._fail(
                    FormatError(
                        tr("{part} cannot be read: {error}", part=group[0].label, error=error.text), offset=inside
                    ),
                    group[0],
                )
            return False
        for section in made:
            if isinstance(section, Operator) and section.name and self._sink.waiting:
                self._sink(Began(section.name, (self._source.path,)))
            self._sink(SectionReady(section))
        self._read = before + sum(block.size for block in group)
        return True

    def _part(self, block: Block) -> Part:
        return Part(self._source, block, self._problems, lambda at: self._tick(at - block.payload), self._pool)

    def _tick(self, in_block: int) -> None:
        size = self._source.size
        self._sink(Progress(min(self._read + in_block, size), size, tr("reading blocks")))

    def _fail(self, error: FormatError, block: Block | None = None) -> None:
        """Reports an issue at the offset of ``block``, or without one at that of the error."""
        self._failures.append(error)
        if block is None:
            self._problems.add("error", tr("blocks that cannot be read"), error.offset, error.text)
        else:
            self._problems.add("error", tr("blocks that cannot be read"), block.offset, str(error))

    def _repeats(self) -> None:
        counts = Counter(block.type for block in self._blocks)
        for kind, count in counts.items():
            if count > 1 and blocks.TRACE < kind <= blocks.LAST_KNOWN:
                second = [block for block in self._blocks if block.type == kind][1]
                text = tr("{second} occurs {count} times; only the first is shown", second=second.label, count=count)
                self._problems.add("info", tr("repeated blocks"), second.offset, text)


def name_of(path: Path) -> str:
    """The profile's name until the operator is known: with the folder where the file has the default name."""
    return f"{path.parent.name}/{path.name}" if path.name == "visualize_data.bin" and path.parent.name else path.name
