"""Decodes the steps of an execution profile (Poplar profiling data format, 7.2.3) into columns, in parts that several
processes read: their texts as numbers, the spelling of their types, and the merging of all parts."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.integers import Flat, narrow
from app.formats.json.pieces import batches
from app.formats.json.stretches import Passage, Stretch, StretchRecords, nothing, place_of
from app.formats.numbering import distinct_texts, numbering, numbers_of
from app.formats.pool import Moved, Task
from app.formats.poplar.report import LARGEST, Lenient, Report, allow, indices
from app.formats.poplar.timeline import PROCESS
from app.formats.rows import Packed, Texts, packed_sizes, sizes_of
from app.formats.source import Source
from app.formats.spool import SpooledArrays
from app.language import tr
from app.profile.arrays import F64, I32, I64, Array, Integers, others, sealed
from app.profile.poplar import STEP_TYPES, Steps
from app.profile.strings import Strings, all_of, joined

_TYPES: Final = {name.lower(): name for name in STEP_TYPES} | {"sharedstructurecopy": "CopySharedStructure"}
"""Poplar profiling data format, 7.2.3: the sample of a sync has "sync", the list of exchanges SharedStructureCopy."""


def spelled(text: str) -> str:
    """The type ``text`` in the spelling that is shown; an unknown one as it is."""
    return _TYPES.get(text.lower(), text)


def report_spellings(texts: Iterable[str], report: Report, path: str) -> None:
    """Reports other spellings of types among ``texts``."""
    for text in dict.fromkeys(texts):
        if spelled(text) != text:
            name = spelled(text)
            issue = tr("steps of type {text} are read as {name}", text=text, name=name)
            report.issue("warning", f"{path}[].type", issue)


COLUMNS: Final = ("type", "name", "sync_type")
TYPE, NAME, SYNC = range(len(COLUMNS))
_NONE: Final = (None, "")
"""Both mean that there is no text: they have the first numbers, which become -1."""
_DIFFERENT: Final = 8192
"""Combinations of texts that are remembered. If most are still new after so many, the columns are looked up apart."""
_GET: Final[tuple[Any, ...]] = tuple(map(attrgetter, COLUMNS))
_GET_ALL: Final[Any] = attrgetter(*COLUMNS)

Numbers: TypeAlias = defaultdict[str | None, int]


class StepTexts:
    """Collects the texts of records. Each of the columns type, name and type of sync has numbers of its own, in order
    of first appearance, so that they do not depend on how the steps are divided among processes; ``merged_texts`` makes
    one table of those of all parts. In most files few combinations are different, and each is looked up once; where
    most names differ, every name gets a number of its own, and the other columns are looked up one by one."""

    def __init__(self) -> None:
        self._numbers: list[Numbers] = [numbering(_NONE) for _ in COLUMNS]
        self._known: dict[Texts, int] = {}
        self._rows = array("q")
        self._apart = False
        self._names, self._lengths = Flat(), Flat()
        self._named = 0
        self._sizes: list[I64] = [np.empty(0, np.int64) for _ in COLUMNS]

    def of(self, records: Sequence[Any]) -> I64:
        """int64[4, records]: the numbers of type, name and type of sync (-1 for none), and the packed size of the
        texts."""
        if self._apart:
            return self._one_by_one(records)
        texts: list[Texts] = list(map(_GET_ALL, records))
        try:
            places = np.fromiter(map(self._known.__getitem__, texts), np.int64, len(texts))
        except KeyError:
            if not self._learn(texts):
                self._apart = True
                self._named = len(self._numbers[NAME]) - len(_NONE)
                return self.of(records)
            places = np.fromiter(map(self._known.__getitem__, texts), np.int64, len(texts))
        return np.array(self._rows, np.int64).reshape(-1, len(COLUMNS) + 1).T.take(places, axis=1)

    def types(self, since: int) -> list[str]:
        """The types from number ``since`` on."""
        return [text or "" for text in islice(self._numbers[TYPE], since + len(_NONE), None)]

    def tables(self) -> list[Strings]:
        """The texts of each column by number; some names may be there several times. The texts are released: nothing
        can be added afterwards."""
        tables = [Strings.of(text or "" for text in islice(self._taken(at), len(_NONE), None)) for at in range(3)]
        if self._names.count:
            ends = np.cumsum(self._lengths.done(), dtype=np.int64)
            tables[NAME] = joined(tables[NAME], Strings(self._names.done().astype(np.uint8, copy=False), ends))
        return tables

    def _taken(self, column: int) -> Numbers:
        self._known.clear()
        numbers, self._numbers[column] = self._numbers[column], numbering(_NONE)
        return numbers

    def _learn(self, texts: list[Texts]) -> bool:
        """Adds combinations, unless most of them are new; returns whether they were added."""
        known = self._known
        new = [each for each in dict.fromkeys(texts) if each not in known]
        if len(known) > _DIFFERENT:
            known.clear()
            self._rows = array("q")
            if 2 * len(new) > len(texts):
                return False
            new = list(dict.fromkeys(texts))
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        self._rows.frombytes(self._looked_up([list(column) for column in zip(*new, strict=True)]).T.tobytes())
        return True

    def _one_by_one(self, records: Sequence[Any]) -> I64:
        """As ``of``, where most names differ."""
        count = len(records)
        rows = np.empty((len(COLUMNS) + 1, count), np.int64)
        names: list[str | None] = list(map(_GET[NAME], records))
        table = Strings.of([name or "" for name in names] if None in names else names)  # type: ignore[arg-type]
        sizes = np.diff(table.ends, prepend=0)
        named = sizes > 0
        rows[NAME] = np.where(named, self._named - 1 + np.cumsum(named), -1)
        rows[-1] = packed_sizes(sizes)
        for column in (TYPE, SYNC):
            ids = numbers_of(self._numbers[column], map(_GET[column], records), count)
            rows[-1] += self._sizes_of(column).take(ids)
            np.maximum(ids - len(_NONE), -1, out=rows[column])
        self._names.add(table.blob)
        self._lengths.add(sizes[named])
        self._named += int(np.count_nonzero(named))
        return rows

    def _sizes_of(self, column: int) -> I64:
        """int64: the packed size of each text of a column, by its number before those for none are taken off."""
        numbers, sizes = self._numbers[column], self._sizes[column]
        if len(sizes) < len(numbers):
            new = sizes_of(list(islice(numbers, len(sizes), None)))
            sizes = self._sizes[column] = np.concatenate((sizes, new))
        return sizes

    def _looked_up(self, columns: list[list[str | None]]) -> I64:
        rows = np.empty((len(COLUMNS) + 1, len(columns[0])), np.int64)
        for row, numbers, texts in zip(rows, self._numbers, columns, strict=False):
            row[:] = numbers_of(numbers, texts, len(texts))
        np.maximum(rows[:-1] - len(_NONE), -1, out=rows[:-1])
        rows[-1] = sum(map(sizes_of, columns))
        return rows


class Merged(Struct, frozen=True, eq=False):
    """``strings``: the texts of all parts; ``ids``: for each part and column int32[texts + 1], the id in ``strings`` of
    each number, at the end -1."""

    strings: Strings
    ids: list[tuple[I32, ...]]


def merged_texts(parts: Sequence[list[Strings]]) -> Merged:
    """One table of the ``tables`` of all parts: all names, then types in the spelling that is shown, types of sync, and
    what a timeline of the steps needs. Takes the tables out of the parts, so that they need not be in memory twice."""
    types = [list(map(spelled, tables[TYPE])) for tables in parts]
    syncs = [tables[SYNC].tolist() for tables in parts]
    others = list(dict.fromkeys(chain(chain.from_iterable((*types, *syncs)), (PROCESS,))))
    every = [*(tables[NAME] for tables in parts), Strings.of(others)]
    for tables in parts:
        tables.clear()
    ends = np.cumsum(list(map(len, every)))
    strings, numbers = distinct_texts(all_of(every))
    *names, last = np.split(numbers, ends[:-1])
    places = dict(zip(others, last.tolist(), strict=True))

    def ids(texts: list[str]) -> I32:
        return np.array([*map(places.__getitem__, texts), -1], np.int32)

    return Merged(
        strings,
        [
            (ids(kind), np.append(name, np.int32(-1)), ids(sync))
            for kind, name, sync in zip(types, names, syncs, strict=True)
        ],
    )


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
        for key, values in (*zip(COLUMNS, ids, strict=False), *zip(_WHOLE, whole, strict=True)):
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
    texts = merged_texts([part.texts for part in filled])
    firsts = np.cumsum([0, *(part.count for part in parts)])
    count = int(firsts[-1])
    lost = np.concatenate([first + part.lost for first, part in zip(firsts, parts, strict=False)])
    there = np.delete(np.arange(count), lost) if len(lost) else None

    def column(key: str) -> Array:
        """The column with a row for every step, -1 or NaN for lost ones."""
        pieces = [part.columns.pop(key) for part in filled]
        if key in COLUMNS:
            at = COLUMNS.index(key)
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
