"""A block that is being decoded: access to its bytes, and the reporting of problems; and how files write values:
numbers as numbers or text, instruction addresses as hexadecimal strings, ratios as fractions or percentages, binary
content in pieces."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from app.formats.ascend_bin.blocks import Block
from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.problems import Problems
from app.formats.json.tolerant import has_repeated_key
from app.formats.json.walk import JsonWalk
from app.formats.pool import ALONE, Pool
from app.formats.source import Source, Stretch
from app.formats.spool import Spool
from app.language import plural, tr
from app.profile.arrays import F64, I64, Array, Bool, sealed

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
NO_DATA = frozenset({"", "NA", "N/A", "-", "NAN", "NULL", "NONE"})
NONE = math.nan
MOST: Final = 1e100
"""No file has a larger number; sums and products of larger ones would overflow."""
LEAST: Final = 1e-100
"""Smaller numbers count as 0: shares of them would overflow."""


def parse(text: str) -> float:
    """The number in ``text``, NaN if it is not a finite number."""
    stripped = text.strip()
    if len(stripped) > 400 or not _NUMBER.fullmatch(stripped):
        return NONE
    value = float(stripped)
    return value if math.isfinite(value) else NONE


class Values:
    """Parses values of one block. ``odd`` counts those that are neither a number nor a marker for no data."""

    def __init__(self) -> None:
        self.odd = 0

    def number(self, value: Any) -> float:
        """``value`` as a float; NaN for no data, including -1 (Ascend operator files, section 2.6)."""
        if isinstance(value, bool) or value is None:
            return NONE
        if isinstance(value, str):
            number = parse(value)
            if number != number and value.strip().upper() in NO_DATA:
                return NONE
            value = number
        elif isinstance(value, float) and value != value:
            return NONE
        if isinstance(value, int | float) and abs(value) <= MOST:
            return NONE if value == -1 else float(value) if abs(value) >= LEAST else 0.0
        self.odd += 1
        return NONE

    def optional(self, value: Any) -> float | None:
        """``number`` with None for no data."""
        number = self.number(value)
        return None if number != number else number

    def whole(self, value: Any, none: int = -1, *, bits: int = 31) -> int:
        """``value`` as a non-negative integer of at most ``bits`` bits, ``none`` for no data."""
        if type(value) is int and 0 <= value < 1 << bits:
            return value
        number = self.number(value)
        if number != number:
            return none
        if number != math.floor(number) or not 0 <= number < 1 << bits:
            self.odd += 1
            return none
        return int(number)


def text(value: Any) -> str:
    """``value`` as text: whole floats without a fraction (7.0 is 7), "" for None, lists and objects (which could
    be nested too deeply)."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def texts(value: Any) -> tuple[str, ...]:
    """The texts in ``value``, a list or a single value; empty ones are left out."""
    items: Iterable[Any] = value if isinstance(value, list) else [value]
    return tuple(line for line in map(text, items) if line)


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; empty where ``value`` is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def first_of(record: dict[str, Any], *keys: str) -> Any:
    """The value of the first of ``keys`` that exists, else None."""
    return next((record[key] for key in keys if key in record), None)


MAX_WHOLE = 256 << 20
"""The largest block in bytes that is decoded in one piece; blocks that grow with the program are read in pieces."""


class Part(Struct, frozen=True):
    """A block and its source. ``tick(offset)`` reports the progress in the file and may raise Cancelled; ``pool``
    decodes long arrays."""

    source: Source
    block: Block
    problems: Problems
    tick: Callable[[int], None]
    pool: Pool = ALONE

    def content(self, begin: int, size: int) -> bytes:
        """``size`` bytes from ``begin`` of the payload. Raises FormatError where the file has become shorter."""
        return self.source.read(self.block.payload + begin, size)

    def json(self) -> dict[str, Any]:
        """The payload as a JSON object. Raises FormatError, with the offset in the file, where it is not one."""
        if self.block.size > MAX_WHOLE:
            reason = tr("larger than {max_whole:,} bytes, the limit for decoding", max_whole=MAX_WHOLE)
            raise FormatError(reason, offset=self.block.payload)
        text = self.content(0, self.block.size).rstrip(b"\0")
        try:
            value, repaired = tolerant.loads(text, max_bytes=MAX_WHOLE)
        except FormatError as error:
            raise FormatError(error.text, offset=self.block.payload + (error.offset or 0)) from error
        if has_repeated_key(text, value):
            self.problems.repeated(self.block.offset)
        if repaired:
            self.warn(
                tr("repaired blocks"),
                tr("{block} is not strict JSON, but was read", block=self.block.label),
            )
        if not isinstance(value, dict):
            raise FormatError(tr("not a JSON object"), offset=self.block.payload)
        return value

    def walk(self) -> JsonWalk:
        """A walk over the payload, for JSON that is read in pieces."""
        return JsonWalk(Stretch(self.source, self.block.end), self.problems, self.tick, self.block.payload, self.pool)

    def warn(self, kind: str, text: str) -> None:
        self.problems.add("warning", kind, self.block.offset, text)

    def report_odd(self, values: Values) -> None:
        """Reports how many values could not be parsed."""
        if values.odd:
            text = plural(
                "{count:,} value of {block} is not a number of the expected kind; shown as no data",
                "{count:,} values of {block} are not numbers of the expected kind; shown as no data",
                count=values.odd,
                block=self.block.label,
            )
            self.warn(tr("invalid values"), text)


PIECE_BYTES = 1 << 20
HELD_BYTES = 8 << 20
"""Memory that one column may take before it is spooled to disk."""


