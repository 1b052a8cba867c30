"""Reads the steps of an execution profile (Poplar profiling data format, 7.2.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import msgspec
import numpy as np

from app.formats.integers import narrow
from app.formats.poplar.fields import Lenient, Whole, indices
from app.formats.poplar.report import Report
from app.formats.poplar.step_types import StepTypes
from app.formats.walk import Walk
from app.language import tr
from app.profile.arrays import F64, I32, I64, Array, Integers, sealed
from app.profile.steps import Steps
from app.profile.strings import Interner


class StepRecord(msgspec.Struct, rename="camel", gc=False):
    """One step as stored in the file."""

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
_TEXTS: Final = ("type", "name", "sync_type")
_texts_of: Final = attrgetter(*_TEXTS)
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
_KEY_OF_OTHERS: Final = tr("taken for externalExchange or hostExchange")
_ROW_BYTES: Final = 220
"""Memory per step while the columns are built."""
_MOST_BALANCE: Final = 1000.0
"""Balances are fractions or percentages; larger values are invalid."""
_BALANCES: Final = ("tile_balance", "active_tile_balance", "data_balance", "thread_balance")


def read_steps(walk: Walk, report: Report, path: str) -> Steps:
    """All steps. An unreadable record keeps its index and has no type."""
    lenient = Lenient()
    builder = _Builder()
    for batch in walk.records(StepRecord, lenient.of(StepRecord)):
        for key in sorted(batch.keys - _KEYS):
            report.unknown(f"{path}[].{key}")
        if batch.records:
            builder.add(batch.records, batch.ordinals)
            report.allow(builder.count, _ROW_BYTES)
    lenient.report(report, path)
    steps = builder.done()
    if builder.negative:
        text = tr(
            "{negative:,} values are below zero or larger than can be, and count as not given",
            negative=builder.negative,
        )
        report.issue("warning", path, text)
    if builder.plain:
        text = tr(
            "{plain:,} exchanges between IPUs or with the host stand under exchange: {key_of_others}",
            plain=builder.plain,
            key_of_others=_KEY_OF_OTHERS,
        )
        report.issue("warning", f"{path}[].exchange", text)
    builder.types.report(report, path)
    return steps


class _Builder:
    def __init__(self) -> None:
        self.negative = self.plain = 0
        self.count = 0
        self._ids = Interner()
        self.types = StepTypes(self._ids)
        self._at: list[I64] = []
        self._known: dict[tuple[str, str, str], tuple[int, int, int]] = {}
        self._columns: dict[str, list[Array]] = {key: [] for key in (*_TEXTS, *_WHOLE, *_BALANCES)}

    def add(self, records: list[StepRecord], ordinals: I64) -> None:
        self._at.append(ordinals)
        self.count = int(ordinals[-1]) + 1
        columns = self._columns
        for key, ids in zip(_TEXTS, self._text_ids(list(map(_texts_of, records))), strict=True):
            columns[key].append(narrow(ids))
        for key in _WHOLE:
            columns[key].append(_array(list(map(attrgetter(key), records))))
        for key in _BALANCES:
            columns[key].append(np.array(list(map(attrgetter(key), records)), np.float64))

    def _text_ids(self, texts: list[tuple[str, str, str]]) -> I64:
        """int64[texts, records]: text ids. Few combinations are distinct, so each is looked up once, in order."""
        known, ids = self._known, self._ids
        for texts_ in dict.fromkeys(texts):
            if texts_ not in known:
                kind, name, sync = texts_
                known[texts_] = (self.types.id(kind), ids(name) if name else -1, ids(sync) if sync else -1)
        return np.array(list(map(known.__getitem__, texts)), np.int64).T

    def done(self) -> Steps:
        """The columns. Each is joined from its parts in turn, so that only one is in memory twice."""
        at = np.concatenate(self._at) if self._at else np.empty(0, np.int64)
        kind = indices(self._whole("type", at))
        exchange = self._exchange(kind, at)
        return Steps(
            strings=self._ids.strings(),
            type=kind,
            name=indices(self._whole("name", at)),
            sync_type=indices(self._whole("sync_type", at)),
            program=indices(self._whole("program", at)),
            compute_set=indices(self._whole("compute_set", at)),
            exchange=indices(exchange),
            cycles=sealed(self._whole("cycles", at)),
            cycles_from=sealed(self._whole("cycles_from", at)),
            cycles_to=sealed(self._whole("cycles_to", at)),
            overlapped=sealed(self._whole("cycles_overlapped", at)),
            active_tiles=indices(self._whole("active_tiles", at)),
            data=sealed(self._whole("total_data", at)),
            tile_balance=self._balance("tile_balance", at),
            active_tile_balance=self._balance("active_tile_balance", at),
            data_balance=self._balance("data_balance", at),
            thread_balance=self._balance("thread_balance", at),
        )

    def _exchange(self, kind: I32, at: I64) -> I64:
        """int64[steps]: the exchange index, from whichever of the three keys has one."""
        own = self._whole("exchange", at)
        others = [self.types.id(name) for name in ("GlobalExchange", "StreamCopy")]
        self.plain = int(np.sum((own >= 0) & np.isin(kind, others)))
        for key in ("external_exchange", "host_exchange"):
            own = np.where(own < 0, self._whole(key, at), own)
        return own

    def _whole(self, key: str, at: I64) -> I64:
        out = np.full(self.count, -1, np.int64)
        if len(at):
            out[at] = np.concatenate(self._columns.pop(key))
        below = out < -1
        self.negative += int(np.sum(below))
        out[below] = -1
        return out

    def _balance(self, key: str, at: I64) -> F64:
        out = np.full(self.count, np.nan)
        if len(at):
            out[at] = np.concatenate(self._columns.pop(key))
        odd = (out < 0) | (out > _MOST_BALANCE)
        self.negative += int(np.sum(odd))
        out[odd] = np.nan
        return sealed(out)


def _array(values: Sequence[int]) -> Integers:
    return narrow(np.array(values, np.int64))
