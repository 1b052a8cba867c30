"""The values of a tensor: bytes as numbers, the part that is displayed (``[0, 2, :, 5:20]``), statistics and a
histogram piece by piece, and differences from another tensor.

BOOL is one byte per element and not converted, so that values other than 0 and 1 remain visible. The two float8 formats
are decoded as the format families that their names suggest: F8143 has 4 bits of exponent with bias 8 and 3 of mantissa
(largest 240), F8152 has 5 with bias 16 and 2 (largest 57,344); 0x80 is NaN, there are no infinities. A power of two may
scale them, which PopEF does not store, so the values are unscaled. Plain F8 does not say which format it is, and stays
bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct, field

from app.language import tr
from app.profile.arrays import F32, F64, I64, Array, Bool
from app.profile.popef import DATA_TYPES

Dtype: TypeAlias = np.dtype[Any]

STORED = {
    "BOOL": "u1",
    "F8": "u1",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
    "S8": "i1",
    "U8": "u1",
    "S16": "<i2",
    "U16": "<u2",
    "S32": "<i4",
    "U32": "<u4",
    "S64": "<i8",
    "U64": "<u8",
    "F8143": "u1",
    "F8152": "u1",
}
FLOAT8 = {"F8143": (4, 3, 8), "F8152": (5, 2, 16)}
"""Bits of exponent, bits of mantissa, bias."""

UNSCALED = tr("float8 values are unscaled: PopEF does not store the power of two by which they may be scaled")
RAW_FLOAT8 = tr("F8 does not state the kind of float8, so its bytes are shown as integers")


def stored_as(data_type: int) -> Dtype | None:
    """The dtype of elements in the payload; None for an unknown data type."""
    return np.dtype(STORED[DATA_TYPES[data_type].name]) if 0 <= data_type < len(DATA_TYPES) else None


def decoded(stored: Array, data_type: int) -> Array:
    """Elements as numbers, in their own type; the two float8 formats as float32."""
    name = DATA_TYPES[data_type].name
    return float8_table(name)[stored] if name in FLOAT8 else stored


def remark(data_type: int) -> str:
    """A remark to display beside values of this type; "" for most."""
    name = DATA_TYPES[data_type].name if 0 <= data_type < len(DATA_TYPES) else ""
    return UNSCALED if name in FLOAT8 else RAW_FLOAT8 if name == "F8" else ""


@lru_cache(maxsize=2)
def float8_table(name: str) -> F32:
    """float32[256]: the value of each byte (exact: float32 holds them all)."""
    exponent_bits, mantissa_bits, bias = FLOAT8[name]
    codes = np.arange(256)
    exponent = codes >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = (codes & (1 << mantissa_bits) - 1) / (1 << mantissa_bits)
    size = np.where(exponent > 0, np.ldexp(1 + mantissa, exponent - bias), np.ldexp(mantissa, 1 - bias))
    values = np.where(codes & 0x80, -size, size)
    values[0x80] = np.nan
    table = values.astype(np.float32)
    table.flags.writeable = False
    return table


BINS = 64
Pieces: TypeAlias = Callable[[], Iterable[Array]]
"""Returns the values from the beginning, each time it is called."""


class Summary(Struct, frozen=True, eq=False):
    """``count`` values in all. ``least``, ``most``, ``mean``, ``deviation`` (of the whole population: divided by n)
    are of the finite ones, None where there are none. ``edges``: float64[bins + 1], ``bins``: int64, finite values
    from each edge up to the next (the last edge included); empty where there are none."""

    count: int
    zeros: int
    nan: int
    infinite: int
    least: int | float | None
    most: int | float | None
    mean: float | None
    deviation: float | None
    edges: F64
    bins: I64

    @property
    def finite(self) -> int:
        return self.count - self.nan - self.infinite


class _Extremes(Struct):
    count: int = 0
    zeros: int = 0
    nan: int = 0
    infinite: int = 0
    least: int | float = math.inf
    most: int | float = -math.inf

    def take(self, values: Array) -> None:
        self.count += values.size
        self.zeros += int(np.count_nonzero(values == 0))
        if values.dtype.kind == "f":
            self.nan += int(np.count_nonzero(np.isnan(values)))
            self.infinite += int(np.count_nonzero(np.isinf(values)))
            values = values[np.isfinite(values)]
        if values.size:
            self.least = min(self.least, values.min().item())
            self.most = max(self.most, values.max().item())


class _Spread(Struct):
    """Counts ``bins``, and sums of u and u² over the values scaled to 0..1, which cannot overflow. ``least``: that of
    whole numbers, whose distances from it are added up exactly (``total``): 64-bit integers are no float64."""

    low: float
    width: float
    bins: I64
    first: float = 0.0
    second: float = 0.0
    count: int = 0
    scale: float = field(default=1.0)
    least: int | None = None
    total: int = 0

    def take(self, values: Array) -> None:
        if values.dtype.kind == "f":
            values = values[np.isfinite(values)]
        if self.width <= 0:
            self.bins[0] += values.size
            self.count += values.size
            return
        places = self._scaled(values) if self.least is None else self._distances(values, self.least)
        places /= self.width
        np.clip(places, 0.0, 1.0, out=places)
        self.first += float(places.sum())
        self.second += float(np.dot(places, places))
        self.count += places.size
        number = np.minimum((places * len(self.bins)).astype(np.int64), len(self.bins) - 1)
        self.bins += np.bincount(number, minlength=len(self.bins))

    def _scaled(self, values: Array) -> F64:
        scaled = values.astype(np.float64)
        scaled *= self.scale
        scaled -= self.low
        return scaled

    def _distances(self, values: Array, least: int) -> F64:
        """Of whole numbers from the smallest one; their sum is added to ``total``, in halves that cannot overflow."""
        distances = values.astype(np.uint64) - np.uint64(least % (1 << 64))
        self.total += (int((distances >> np.uint64(32)).sum()) << 32) + int((distances & np.uint64(0xFFFFFFFF)).sum())
        return distances.astype(np.float64)


def summary(pieces: Pieces) -> Summary:
    """Two passes over the values: the first finds the extremes, the second counts between them."""
    ends = _Extremes()
    for values in pieces():
        ends.take(values.reshape(-1))
    if ends.count == ends.nan + ends.infinite:
        none: F64 = np.empty(0, np.float64)
        counts = (ends.count, ends.zeros, ends.nan, ends.infinite)
        return Summary(*counts, None, None, None, None, none, none.astype(np.int64))
    least = int(ends.least) if isinstance(ends.least, int) and isinstance(ends.most, int) else None
    span = 0 if least is None else int(ends.most) - least + 1
    # Whole numbers that differ little get a bin each, between n and n + 1.
    bins, extra = (span, 1) if least is not None and span <= BINS else (BINS, 0)
    # Halved, the difference between the largest float64 and its negative does not overflow.
    scale = 0.5 if max(abs(ends.least), abs(ends.most)) > 1e300 else 1.0
    low = float(ends.least) * scale
    width = float(ends.most + extra) * scale - low if least is None else float(span - 1 + extra)
    spread = _Spread(low, width, np.zeros(bins if width > 0 else 1, np.int64), scale=scale, least=least)
    for values in pieces():
        spread.take(values.reshape(-1))
    share = spread.first / max(spread.count, 1)
    variance = max(spread.second / max(spread.count, 1) - share * share, 0.0)
    edges = (low + width * np.linspace(0.0, 1.0, len(spread.bins) + 1)) / scale
    mean = (low + width * share) / scale if least is None else (least * spread.count + spread.total) / spread.count
    return Summary(
        ends.count,
        ends.zeros,
        ends.nan,
        ends.infinite,
        ends.least,
        ends.most,
        mean,
        width * math.sqrt(variance) / scale,
        edges,
        spread.bins,
    )


MOST_DIMS = 32
"""A shape with more dimensions than this is displayed as one row of elements."""
MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 100_000, 2048, 1 << 20
COLOURS = 4
_PART = re.compile(r"^(?:(-?\d+)|(-?\d*):(-?\d*)(?::(-?\d*))?)$")
MOST_DIGITS = 20


class BadSlice(ValueError):
    """The text is not a slice of this shape; the message says why."""


class Slice(Struct, frozen=True):
    """One range per dimension (of length 1 if fixed), and the open dimensions: up to two, the first along the rows and
    the last along the columns."""

    picks: tuple[range, ...]
    open: tuple[int, ...]

    @property
    def rows(self) -> range:
        """Indices of the rows; a single one where nothing is open."""
        return self.picks[self.open[0]] if self.open else range(1)

    @property
    def columns(self) -> range:
        """Indices of the columns; a single one where at most one dimension is open."""
        return self.picks[self.open[1]] if len(self.open) > 1 else range(1)

    @property
    def text(self) -> str:
        """The slice as text that ``parse`` accepts."""
        return f"[{', '.join(self._part(dim) for dim in range(len(self.picks)))}]"

    def _part(self, dim: int) -> str:
        pick = self.picks[dim]
        if dim not in self.open:
            return str(pick.start)
        step = "" if pick.step == 1 else f":{pick.step}"
        stop = pick.stop if pick.stop >= 0 else ""
        return f"{pick.start}:{stop}{step}"

    def places(self, steps: Sequence[int]) -> I64:
        """int64[rows, columns]: positions of the elements in a tensor with the strides ``steps``. The slice must be
        limited, since this takes memory."""
        base = sum(self.picks[dim].start * steps[dim] for dim in range(len(steps)) if dim not in self.open)
        offsets = np.full((1, 1), base, np.int64)
        for dim, way in zip(self.open, ((-1, 1), (1, -1)), strict=False):
            pick = self.picks[dim]
            indices = pick.start + np.arange(len(pick), dtype=np.int64) * pick.step
            offsets = offsets + (indices * steps[dim]).reshape(way)
        return offsets

    def limited(self) -> Slice:
        """The slice cut to as many rows and columns as a table takes."""
        columns = self.columns[:MOST_COLUMNS]
        rows = self.rows[: min(MOST_ROWS, MOST_CELLS // max(len(columns), 1))]
        picks = list(self.picks)
        for dim, cut in zip(self.open, (rows, columns), strict=False):
            picks[dim] = cut
        return Slice(tuple(picks), self.open)


def looked_at(shape: Sequence[int], elements: int) -> tuple[int, ...]:
    """The shape to slice: the tensor's own, or one row of its ``elements``."""
    return tuple(shape) if len(shape) <= MOST_DIMS else (elements,)


