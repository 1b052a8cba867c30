"""Tables in the files of a report: JSON files as keys and values, and rows of metrics."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from app.formats.csv.lines import LineProblems
from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.source import Source
from app.language import tr
from app.profile.arrays import F64, I64, sealed
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable
from app.profile.strings import Interner

MAX_BYTES = 8 << 20
"""The largest file that is read: these have some hundreds of lines."""
MAX_DEPTH = 64
GROUP, KEY, VALUE, TEXT = "Group", "Key", "Value", "Text"


def read_json_table(source: Source, name: str, file: str, problems: LineProblems) -> ReportTable:
    """A row for each value in the JSON values of ``source`` (one, or one per line): its group (the keys and places
    around it, joined by " / "), its key, and the value as a number or as a text; null is neither. Raises FormatError if
    nothing is read."""
    if source.size > MAX_BYTES:
        raise FormatError(tr("larger than the limit of {max_bytes:,} bytes for such a file", max_bytes=MAX_BYTES))
    rows = _Rows()
    for number, value in _values(source.read(0, source.size), problems):
        rows.add(value, () if number is None else (str(number),))
    if not rows.key:
        raise FormatError(tr("this file contains no values"))
    return rows.table(name, file)


def _values(text: bytes, problems: LineProblems) -> Iterator[tuple[int | None, Any]]:
    """(line, value) of a file of lines; (None, value) of a file that is one value."""
    try:
        yield None, tolerant.loads(text, max_depth=MAX_DEPTH)[0]
        return
    except FormatError as error:
        lines = text.splitlines()
        if len(lines) < 2:
            raise FormatError(error.text, offset=error.offset) from error
    readable = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = tolerant.loads(line, max_depth=MAX_DEPTH)[0]
        except FormatError as error:
            problems.add("warning", tr("lines that are not valid JSON"), number, error.text)
            continue
        readable += 1
        yield number, value
    if not readable:
        raise FormatError(tr("no line of this file is valid JSON"))


class _Rows:
    def __init__(self) -> None:
        self._strings = Interner()
        self.group = array("i")
        self.key = array("i")
        self.value = array("d")
        self.text = array("i")

    def add(self, value: Any, around: tuple[str, ...]) -> None:
        """Adds what is in ``value``. An object that names itself (``category``, ``name``) is called so."""
        if isinstance(value, dict):
            named = next((value[key] for key in ("category", "name") if isinstance(value.get(key), str)), None)
            inside = around if named is None else (*around[:-1], named)
            for key, item in value.items():
                self._item(key, item, inside)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                self._item(str(place), item, around)
        else:
            self._item("", value, around)

    def _item(self, key: str, item: Any, around: tuple[str, ...]) -> None:
        if isinstance(item, dict | list) and item:
            self.add(item, (*around, key))
            return
        number = isinstance(item, int | float) and not isinstance(item, bool) and abs(item) < 1 << 53
        words = "" if number or item is None else item if isinstance(item, str) else _spelled(item)
        self.group.append(self._strings(" / ".join(around)) if around else -1)
        self.key.append(self._strings(key))
        self.value.append(float(item) if number else np.nan)
        self.text.append(self._strings(words) if words else -1)

    def table(self, name: str, file: str) -> ReportTable:
        strings = self._strings.strings()

        def texts(title: str, ids: array[int]) -> TypedColumn:
            return TypedColumn(title, "text", sealed(np.array(ids, np.int32).reshape(-1, 1)), strings)

        value = TypedColumn(VALUE, "float", sealed(np.array(self.value, np.float64).reshape(-1, 1)))
        columns = (texts(GROUP, self.group), texts(KEY, self.key), value, texts(TEXT, self.text))
        return ReportTable(name, file, columns)


def _spelled(item: Any) -> str:
    """True, False, large integers and empty containers as in JSON."""
    return {True: "true", False: "false"}[item] if isinstance(item, bool) else str(item)


PIPES, ARITHMETIC, MEMORY, MEMORY_L0, MEMORY_UB, L2_CACHE, CONFLICTS = METRIC_NAMES = (
    "PipeUtilization",
    "ArithmeticUtilization",
    "Memory",
    "MemoryL0",
    "MemoryUB",
    "L2Cache",
    "ResourceConflictRatio",
)
BASIC_INFO = "OpBasicInfo"
MOST_ROWS = 30_000
"""Rows that sections are made from: a block is at most three rows, and operators have at most thousands of blocks."""
BYTES_PER_KB = 1024.0
BYTES_PER_GB = float(1 << 30)
"""The files' KB and GB (Ascend operator reports, section 2.1)."""
_STAMPED = re.compile(r"_\d{17}\Z")


