"""Reads ranges of PopEF payloads, which profiles leave in the file, and writes a tensor as a NumPy file, piece by
piece. No function here takes memory in proportion to a payload, or to what a shape claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.lib import format as npy

from app.analysis.popef.anchors import elements
from app.analysis.popef.values import Dtype, Slice, Summary, decoded, looked_at, stored_as, strides, summary
from app.formats.errors import FormatError
from app.formats.popef.blobs import read_header
from app.formats.source import Source
from app.language import tr
from app.profile.arrays import I64, Array, Bool
from app.profile.popef import data_type
from app.profile.profile import Profile
from app.store.outputs import output_file
from app.store.token import Token

BLOCK = 1 << 18
GAP = 1 << 14
"""Elements further apart than GAP bytes are read one by one."""
PIECE = 1 << 18
OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done and the total."""


class Payload(Struct, frozen=True):
    """``size`` bytes from ``offset`` of a file. ``blob_offset``, ``blob_size``, ``kind``: what the blob's header said,
    to detect that the file was rewritten."""

    path: Path
    offset: int
    size: int
    blob_offset: int
    blob_size: int
    kind: int


class Tensor(Struct, frozen=True):
    """One tensor of a payload: ``shape`` as it is displayed, ``first`` its first byte in the payload."""

    payload: Payload
    shape: tuple[int, ...]
    data_type: int
    first: int

    @property
    def stored(self) -> Dtype:
        dtype = stored_as(self.data_type)
        assert dtype is not None
        return dtype

    @property
    def elements(self) -> int:
        """Number of elements according to the shape."""
        return math.prod(self.shape)

    @property
    def there(self) -> int:
        """Number of elements that the payload contains."""
        return min(self.elements, max(self.payload.size - self.first, 0) // self.stored.itemsize)


class Values(Struct, frozen=True, eq=False):
    """``numbers``: [rows, columns] in their own type; ``missing``: bool of the same shape, cells beyond the end of the
    payload, None if there are none."""

    part: Slice
    numbers: Array
    missing: Bool | None


def payload_of(profile: Profile, blob: int) -> Payload | None:
    """The location of a blob's payload; None if it is unknown."""
    blobs = profile.blobs
    if blobs is None or not 0 <= blob < len(blobs):
        return None
    offset, size = blobs.payload(blob)
    if size < 0:
        return None
    path = profile.origin.paths[int(blobs.file[blob])]
    return Payload(path, offset, size, int(blobs.offset[blob]), int(blobs.size[blob]), int(blobs.type[blob]))


def tensor_of(profile: Profile, row: int, number: int = 0) -> Tensor | None:
    """Tensor ``number`` of a row of the model's tensors and feeds; None if its type or shape is invalid."""
    model = profile.model
    if model is None or not 0 <= row < len(model.tensors):
        return None
    own = model.tensors
    payload = payload_of(profile, int(own.blob[row]))
    stored = stored_as(int(own.data_type[row]))
    count = int(elements(own.shape)[row])
    if payload is None or stored is None or count < 0:
        return None
    shape = looked_at(own.shape.row(row).tolist(), count)
    return Tensor(payload, shape, int(own.data_type[row]), number * count * stored.itemsize)


def whole_feed(tensor: Tensor, count: int) -> Tensor:
    """All ``count`` tensors of a feed as one, with one more outermost dimension."""
    shape = looked_at((count, *tensor.shape), count * tensor.elements)
    return replace(tensor, shape=shape, first=0)


@contextmanager
def opened(payload: Payload) -> Iterator[Source]:
    """Open the file of a payload; FormatError if the blob has changed since the profile was read."""
    with Source(payload.path) as source:
        try:
            header = read_header(source.read, payload.blob_offset, source.size)
            same = header.size == payload.blob_size and header.type == payload.kind
        except FormatError:
            same = False
        if not same or payload.offset + payload.size > source.size:
            raise FormatError(tr("the file has changed since it was read; reload it"), path=str(payload.path))
        yield source


def read_bytes(payload: Payload, first: int, count: int) -> bytes:
    """Up to ``count`` bytes of a payload, from ``first`` on. FormatError if the file has changed."""
    with opened(payload) as source:
        start = min(max(first, 0), payload.size)
        return source.read(payload.offset + start, min(max(count, 0), payload.size - start))


def read_slice(tensor: Tensor, part: Slice, token: Token) -> Values:
    """The values of ``part``, which must be limited. FormatError if the file has changed, Cancelled between two
    reads."""
    if not tensor.there:
        shape = (len(part.rows), len(part.columns))
        return Values(part, decoded(np.zeros(shape, tensor.stored), tensor.data_type), np.ones(shape, np.bool_))
    places = part.places(strides(tensor.shape))
    missing = places >= tensor.there
    with opened(tensor.payload) as source:
        stored = np.zeros(places.shape, tensor.stored)
        stored[~missing] = _gathered(source, tensor, places[~missing], token)
    return Values(part, decoded(stored, tensor.data_type), missing if missing.any() else None)


def _gathered(source: Source, tensor: Tensor, places: I64, token: Token) -> Array:
    """Elements by their position in the tensor (int64, each inside the payload). Nearby elements are read together, at
    most BLOCK bytes at once."""
    width, order = tensor.stored.itemsize, np.argsort(places, kind="stable")
    rising = places[order]
    apart = (np.diff(rising) > GAP // width) | (np.diff(rising // (BLOCK // width)) > 0)
    firsts = np.concatenate(([0], np.flatnonzero(apart) + 1)).tolist() if len(places) else []
    values = np.empty(len(places), tensor.stored)
    for first, after in zip(firsts, [*firsts[1:], len(places)], strict=False):
        token.check()
        begin, end = int(rising[first]), int(rising[after - 1]) + 1
        raw = source.read(tensor.payload.offset + tensor.first + begin * width, (end - begin) * width)
        values[order[first:after]] = np.frombuffer(raw, tensor.stored)[rising[first:after] - begin]
    return values


def pieces(tensor: Tensor, source: Source, token: Token, report: OnProgress | None = None) -> Iterator[Array]:
    """All values in the payload, PIECE bytes at a time, decoded. Cancelled between two pieces."""
    width, total = tensor.stored.itemsize, tensor.there * tensor.stored.itemsize
    start = tensor.payload.offset + tensor.first
    for done in range(0, total, PIECE // width * width):
        token.check()
        raw = source.read(start + done, min(PIECE // width * width, total - done))
        yield decoded(np.frombuffer(raw, tensor.stored), tensor.data_type)
        if report is not None:
            report(done + len(raw), total)


def summarise(tensor: Tensor, token: Token, report: OnProgress | None = None) -> Summary:
    """Statistics of the values in the payload, which are read twice. Cancelled between two pieces."""
    passes = 0

    def read() -> Iterator[Array]:
        nonlocal passes
        passes += 1
        base = passes - 1
        progress = None if report is None else lambda done, total: report(base * total + done, 2 * total)
        return pieces(tensor, source, token, progress)

    with opened(tensor.payload) as source:
        return summary(read)


def saved_as(tensor: Tensor) -> Dtype:
    """The dtype of the saved elements: bool for BOOL (nonzero is true), float32 for the two float8 formats that can be
    decoded, else the tensor's own."""
    if data_type(tensor.data_type) == "BOOL":
        return np.dtype(np.bool_)
    return decoded(np.zeros(0, tensor.stored), tensor.data_type).dtype


def save_npy(tensor: Tensor, path: Path, token: Token, report: OnProgress | None = None) -> None:
    """Write all of the tensor, or nothing: the file appears when it is complete. FormatError if the payload is shorter
    than the shape, OSError if ``path`` cannot be written, Cancelled between two pieces."""
    if tensor.there < tensor.elements:
        raise FormatError(
            tr(
                "the shape has {elements:,} elements, but the payload contains {there:,}; it cannot be saved",
                elements=tensor.elements,
                there=tensor.there,
            ),
            path=str(tensor.payload.path),
            offset=tensor.payload.offset,
        )
    target = saved_as(tensor)
    head = {"descr": npy.dtype_to_descr(target), "fortran_order": False, "shape": tensor.shape}
    inputs = [tensor.payload.path]
    with output_file(path, inputs) as part, part.open("wb") as file, opened(tensor.payload) as source:
        npy.write_array_header_1_0(file, head)
        for values in pieces(tensor, source, token, report):
            file.write((values != 0 if target.kind == "b" else values.astype(target, copy=False)).tobytes())
