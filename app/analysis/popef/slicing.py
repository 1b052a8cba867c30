"""Which part of a tensor is displayed: ``[0, 2, :, 5:20]``, with at most two open dimensions."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import I64

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