def kind_of_file(stem: str) -> str:
    """The kind of table by the name of its file without the ending: ``PipeUtilization_20260711102038123`` is
    PipeUtilization (section 4). Names that are not known are returned as they are."""
    plain = _STAMPED.sub("", stem)
    return next((name for name in (*METRIC_NAMES, BASIC_INFO) if name.lower() == plain.lower()), stem)


def spelled_alike(title: str) -> str:
    """A title without blanks and in lower case, for comparison."""
    return "".join(title.split()).lower()


def numbers_of(column: TypedColumn) -> F64:
    """float64[rows]: the figures of a column, NaN for no data and for text."""
    return column.of_core(0) if column.strings is None else np.full(len(column.values), np.nan)


def texts_of(column: TypedColumn, rows: int) -> list[str]:
    """The first ``rows`` cells as text, "" for no data."""
    cells = column.of_core(0)[:rows].tolist()
    if column.strings is None:
        return ["" if cell != cell else str(int(cell)) if cell.is_integer() else repr(cell) for cell in cells]
    return [column.strings.get(cell) for cell in cells]


class Row(Struct, frozen=True):
    """A sub-block of a block, as the tables name them; "" where they have no such columns (310P)."""

    block: str
    sub_block: str
    number: int = 0

    @property
    def side(self) -> str:
        """The prefix of the columns that are filled in this row (section 2.1)."""
        return "aiv" if self.sub_block.lower().startswith(("vec", "aiv")) else "aic"


class Metrics:
    """The rows of all metric tables. ``rows``: in the order of first appearance; ``cut``: rows that are left out."""

    def __init__(self, tables: dict[str, ReportTable]) -> None:
        """``tables``: by kind."""
        self.rows: list[Row] = []
        self.cut = 0
        self.tables = tables
        self._columns: dict[str, dict[str, TypedColumn]] = {}
        self._place: dict[str, I64] = {}
        known: dict[Row, int] = {}
        for kind, table in tables.items():
            columns: dict[str, TypedColumn] = {}
            self._columns[kind] = columns
            for column in table.columns:
                columns.setdefault(spelled_alike(column.name), column)
            keys = _keys(columns, min(table.rows, MOST_ROWS))
            self.cut += table.rows - len(keys)
            self._place[kind] = np.array([known.setdefault(key, len(known)) for key in keys], np.int64)
        self.rows = list(known)
        self.on_vector = np.array([row.side == "aiv" for row in self.rows], np.bool_)

    def __len__(self) -> int:
        return len(self.rows)

    def titles(self, kind: str) -> list[str]:
        """The titles of a table as ``spelled_alike``."""
        return list(self._columns.get(kind, ()))

    def column(self, kind: str, title: str) -> F64:
        """float64[rows]: a column, NaN for no data."""
        values = np.full(len(self.rows), np.nan)
        column = self._columns.get(kind, {}).get(spelled_alike(title))
        if column is not None:
            place = self._place[kind]
            values[place] = numbers_of(column)[: len(place)]
        return values

    def own(self, kind: str, title: str) -> F64:
        """float64[rows]: the column ``aic_TITLE`` in the rows of cubes and ``aiv_TITLE`` in those of vectors."""
        cube, vector = self.column(kind, f"aic_{title}"), self.column(kind, f"aiv_{title}")
        return np.where(self.on_vector, vector, cube)

    def anywhere(self, title: str) -> F64:
        """float64[rows]: ``own`` from the first table that has it, row by row; every table repeats times and cycles."""
        values = np.full(len(self.rows), np.nan)
        for kind in self.tables:
            values = np.where(np.isnan(values), self.own(kind, title), values)
        return values

    def matching(self, kind: str, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], F64]]:
        """(match, values) of the columns whose title, as ``spelled_alike``, is like ``pattern``."""
        for title in self.titles(kind):
            match = pattern.fullmatch(title)
            if match is not None:
                yield match, self.column(kind, title)

    @property
    def time(self) -> F64:
        """float64[rows] µs: how long each sub-block ran."""
        return self.anywhere("time(us)")

    @property
    def cycles(self) -> F64:
        """float64[rows]: the cycles of each sub-block."""
        return self.anywhere("total_cycles")

    @property
    def blocks(self) -> dict[str, list[int]]:
        """The rows of each block, in the order of the tables."""
        grouped: dict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(self.rows):
            grouped[row.block].append(place)
        return grouped


