"""Reads the execution profile (Poplar profiling data format, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct, field

from app.formats.errors import FormatError
from app.formats.integers import whole
from app.formats.poplar.fields import Fields, indices
from app.formats.poplar.matrices import matrix, numbers
from app.formats.poplar.read_steps import read_steps
from app.formats.poplar.report import Handlers, Report, members
from app.formats.walk import Walk
from app.language import tr
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
