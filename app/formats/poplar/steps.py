"""The steps of an execution profile (Poplar profiling data format, 7.2.3)."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import Final

import msgspec
import numpy as np

from app.formats.poplar.fields import Lenient, Whole, indices
from app.formats.poplar.report import Report
from app.formats.walk import Walk
from app.profile.arrays import F64, I64, Array, sealed
from app.profile.steps import STEP_TYPES, Steps
from app.profile.strings import Interner


class StepRecord(msgspec.Struct, rename="camel", gc=False):
    """One step as it stands in the file."""

    type: str = ""
    name: str = ""
    sync_type: str = ""
    program: Whole = -1
    compute_set: Whole = -1
    exchange: Whole = -1
    external_exchange: Whole = -1
    host_exchange: Whole = -1
    cycles: Whole = -1
    cycles_from: Whole = -1
    cycles_to: Whole = -1
    cycles_overlapped: Whole = -1
    active_tiles: Whole = -1
    total_data: Whole = -1
    tile_balance: float = math.nan
    active_tile_balance: float = math.nan
    data_balance: float = math.nan
    thread_balance: float = math.nan


_KEYS: Final = frozenset(field.encode_name for field in msgspec.structs.fields(StepRecord))
_WHOLE: Final = (
    "program",
    "compute_set",
    "exchange",
    "external_exchange",
    "host_exchange",
    "cycles",
    "cycles_from",
    "cycles_to",
    "cycles_overlapped",
    "active_tiles",
    "total_data",
)
_BALANCES: Final = ("tile_balance", "active_tile_balance", "data_balance", "thread_balance")
_TYPES: Final = {name.lower(): name for name in STEP_TYPES} | {"sharedstructurecopy": "CopySharedStructure"}
"""The vendor's own examples spell two of them differently."""


def read_steps(walk: Walk, report: Report, path: str) -> Steps:
    """All steps. A record that cannot be read keeps its place, without type."""
    lenient = Lenient()
    builder = _Builder()
    for batch in walk.records(StepRecord, lenient.of(StepRecord)):
        for key in sorted(batch.keys - _KEYS):
            report.unknown(f"{path}[].{key}")
        if batch.records:
            builder.add(batch.records, batch.ordinals)
    lenient.report(report, path)
    steps = builder.done()
    if builder.negative:
        report.issue("warning", path, f"{builder.negative:,} values are below zero, and count as not given")
    return steps


class _Builder:
    def __init__(self) -> None:
        self.negative = 0
        self._count = 0
        self._ids = Interner()
        self._types: dict[str, int] = {}
        self._at: list[I64] = []
        self._columns: dict[str, list[Array]] = {key: [] for key in ("type", "name", "sync_type", *_WHOLE, *_BALANCES)}

    def add(self, records: list[StepRecord], ordinals: I64) -> None:
        self._at.append(ordinals)
        self._count = int(ordinals[-1]) + 1
        ids, columns = self._ids, self._columns
        columns["type"].append(_array([self._type(r.type) for r in records]))
        columns["name"].append(_array([ids(r.name) if r.name else -1 for r in records]))
        columns["sync_type"].append(_array([ids(r.sync_type) if r.sync_type else -1 for r in records]))
        for key in _WHOLE:
            columns[key].append(_array(list(map(attrgetter(key), records))))
        for key in _BALANCES:
            columns[key].append(np.array(list(map(attrgetter(key), records)), np.float64))

    def done(self) -> Steps:
        exchange = self._whole("exchange")
        for key in ("external_exchange", "host_exchange"):
            exchange = np.where(exchange < 0, self._whole(key), exchange)
        return Steps(
            strings=self._ids.strings(),
            type=indices(self._whole("type")),
            name=indices(self._whole("name")),
            sync_type=indices(self._whole("sync_type")),
            program=indices(self._whole("program")),
            compute_set=indices(self._whole("compute_set")),
            exchange=indices(exchange),
            cycles=sealed(self._whole("cycles")),
            cycles_from=sealed(self._whole("cycles_from")),
            cycles_to=sealed(self._whole("cycles_to")),
            overlapped=sealed(self._whole("cycles_overlapped")),
            active_tiles=indices(self._whole("active_tiles")),
            data=sealed(self._whole("total_data")),
            tile_balance=self._balance("tile_balance"),
            active_tile_balance=self._balance("active_tile_balance"),
            data_balance=self._balance("data_balance"),
            thread_balance=self._balance("thread_balance"),
        )

    def _type(self, text: str) -> int:
        """The text id of a type, in the spelling that the description uses."""
        known = self._types.get(text)
        if known is None:
            known = self._ids(_TYPES.get(text.lower(), text)) if text else -1
            self._types[text] = known
        return known

    def _whole(self, key: str) -> I64:
        out = np.full(self._count, -1, np.int64)
        if self._at:
            out[np.concatenate(self._at)] = np.concatenate(self._columns[key])
        below = out < -1
        self.negative += int(np.sum(below))
        out[below] = -1
        self._columns[key] = [out]
        self._at = [np.arange(self._count)] if self._at else []
        return out

    def _balance(self, key: str) -> F64:
        out = np.full(self._count, np.nan)
        if self._at:
            out[np.concatenate(self._at)] = np.concatenate(self._columns[key])
        return sealed(out)


def _array(values: list[int]) -> I64:
    return np.array(values, np.int64)
