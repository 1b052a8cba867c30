"""Reads the steps of an execution profile (Poplar profiling data format, 7.2.3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.integers import narrow
from app.formats.json.batches import batches
from app.formats.json.stretches import Passage, Stretch, StretchRecords, nothing, place_of
from app.formats.packed import Packed
from app.formats.pool import Moved, Task
from app.formats.poplar import step_texts
from app.formats.poplar.fields import LARGEST, Lenient, indices
from app.formats.poplar.report import allow
from app.formats.poplar.step_texts import StepTexts
from app.formats.poplar.step_types import spelled
from app.formats.source import Source
from app.formats.spool import SpooledArrays
from app.profile.arrays import F64, I32, I64, Array, Integers, others, sealed
from app.profile.poplar import Steps
from app.profile.strings import Strings


class StepRecord(msgspec.Struct, rename="camel", gc=False):
    """One step as stored in the file. The numbers are floats, because those are taken from the records in bulk; the
    largest that count are exact."""

    program: float | None = math.nan
    compute_set: float | None = math.nan
    exchange: float | None = math.nan
    external_exchange: float | None = math.nan
    host_exchange: float | None = math.nan
    cycles: float | None = math.nan
    cycles_from: float | None = math.nan
    cycles_to: float | None = math.nan
    cycles_overlapped: float | None = math.nan
    active_tiles: float | None = math.nan
    total_data: float | None = math.nan
    tile_balance: float | None = math.nan
    active_tile_balance: float | None = math.nan
    data_balance: float | None = math.nan
    thread_balance: float | None = math.nan
    type: str | None = ""
    name: str | None = ""
    sync_type: str | None = ""


_KEYS: Final = frozenset(field.encode_name for field in msgspec.structs.fields(StepRecord))
ENCODED: Final = {field.name: field.encode_name for field in msgspec.structs.fields(StepRecord)}
_PACKED: Final = Packed(StepRecord)
_BALANCES: Final = 4
_WHOLE: Final = _PACKED.keys[:-_BALANCES]
_EXCHANGE, _OTHERS = _WHOLE.index("exchange"), ("external_exchange", "host_exchange")
_UNDER_OTHERS: Final = ("GlobalExchange", "StreamCopy")
ROW_BYTES: Final = 220
"""Memory per step while the columns are built."""
_MOST_BALANCE: Final = 1000.0
"""Balances are fractions or percentages; larger values are invalid."""
HELD_BYTES = 8 << 20
"""Memory that the columns of steps may take before they are moved to the disk."""
_TOGETHER: Final = 8192
"""Steps whose numbers are checked and narrowed at once."""


def unknown_of(keys: frozenset[str]) -> list[str]:
    """The keys of records that the reader does not know."""
    return sorted(keys - _KEYS)


class StepsStretch(Struct, frozen=True, eq=False):
    """The steps of a stretch (see ``PartOfSteps``)."""

    passage: Passage
    part: StepsPart
    unknown: list[str]


def decode(source: Source, stretch: Stretch, moved: Moved) -> StepsStretch:
    """The steps of ``stretch``. FormatError if there are too many for the file."""
    place = place_of(source, stretch)
    lenient = Lenient()
    builder = StepsBuilder(lenient)
    if place is None:
        return StepsStretch(nothing(stretch), builder.part(), [])
    decoder = msgspec.json.Decoder(list[StepRecord])
    records: StretchRecords[StepRecord] = StretchRecords(
        source, stretch, place, decode=decoder.decode, rescue=lenient.of(StepRecord)
    )
    unknown: list[str] = []
    for batch in batches(source, records, stretch.start - 1, records.log, moved):
        unknown += unknown_of(batch.keys)
        if batch.records:
            builder.add(batch.records, batch.ordinals)
            allow(source.size, stretch.first + builder.count, ROW_BYTES)
    return StepsStretch(records.passage(), builder.part(), unknown)


class StepsPart(Struct, frozen=True, eq=False):
    """The columns of consecutive steps. ``count``: their number; ``lost``: indices of those that could not be read, of
    which the columns have no rows; ``columns``: consecutive pieces of each, in types of their own; ``texts``: for each
    column of texts, what its numbers stand for. ``dropped``: values of wrong types, by key; ``negative``: values out of
    range; ``plain``: exchanges under a key of others."""

    count: int
    lost: I64
    texts: list[Strings]
    columns: dict[str, list[Array]]
    dropped: dict[str, int]
    negative: int
    plain: int

    def padded(self, count: int) -> StepsPart:
        """The same with ``count`` steps; those at the end are lost."""
        return replace(self, count=count, lost=np.append(self.lost, np.arange(self.count, count)))

    def trimmed(self) -> StepsPart:
        """The same without lost steps at its end."""
        kept = others(self.count, self.lost)
        count = int(kept[-1]) + 1 if len(kept) else 0
        return replace(self, count=count, lost=self.lost[self.lost < count])


TASK: Final = Task("steps", decode, Stretch, StepsStretch)


class StepsBuilder:
    """Collects the columns of steps from decoded records. ``count``: the steps so far; ``lenient``: counted values of
    wrong types."""

    def __init__(self, lenient: Lenient | None = None) -> None:
        self.count = 0
        self._texts = StepTexts()
        self._plain_types: list[int] = []
        self._types_seen = 0
        self._lost: list[I64] = []
        self._dropped: Counter[str] = lenient.dropped if lenient else Counter()
        self._negative = self._plain = 0
        self._columns: dict[str, list[Array]] = {}
        self._held = 0
        self._spooled: SpooledArrays | None = None
        self._waiting: list[tuple[I64, F64]] = []
        self._rows = 0

    def add(self, records: list[StepRecord], ordinals: I64) -> None:
        """Adds records; ``ordinals``: their indices among the steps, ascending."""
        first, self.count = self.count, int(ordinals[-1]) + 1
        if self.count - first != len(records):
            self._lost.append(first + others(self.count - first, ordinals - first))
        ids = self._texts.of(records)
        self._waiting.append((ids, _PACKED.numbers(records, ids[3])))
        self._rows += len(records)
        if self._rows >= _TOGETHER:
            self._take()

    def part(self) -> StepsPart:
        """All steps that were added."""
        self._take()
        lost = np.concatenate(self._lost) if self._lost else np.empty(0, np.int64)
        return StepsPart(
            self.count,
            lost,
            self._texts.tables(),
            self._pieces(),
            dict(self._dropped),
            self._negative,
            self._plain,
        )

    def _take(self) -> None:
        """Moves the numbers that are waiting into narrow columns."""
        if not self._waiting:
            return
        ids = np.concatenate([ids for ids, _ in self._waiting], axis=1)
        numbers = np.concatenate([values for _, values in self._waiting], axis=1)
        self._waiting, self._rows = [], 0
        whole = self._whole(numbers[:-_BALANCES])
        kind, own = ids[0], whole[_EXCHANGE]
        for other in self._other_types():
            self._plain += int(np.count_nonzero((kind == other) & (own >= 0)))
        for key in _OTHERS:
            np.copyto(own, whole[_WHOLE.index(key)], where=own < 0)
        for key, values in (*zip(step_texts.COLUMNS, ids, strict=False), *zip(_WHOLE, whole, strict=True)):
            if key not in _OTHERS:
                self._put(key, narrow(values))
        balances = numbers[-_BALANCES:]
        odd = (balances < 0) | (balances > _MOST_BALANCE)
        self._negative += int(np.count_nonzero(odd))
        balances[odd] = np.nan
        for key, shares in zip(_PACKED.keys[-_BALANCES:], balances, strict=True):
            self._put(key, shares)
        if self._held > HELD_BYTES:
            self._spool()

    def _put(self, key: str, values: Array) -> None:
        """Adds ``values`` to a column; a copy, where they would keep larger arrays in memory."""
        self._columns.setdefault(key, []).append(values if values.base is None else values.copy())
        self._held += values.nbytes

    def _spool(self) -> None:
        """Moves the pieces of all columns to the disk."""
        self._spooled = self._spooled or SpooledArrays()
        for pieces in self._columns.values():
            self._spooled.add(np.concatenate(pieces))
            pieces.clear()
        self._held = 0

    def _pieces(self) -> dict[str, list[Array]]:
        """All pieces of each column."""
        mapped = [] if self._spooled is None else self._spooled.done()
        every = len(self._columns)
        return {key: [*mapped[at::every], *own] for at, (key, own) in enumerate(self._columns.items())}

    def _other_types(self) -> list[int]:
        """The numbers of the types in _UNDER_OTHERS, in any spelling."""
        for text in self._texts.types(self._types_seen):
            if spelled(text) in _UNDER_OTHERS:
                self._plain_types.append(self._types_seen)
            self._types_seen += 1
        return self._plain_types

    def _whole(self, numbers: F64) -> I64:
        """``numbers`` as int64, -1 for missing ones and for those that cannot be meant, which are counted."""
        numbers[np.isnan(numbers)] = -1
        inside = bool(numbers.min() >= -LARGEST and numbers.max() <= LARGEST)
        values = numbers.astype(np.int64) if inside else None
        if values is None or not np.array_equal(values, numbers):
            wrong = (np.abs(numbers) > LARGEST) | (numbers != np.rint(numbers))
            numbers[wrong] = -1
            values = numbers.astype(np.int64)
            for key, count in zip(_WHOLE, np.count_nonzero(wrong, axis=1).tolist(), strict=True):
                if count:
                    self._dropped[ENCODED[key]] += count
        if int(values.min()) < -1:
            below = values < -1
            self._negative += int(np.count_nonzero(below))
            values[below] = -1
        return values


def merged(parts: Sequence[StepsPart]) -> Steps:
    """The steps of consecutive parts, the same as if all had been one part. Takes the columns out of the parts, so that
    memory is not used twice."""
    filled = [part for part in parts if part.columns]
    texts = step_texts.merged([part.texts for part in filled])
    firsts = np.cumsum([0, *(part.count for part in parts)])
    count = int(firsts[-1])
    lost = np.concatenate([first + part.lost for first, part in zip(firsts, parts, strict=False)])
    there = np.delete(np.arange(count), lost) if len(lost) else None

    def column(key: str) -> Array:
        """The column with a row for every step, -1 or NaN for lost ones."""
        pieces = [part.columns.pop(key) for part in filled]
        if key in step_texts.COLUMNS:
            at = step_texts.COLUMNS.index(key)
            pieces = [[own[at][ids] for ids in some] for own, some in zip(texts.ids, pieces, strict=True)]
        values = np.concatenate(list(chain.from_iterable(pieces))) if pieces else np.empty(0, np.int8)
        if there is None:
            return values
        none = np.nan if values.dtype.kind == "f" else -1
        out = np.full(count, none, values.dtype if values.dtype.kind == "f" else np.int64)
        out[there] = values
        return out

    def index(key: str) -> I32:
        values: Integers = column(key)
        if values.itemsize < 4 or values.dtype == np.int32:  # none is larger or less than -1
            return sealed(values.astype(np.int32, copy=False))
        return indices(values.astype(np.int64))

    def whole(key: str) -> I64:
        return sealed(column(key).astype(np.int64, copy=False))

    def share(key: str) -> F64:
        return sealed(column(key).astype(np.float64, copy=False))

    return Steps(
        strings=texts.strings,
        type=index("type"),
        name=index("name"),
        sync_type=index("sync_type"),
        program=index("program"),
        compute_set=index("compute_set"),
        exchange=index("exchange"),
        cycles=whole("cycles"),
        cycles_from=whole("cycles_from"),
        cycles_to=whole("cycles_to"),
        overlapped=whole("cycles_overlapped"),
        active_tiles=index("active_tiles"),
        data=whole("total_data"),
        tile_balance=share("tile_balance"),
        active_tile_balance=share("active_tile_balance"),
        data_balance=share("data_balance"),
        thread_balance=share("thread_balance"),
    )
