"""Reads the execution profile (Poplar profiling data format, 7.2), and its steps by one process or by several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, Protocol

import numpy as np
from msgspec import Struct, field

from app.formats.errors import FormatError
from app.formats.integers import whole
from app.formats.json.walk import JsonWalk
from app.formats.poplar.report import Fields, Handlers, Lenient, Report, indices, matrix, members, numbers
from app.formats.poplar.steps import (
    ENCODED,
    ROW_BYTES,
    TASK,
    TYPE,
    StepRecord,
    StepsBuilder,
    StepsPart,
    merged,
    report_spellings,
    unknown_of,
)
from app.formats.walk import Broken, Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Integers, sealed
from app.profile.poplar import Execution, MeasuredCycles, Steps, VertexCycles
from app.profile.strings import Strings

_MATRICES = {
    "computeSetCyclesByTile": "compute_sets",
    "externalExchangeCycles": "external_exchanges",
    "hostExchangeCycles": "host_exchanges",
}
_VERTICES = ("vertexCycles", "vertexComputeSet", "vertexType")


class ExecutionParts(Struct, eq=False):
    """The data of an execution profile; its sections are delivered once it is known which graph they belong to."""

    mode: str | None = None
    cycles: int | None = None
    tile_cycles: dict[str, int] = field(default_factory=dict)
    trace: I32 | None = None
    runs: Strings | None = None
    vertices: VertexCycles | None = None
    steps: Steps | None = None
    measured: dict[str, Integers] = field(default_factory=dict)

    @property
    def has_data(self) -> bool:
        """Whether any data of an execution profile was read."""
        single = (self.mode, self.cycles, self.trace, self.runs, self.vertices, self.steps)
        return bool(self.tile_cycles or self.measured) or any(part is not None for part in single)

    def execution(self) -> Execution:
        return Execution(
            mode=self.mode or "",
            cycles=self.cycles,
            tile_cycles=self.tile_cycles,
            trace=self.trace,
            runs=self.runs,
            vertices=self.vertices,
        )

    def measured_cycles(self) -> MeasuredCycles | None:
        return MeasuredCycles(**self.measured) if self.measured else None


class ExecutionReader:
    """Reads the members of an execution profile into ``parts``."""

    def __init__(self, walk: Walk, report: Report) -> None:
        self.parts = ExecutionParts()
        self._walk = walk
        self._report = report
        self._vertices: dict[str, I64] = {}

    def handlers(self) -> Handlers:
        return {
            "profilerMode": self._mode,
            **dict.fromkeys(_MATRICES, self._matrix),
            "computeSetCycles": self._single,
            **dict.fromkeys(_VERTICES, self._vertex),
            "runs": self._runs,
            "programTrace": self._trace,
            "simulation": self._simulation,
        }

    def finish(self) -> None:
        """Builds the parts that combine several members."""
        cycles = self._vertices.get("vertexCycles")
        if cycles is None:
            return
        columns = {key: self._vertices.get(key) for key in _VERTICES[1:]}
        for key, values in columns.items():
            if values is not None and len(values) != len(cycles):
                self._report.issue(
                    "error",
                    key,
                    tr(
                        "skipped: {count:,} entries for {cycles_count:,} vertices",
                        count=len(values),
                        cycles_count=len(cycles),
                    ),
                )
                columns[key] = None
        none = np.full(len(cycles), -1, np.int64)
        sets, types = (none if values is None else values for values in columns.values())
        self.parts.vertices = VertexCycles(sealed(cycles), indices(sets), indices(types))

    def _mode(self, _path: str) -> None:
        value = self._walk.value()
        if not isinstance(value, str):
            raise FormatError(tr("expected text here"))
        self.parts.mode = value

    def _matrix(self, path: str) -> None:
        self.parts.measured[_MATRICES[_last(path)]] = matrix(self._walk)

    def _single(self, _path: str) -> None:
        self.parts.measured["compute_sets_single"] = numbers(self._walk)

    def _vertex(self, path: str) -> None:
        self._vertices[_last(path)] = numbers(self._walk).astype(np.int64)

    def _runs(self, _path: str) -> None:
        value = self._walk.value()
        if not isinstance(value, list):
            raise FormatError(tr("expected a list here"))
        names = [run.get("name") if isinstance(run, Mapping) else None for run in value]
        self.parts.runs = Strings.of(name if isinstance(name, str) else "" for name in names)

    def _trace(self, _path: str) -> None:
        self.parts.trace = indices(self._walk.numbers().astype(np.int64))

    def _simulation(self, path: str) -> None:
        handlers = {"cycles": self._cycles, "tileCycles": self._tile_cycles, "steps": self._steps}
        members(self._walk, self._report, path, handlers)

    def _cycles(self, _path: str) -> None:
        value = self._walk.value()
        try:
            self.parts.cycles = int(whole([value])[0])
        except FormatError as error:
            raise FormatError(tr("expected a whole number here")) from error

    def _tile_cycles(self, path: str) -> None:
        self.parts.tile_cycles = tile_cycles_of(Fields.read(self._walk, self._report, path))

    def _steps(self, path: str) -> None:
        steps, broken = read_steps(self._walk, self._report, path)
        if broken is None or len(steps):
            self.parts.steps = steps
        if broken is not None:
            raise broken


def tile_cycles_of(fields: Fields) -> dict[str, int]:
    """The cycles of all tiles by what they did."""
    cycles = {str(key): fields.whole(key) for key in fields.data}
    return {key: value for key, value in cycles.items() if value is not None}


def _last(path: str) -> str:
    return path.rpartition(".")[2]


_KEY_OF_OTHERS: Final = tr("read as externalExchange or hostExchange")


class Counted(Protocol):
    """``count``: the steps of a stretch, lost ones at its end included."""

    @property
    def count(self) -> int: ...


class PartOfSteps(Protocol):
    """What a stretch of steps says, in JSON or CBOR. ``unknown``: keys that the reader does not know, in order."""

    @property
    def passage(self) -> Counted: ...
    @property
    def part(self) -> StepsPart: ...
    @property
    def unknown(self) -> list[str]: ...


def read_steps(walk: Walk, report: Report, path: str) -> tuple[Steps, Broken | None]:
    """(all steps, or those before the place where the file is broken; that error). An unreadable record keeps its
    index and has no type."""
    divided = _divided(walk, report)
    parts, broken = _whole(walk, report, path) if divided is None else _joined(divided, report, path)
    lenient = Lenient()
    dropped = Counter[str]()
    for part in parts:
        dropped.update(part.dropped)
    lenient.dropped.update({key: dropped[key] for key in ENCODED.values() if dropped[key]})
    lenient.report(report, path)
    report_spellings(chain.from_iterable(part.texts[TYPE] for part in parts), report, path)
    steps = merged(parts)
    negative, plain = sum(part.negative for part in parts), sum(part.plain for part in parts)
    if negative:
        text = plural(
            "{count:,} value is negative or too large, and is ignored",
            "{count:,} values are negative or too large, and are ignored",
            count=negative,
        )
        report.issue("warning", path, text)
    if plain:
        text = plural(
            "{count:,} exchange between IPUs or with the host is listed under exchange: {key_of_others}",
            "{count:,} exchanges between IPUs or with the host are listed under exchange: {key_of_others}",
            count=plain,
            key_of_others=_KEY_OF_OTHERS,
        )
        report.issue("warning", f"{path}[].exchange", text)
    return steps, broken


def _divided(walk: Walk, report: Report) -> Iterator[PartOfSteps] | None:
    """The steps in stretches, where several processes decode them."""
    if isinstance(walk, JsonWalk):
        return walk.divided(TASK, report.most(ROW_BYTES))
    from app.formats.cbor.walk import CborWalk
    from app.formats.poplar import steps_in_cbor

    if isinstance(walk, CborWalk):
        return steps_in_cbor.divided(walk, report.size)
    return None


def _whole(walk: Walk, report: Report, path: str) -> tuple[list[StepsPart], Broken | None]:
    """All steps, from one reader, and what broke the file."""
    lenient = Lenient()
    builder = StepsBuilder(lenient)
    broken: Broken | None = None
    try:
        for batch in walk.records(StepRecord, lenient.of(StepRecord)):
            for key in unknown_of(batch.keys):
                report.unknown(f"{path}[].{key}")
            if batch.records:
                builder.add(batch.records, batch.ordinals)
                report.allow(builder.count, ROW_BYTES)
    except Broken as error:
        broken = error
    return [builder.part()], broken


def _joined(stretches: Iterable[PartOfSteps], report: Report, path: str) -> tuple[list[StepsPart], Broken | None]:
    """The parts of all stretches, with the records at their ends that could not be read, and what broke the file."""
    parts: list[StepsPart] = []
    broken: Broken | None = None
    before = 0
    try:
        for stretch in stretches:
            for key in stretch.unknown:
                report.unknown(f"{path}[].{key}")
            before += stretch.passage.count
            report.allow(before, ROW_BYTES)
            parts.append(stretch.part.padded(stretch.passage.count))
    except Broken as error:
        broken = error
    while len(parts) > 1 and not parts[-1].columns:
        parts.pop()
    return [*parts[:-1], parts[-1].trimmed()], broken
