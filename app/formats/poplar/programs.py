"""Reads the list of programs (Poplar profiling data format, 7.1.7)."""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.poplar.fields import Lenient, Whole, indices
from app.formats.poplar.report import Report
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Ragged, sealed
from app.profile.poplar import InstructionBytes, Programs
from app.profile.strings import Interner, Strings


class ProgramRecord(msgspec.Struct, rename="camel", gc=False):
    """One program as stored in the file."""

    type: str = ""
    name: str = ""
    children: list[Whole] = []
    compute_set: Whole = -1
    exchange: Whole = -1
    external_exchange: Whole = -1
    host_exchange: Whole = -1
    target: Whole = -1
    memory_by_instruction: dict[str, Whole] = {}


_ROW_BYTES = 140
"""Memory per program while the columns are built."""
_KEYS = frozenset(field.encode_name for field in msgspec.structs.fields(ProgramRecord))


class ProgramList(Struct, frozen=True, eq=False):
    """The columns of Programs that come from the list itself."""

    strings: Strings
    type: I32
    name: I32
    children: Ragged
    compute_set: I32
    exchange: I32
    call: I32
    instructions: InstructionBytes | None

    def with_roots(self, control: I32, functions: I32) -> Programs:
        return Programs(
            strings=self.strings,
            type=self.type,
            name=self.name,
            children=self.children,
            compute_set=self.compute_set,
            exchange=self.exchange,
            call=self.call,
            control=control,
            functions=functions,
            instructions=self.instructions,
        )


def read_programs(walk: Walk, report: Report, path: str) -> ProgramList:
    """All programs. An unreadable record keeps its index and has no type."""
    lenient = Lenient()
    builder = _Builder()
    for batch in walk.records(ProgramRecord, lenient.of(ProgramRecord)):
        for key in sorted(batch.keys - _KEYS):
            report.unknown(f"{path}[].{key}")
        builder.add(batch.records, batch.ordinals)
        report.allow(builder.count, _ROW_BYTES)
    lenient.report(report, path)
    return builder.done(report, path)


class _Builder:
    def __init__(self) -> None:
        self.count = 0
        self.ids = Interner()
        self.at: list[I64] = []
        self.columns: dict[str, list[I64]] = {
            key: [] for key in ("type", "name", "compute_set", "exchange", "call", "length", "children")
        }
        self.named_as_steps = 0
        self.kinds: dict[str, int] = {}
        self.memory: list[tuple[int, dict[str, int]]] = []

    def add(self, records: list[ProgramRecord], ordinals: I64) -> None:
        ids = self.ids
        self.at.append(ordinals)
        self.count = max(self.count, int(ordinals[-1]) + 1) if len(ordinals) else self.count
        texts = [(ids(r.type) if r.type else -1, ids(r.name) if r.name else -1) for r in records]
        self._column("type", [kind for kind, _ in texts])
        self._column("name", [name for _, name in texts])
        self._column("compute_set", [r.compute_set for r in records])
        self._column("exchange", [r.exchange if r.exchange >= 0 else self._other(r) for r in records])
        self._column("call", [r.target for r in records])
        self._column("length", [len(r.children) for r in records])
        self._column("children", [child for r in records for child in r.children])
        for number, record in zip(ordinals.tolist(), records, strict=True):
            if record.memory_by_instruction:
                self.memory.append((number, record.memory_by_instruction))
                for kind in record.memory_by_instruction:
                    self.kinds.setdefault(kind, len(self.kinds))

    def _other(self, record: ProgramRecord) -> int:
        """The exchange index under the keys that steps use for exchanges between IPUs and with the host; -1 for
        none."""
        index = max(record.external_exchange, record.host_exchange)
        self.named_as_steps += index >= 0
        return index

    def done(self, report: Report, path: str) -> ProgramList:
        if self.named_as_steps:
            text = plural(
                "{count:,} exchange is listed under externalExchange or hostExchange: read as exchange",
                "{count:,} exchanges are listed under externalExchange or hostExchange: read as exchange",
                count=self.named_as_steps,
            )
            report.issue("warning", f"{path}[].exchange", text)
        call = self._scattered("call")
        return ProgramList(
            strings=self.ids.strings(),
            type=indices(self._scattered("type")),
            name=indices(self._scattered("name")),
            children=self._children(report, path),
            compute_set=indices(self._scattered("compute_set")),
            exchange=indices(self._scattered("exchange")),
            call=indices(call),
            instructions=self._instructions(report, path),
        )

    def _column(self, key: str, values: list[int]) -> None:
        self.columns[key].append(np.array(values, np.int64))

    def _joined(self, key: str) -> I64:
        parts = self.columns[key]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def _scattered(self, key: str, missing: int = -1) -> I64:
        """int64[count]: the column with a value for every program, ``missing`` where the file has none."""
        out = np.full(self.count, missing, np.int64)
        if self.at:
            out[np.concatenate(self.at)] = self._joined(key)
        return out

    def _children(self, report: Report, path: str) -> Ragged:
        lengths = self._scattered("length", 0)
        items = self._joined("children")
        owner = np.repeat(np.arange(self.count), lengths)
        good = (items >= 0) & (items < self.count)
        if not bool(np.all(good)):
            first = int(owner[np.flatnonzero(~good)[0]])
            text = plural(
                "{count:,} child is not the index of a program, and is skipped",
                "{count:,} children are not indices of programs, and are skipped",
                count=int(np.sum(~good)),
            )
            report.issue("error", f"{path}[{first}].children", text)
        lengths = np.bincount(owner[good], minlength=self.count).astype(np.int64)
        return Ragged.of(lengths, items[good].astype(np.int32))

    def _instructions(self, report: Report, path: str) -> InstructionBytes | None:
        if not self.memory:
            return None
        if len(self.kinds) > _MOST_KINDS:
            report.issue(
                "warning",
                f"{path}[].memoryByInstruction",
                tr("skipped: {count:,} different kinds", count=len(self.kinds)),
            )
            return None
        report.allow(len(self.memory), 300 + 8 * len(self.kinds))
        table = np.full((len(self.memory), len(self.kinds)), -1, np.int64)
        for row, (_, kinds) in enumerate(self.memory):
            for kind, size in kinds.items():
                table[row, self.kinds[kind]] = size
        numbers = np.array([number for number, _ in self.memory], np.int32)
        return InstructionBytes(tuple(self.kinds), sealed(numbers), sealed(table))


_MOST_KINDS = 64