def pieces(part: Part, begin: int, size: int, kind: npt.DTypeLike) -> Iterator[Array]:
    """Yields the complete records of type ``kind`` in ``size`` bytes from ``begin`` of the payload, some at a time."""
    dtype: np.dtype[Any] = np.dtype(kind)
    at = part.block.payload + begin
    end = at + size // dtype.itemsize * dtype.itemsize
    step = max(PIECE_BYTES // dtype.itemsize, 1) * dtype.itemsize
    for here in range(at, end, step):
        yield np.frombuffer(part.source.read(here, min(step, end - here)), dtype)
        part.tick(here)


class Column:
    """A column of one type that is built from parts."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self._kind: np.dtype[Any] = np.dtype(kind)
        self._parts: list[Array] = []
        self._spool: Spool | None = None
        self._held = 0

    def add(self, values: Array) -> None:
        """Appends ``values``. Raises OSError when the disk is full."""
        part = values.astype(self._kind)
        self._parts.append(part)
        self._held += part.nbytes
        if self._held > HELD_BYTES:
            self._spool_parts()

    def done(self) -> Any:
        """All values, sealed."""
        if self._spool is not None:
            self._spool_parts()
            return self._spool.done()
        return sealed(np.concatenate([np.empty(0, self._kind), *self._parts]))

    def _spool_parts(self) -> None:
        self._spool = self._spool or Spool()
        for part in self._parts:
            self._spool.add(part)
        self._parts.clear()
        self._held = 0


_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9a-fA-F]{1,16}")
_PLAIN = re.compile(r"0x[0-9a-f]{1,15}(?:\n0x[0-9a-f]{1,15})*+")
_LIMIT = 1 << 63


def address(value: Any) -> int:
    """``value``, a hexadecimal string or an integer, as an address; -1 where it is not an address below 2^63."""
    if isinstance(value, str):
        if not _HEX.fullmatch(value):
            return -1
        number = int(value, 16)
        return number if number < _LIMIT else -1
    return value if type(value) is int and 0 <= value < _LIMIT else -1


def addresses(values: Sequence[Any]) -> I64:
    """int64[values]: the addresses, -1 where a value is not one."""
    joined = "\n".join(values) if set(map(type, values)) == {str} else ""
    if _PLAIN.fullmatch(joined) and joined.count("\n") == len(values) - 1:
        return np.fromiter((int(value, 16) for value in values), np.int64, len(values))
    return np.fromiter(map(address, values), np.int64, len(values))


class Ranges:
    """Collects the "Address Range" of rows: pairs of strings, both ends inclusive (section 2.4). ``odd`` counts invalid
    pairs, which are left out as in the vendor's reader."""

    def __init__(self) -> None:
        self.odd = 0
        self._counts: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, cells: Sequence[Any]) -> None:
        """Adds the cells of the next rows; None for a row without ranges."""
        for cell in cells:
            before = len(self._starts)
            for pair in cell if isinstance(cell, list) else ():
                self._pair(pair)
            self._counts.append(len(self._starts) - before)

    def columns(self) -> tuple[I64, I64, I64]:
        """(first: int64[rows + 1], starts, ends), sealed."""
        first = np.array(list(accumulate(self._counts, initial=0)), np.int64)
        return sealed(first), sealed(np.array(self._starts, np.int64)), sealed(np.array(self._ends, np.int64))

    def report(self, part: Part) -> None:
        if self.odd:
            part.warn(
                tr("invalid address ranges"),
                plural(
                    "{count:,} address range of {block} is not a pair of addresses",
                    "{count:,} address ranges of {block} are not pairs of addresses",
                    count=self.odd,
                    block=part.block.label,
                ),
            )

    def _pair(self, pair: Any) -> None:
        if isinstance(pair, list) and len(pair) == 2:
            start, end = address(pair[0]), address(pair[1])
            if 0 <= start <= end:
                self._starts.append(start)
                self._ends.append(end)
                return
        self.odd += 1


WHOLE = 100.0
SAME = 0.05
"""Tolerance in percentage points: hit rates are stored with six digits or more, in either unit."""


def of_fractions(values: F64) -> F64:
    """float64[n]: fractions as percentages with the same decimal digits: 0.56 is 56, not 56.00000000000001."""
    decimals = [float(Decimal(repr(value)).scaleb(2)) if value == value else value for value in values.tolist()]
    return np.array(decimals, np.float64)


def hit_rates(stored: F64, hit: F64, miss: F64) -> F64:
    """float64[n]: stored hit ratios as percentages (Ascend operator files, section 2.1, rule 5). The unit of each is
    derived from the counts of hits and misses; without them, values above 1 are percentages and others NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        counted = np.where(hit + miss > 0, WHOLE * hit / (hit + miss), np.nan)
    percentages: Bool = (stored > 1) | (np.abs(stored - counted) <= SAME)
    known: Bool = percentages | ~np.isnan(counted)
    fractions: Bool = (np.abs(WHOLE * stored - counted) <= SAME) | ~percentages
    return np.where(known, np.where(fractions, of_fractions(stored), stored), np.nan)


def shares_are_fractions(shares: F64, *, wrapped: bool, quoted: bool) -> bool:
    """Whether a file stores shares of cycles as 0..1 and not as 0..100 (section 2.1, rule 5). Decided once per file,
    because a writer uses one unit: percentages where any is above 1, fractions where items are ``wrapped`` (first
    generation), percentages where block ids are strings (``quoted``, third generation), else fractions."""
    if bool((shares > 1).any()):
        return False
    return wrapped or not quoted