def _keys(columns: dict[str, TypedColumn], rows: int) -> list[Row]:
    """The keys of a table's rows. Of rows with the same one, the second is a row of its own."""
    blocks, sub_blocks = (
        texts_of(columns[title], rows) if title in columns else [""] * rows for title in ("block_id", "sub_block_id")
    )
    counts: dict[tuple[str, str], int] = defaultdict(int)
    keys = []
    for block, sub_block in zip(blocks, sub_blocks, strict=True):
        keys.append(Row(block, sub_block, counts[block, sub_block]))
        counts[block, sub_block] += 1
    return keys


CYCLE_ROUNDING = 0.02
"""A time has 6 decimals of a microsecond, which is at most this part of a cycle."""


class Shares:
    """``mix``: whether ratios are fractions of the operator's duration rather than of the sub-block's own cycles
    (Ascend operator reports, section 2.1); shares are always of the sub-block's own time."""

    def __init__(self, metrics: Metrics, *, mix: bool, frequency_mhz: float | None) -> None:
        self._metrics = metrics
        self._time = metrics.time
        self._mix = mix
        self._frequency = frequency_mhz
        self._scale: dict[bool, F64] = {}

    def of_time(self, time: F64) -> F64:
        """float64[rows] percent: a part of the sub-block's time."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self._time > 0, 100.0 * time / self._time, np.nan)

    def of_ratio(self, ratio: F64) -> F64:
        """float64[rows] percent of the sub-block's own cycles. In a mix, the divisor of the file's ratios follows from
        a pipe that has both a time and a ratio; NaN if there is none."""
        return 100.0 * ratio * self._divisor() if self._mix else 100.0 * ratio

    def pipe(self, name: str) -> F64:
        """float64[rows] percent: of a pipe, from its time, else from its ratio."""
        share = self.of_time(self._metrics.own(PIPES, f"{name}_time(us)"))
        return np.where(np.isnan(share), self.of_ratio(self._metrics.own(PIPES, f"{name}_ratio")), share)

    def cycles(self, time: F64) -> F64:
        """float64[rows]: whole cycles of times at the operator's frequency; NaN where it is not a whole number, so that
        the frequency was another."""
        cycles = time * (self._frequency or np.nan)
        whole = np.round(cycles)
        return np.where(np.abs(cycles - whole) <= CYCLE_ROUNDING, whole, np.nan)

    def _divisor(self) -> F64:
        """float64[rows]: what a ratio is multiplied with, to become one of the sub-block's own time."""
        metrics, best, scale = self._metrics, np.zeros(len(self._metrics)), np.full(len(self._metrics), np.nan)
        for name in ("cube", "vec", "mte1", "mte2", "mte3", "scalar", "fixpipe"):
            ratio, time = metrics.own(PIPES, f"{name}_ratio"), metrics.own(PIPES, f"{name}_time(us)")
            with np.errstate(divide="ignore", invalid="ignore"):
                own = time / (ratio * self._time)
            better = np.isfinite(own) & (ratio > best)  # the largest ratio has the most digits
            best, scale = np.where(better, ratio, best), np.where(better, own, scale)
        return scale


_COUNT = re.compile(r"(ai[cv])_(\w+)_(hit|miss_allocate|miss|victim)")
_RATE = re.compile(r"(ai[cv]_)?(total_)?(cache_)?hit_rate\(%\)")


class CacheHits(Struct, frozen=True, eq=False):
    """float64[rows], NaN for no data: ``hit``, ``miss``, ``total``, and ``rate`` in percent: 100 · hit / total, where
    victims count in the total (Ascend operator reports, section 2.2)."""

    hit: F64
    miss: F64
    total: F64
    rate: F64


def l2_hits(metrics: Metrics) -> CacheHits:
    """The sums of all accesses of each sub-block; only the rate, if the table has no counts."""
    sums = {what: np.full(len(metrics), np.nan) for what in ("hit", "miss", "victim")}
    for match, values in metrics.matching(L2_CACHE, _COUNT):
        what = "miss" if match[3] == "miss_allocate" else match[3]
        own = np.where(metrics.on_vector == (match[1] == "aiv"), values, np.nan)
        sums[what] = np.where(np.isnan(own), sums[what], np.nan_to_num(sums[what]) + own)
    hit, miss = sums["hit"], sums["miss"]
    total = hit + miss + np.nan_to_num(sums["victim"])
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(total > 0, 100.0 * hit / total, np.nan)
    if np.isnan(total).all():
        for _, values in metrics.matching(L2_CACHE, _RATE):
            rate = np.where(np.isnan(rate), values, rate)
    return CacheHits(hit, miss, total, rate)