def first_slice(shape: Sequence[int]) -> Slice:
    """The initial slice: the last two dimensions at index 0 of all others; if the last looks like the colours of an
    image, the two before it."""
    count = len(shape)
    end = count - 1 if count > 2 and shape[-1] <= COLOURS < min(shape[-3:-1]) else count
    open_ = tuple(range(max(end - 2, 0), end))
    picks = tuple(range(size) if dim in open_ else range(1) for dim, size in enumerate(shape))
    return Slice(picks, open_)


def parse(text: str, shape: Sequence[int]) -> Slice:
    """The slice that ``text`` names, brackets or not; an index, ``a:b``, ``a:b:step`` or ``:`` for each dimension,
    ``...`` for as many ``:`` as are missing. BadSlice says what is wrong."""
    parts = [part.strip() for part in text.strip().removeprefix("[").removesuffix("]").split(",")]
    parts = [] if parts == [""] else parts
    if parts.count("...") > 1:
        raise BadSlice(tr("... may appear only once"))
    missing = len(shape) - len(parts) + parts.count("...")
    if missing < 0:
        raise BadSlice(
            tr("{count} indices, but the shape has {shape_count} dimensions", count=len(parts), shape_count=len(shape))
        )
    place = parts.index("...") if "..." in parts else len(parts)
    parts[place : place + 1] = [":"] * missing
    dims = [_part(part, dim, size) for dim, (part, size) in enumerate(zip(parts, shape, strict=True))]
    open_ = tuple(dim for dim, (_, is_open) in enumerate(dims) if is_open)
    if len(open_) > 2:
        raise BadSlice(tr("{count} dimensions have no index; give an index for all but two", count=len(open_)))
    return Slice(tuple(pick for pick, _ in dims), open_)


