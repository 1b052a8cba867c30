"""Reads ``vars.json``, the lowered variables (engine option debug.loweredVarDumpFile)."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

import msgspec
import numpy as np

from app.formats.poplar.fields import Lenient, Whole, indices
from app.formats.poplar.report import Report, members
from app.formats.walk import Broken, Walk
from app.language import tr
from app.profile.arrays import I64, Array, Bool, sealed
from app.profile.poplar import Variables
from app.profile.strings import Interner


class Info(msgspec.Struct, rename="camel", gc=False):
    """The properties of one variable."""

    name: str = ""
    category: str = ""
    tile: Whole = -1
    equivalence_class: Whole = -1
    size_bytes: Whole = -1
    offset: Whole = -1
    alignment: Whole = -1
    allocated: bool = False
    is_constant: bool = False
    always_live: bool = False
    executable: bool = False
    vertex_code: bool = False
    in_interleaved_mem: bool = False


class VariableRecord(msgspec.Struct, gc=False):
    """One entry of ``vars``."""

    var: Whole = -1
    info: Info = msgspec.field(default_factory=Info)


_ROW_BYTES: Final = 192
"""Memory per variable while the columns are built."""
_WHOLE: Final = ("tile", "equivalence_class", "size_bytes", "offset", "alignment")
_FLAGS: Final = ("allocated", "is_constant", "always_live", "executable", "vertex_code", "in_interleaved_mem")


def read_variables(walk: Walk, report: Report) -> Variables | None:
    """The variables of the file, up to the first damage; None where it lists none."""
    builder = _Builder()
    try:
        members(walk, report, "", {"vars": lambda path: _read(walk, report, path, builder), **_PASSED})
    except Broken as error:
        report.refused("", error)
    return builder.done()


_PASSED: Final = dict.fromkeys(
    ("numTiles", "targetMemoryInfo", "equivalenceClassInterference", "allocationOrderByTile"), lambda _: None
)
"""Known members that are not shown: interference of classes grows with the square of the number of variables."""


def _read(walk: Walk, report: Report, path: str, builder: _Builder) -> None:
    lenient = Lenient()
    for batch in walk.records(VariableRecord, _rescue(lenient)):
        builder.add(batch.records)
        report.allow(builder.count, _ROW_BYTES)
    lenient.report(report, path)


def _rescue(lenient: Lenient) -> Any:
    """A function that builds a record from a plain value some of whose fields do not fit."""
    outer, inner = lenient.of(VariableRecord), lenient.of(Info)

    def make(value: Any) -> VariableRecord:
        if not isinstance(value, dict):
            raise ValueError(tr("not a record"))
        info = value.get("info")
        record = outer({key: part for key, part in value.items() if key != "info"})
        return VariableRecord(record.var, inner(info) if isinstance(info, dict) else Info())

    return make


class _Builder:
    def __init__(self) -> None:
        self.count = 0
        self._ids = Interner()
        self._columns: dict[str, list[Array]] = {}

    def add(self, records: list[VariableRecord]) -> None:
        self.count += len(records)
        infos = [record.info for record in records]
        self._put("number", np.array([record.var for record in records], np.int64))
        for key in ("name", "category"):
            texts = map(attrgetter(key), infos)
            self._put(key, np.array([self._ids(text) if text else -1 for text in texts], np.int32))
        for key in _WHOLE:
            self._put(key, np.array(list(map(attrgetter(key), infos)), np.int64))
        for key in _FLAGS:
            self._put(key, np.array(list(map(attrgetter(key), infos)), np.bool_))

    def done(self) -> Variables | None:
        if not self._columns:
            return None
        tile, size = indices(self._whole("tile")), self._whole("size_bytes")
        return Variables(
            strings=self._ids.strings(),
            number=sealed(self._whole("number")),
            name=indices(self._whole("name")),
            category=indices(self._whole("category")),
            tile=tile,
            equivalence=indices(self._whole("equivalence_class")),
            size=sealed(size),
            offset=sealed(self._whole("offset")),
            alignment=sealed(self._whole("alignment")),
            allocated=self._flag("allocated"),
            constant=self._flag("is_constant"),
            always_live=self._flag("always_live"),
            executable=self._flag("executable"),
            vertex_code=self._flag("vertex_code"),
            interleaved=self._flag("in_interleaved_mem"),
            by_tile=sealed(np.lexsort((-size, tile)).astype(np.int64)),
        )

    def _put(self, key: str, values: Array) -> None:
        self._columns.setdefault(key, []).append(values)

    def _whole(self, key: str) -> I64:
        values: I64 = np.concatenate(self._columns.pop(key)).astype(np.int64)
        return np.maximum(values, -1)

    def _flag(self, key: str) -> Bool:
        return sealed(np.concatenate(self._columns.pop(key)))