def stepped(part: Slice, shape: Sequence[int], direction: int) -> Slice:
    """The next (+1) or previous (-1) index of the last fixed dimension, carrying over to those before; the same
    slice at either end."""
    picks = list(part.picks)
    for dim in reversed([dim for dim in range(len(shape)) if dim not in part.open]):
        index = picks[dim].start + direction
        if 0 <= index < shape[dim]:
            picks[dim] = range(index, index + 1)
            return Slice(tuple(picks), part.open)
        index = 0 if direction > 0 else max(shape[dim] - 1, 0)
        picks[dim] = range(index, index + 1)
    return part


def strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Elements from one index to the next, for each dimension (row-major, no gaps)."""
    steps = [1]
    for size in reversed(shape[1:]):
        steps.append(steps[-1] * size)
    return tuple(reversed(steps[: len(shape)]))


def _part(text: str, dim: int, size: int) -> tuple[range, bool]:
    """(range, whether the dimension is open)."""
    match = _PART.match(text)
    if match is None or max(map(len, match.groups(""))) > MOST_DIGITS:
        raise BadSlice(tr("{text} is neither an index nor a range such as 0:10 or :", text=f"{text[:20]!r}"))
    index, start, stop, step = match.groups()
    if index is not None:
        number = int(index) + (size if int(index) < 0 else 0)
        if not 0 <= number < size:
            raise BadSlice(
                tr("index {index} is outside dimension {dim}, which has size {size:,}", index=index, dim=dim, size=size)
            )
        return range(number, number + 1), False
    if step and int(step) == 0:
        raise BadSlice(tr("the step must not be 0"))
    bounds = (int(part) if part else None for part in (start, stop, step))
    return range(size)[slice(*bounds)], True


WIDE = 4
"""Bytes of the largest integers whose differences int64 always holds."""


def same_values(before: Array, after: Array) -> Bool:
    """bool: which elements are the same. Two NaN are."""
    same: Bool = before == after
    if before.dtype.kind == "f":
        same = same | (np.isnan(before) & np.isnan(after))
    return same


def difference(before: Array, after: Array) -> Array:
    """After minus before: int64 of integers, if that holds them all, else float64; 0 where both are the same, also for
    infinite values and NaN."""
    if before.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            made: Array = after.astype(np.float64) - before.astype(np.float64)
        made[same_values(before, after)] = 0.0
        return made
    if before.dtype.itemsize <= WIDE:
        return after.astype(np.int64) - before.astype(np.int64)
    larger = np.maximum(before, after).astype(np.uint64) - np.minimum(before, after).astype(np.uint64)
    if larger.max(initial=0) > np.iinfo(np.int64).max:
        return np.where(after < before, -1.0, 1.0) * larger.astype(np.float64)
    return np.where(after < before, -1, 1) * larger.astype(np.int64)
