"""Anchors: who provides their data, what their dimensions mean, their sizes in bytes, how many elements a call takes,
and for how many calls a feed lasts (PopEF user guide, 2.3.3 and 2.6)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from app.language import joined, plural, tr
from app.profile.arrays import I32, I64, Bool, Ragged, among, combine_at
from app.profile.popef import ANCHOR_INPUT, ANCHOR_OUTPUT, DATA_TYPES, Anchors, Model, TensorData

LARGEST = 2**63 - 1
SIZES = np.array([kind.size for kind in DATA_TYPES], np.int64)


def elements(shapes: Ragged) -> I64:
    """int64[rows]: the product of each shape (1 for no dimensions); -1 if a dimension is negative or the product is
    2^63 or more. Takes no memory in proportion to what a shape claims."""
    owner, dims = shapes.owner, shapes.items.astype(np.int64, copy=False)
    count = np.ones(len(shapes), np.int64)
    combine_at(np.multiply, count, owner, dims)  # wraps around; the logarithm detects that
    magnitude = np.zeros(len(shapes))
    combine_at(np.add, magnitude, owner, np.log2(np.maximum(dims, 1)))
    zero = np.zeros(len(shapes), np.bool_)
    zero[owner[dims == 0]] = True
    count[(magnitude > 62.99) & ~zero] = -1
    count[owner[dims < 0]] = -1
    return count


def element_sizes(data_types: I32) -> I64:
    """int64[rows]: bytes of one element, -1 for an unknown data type."""
    known = (data_types >= 0) & (data_types < len(SIZES))
    return np.where(known, SIZES[np.where(known, data_types, 0)], -1)


def tensor_bytes(shapes: Ragged, data_types: I32) -> I64:
    """int64[rows]: product of the shape x bytes of an element (PopEF user guide, 2.4); -1 if it is unknown or 2^63 or
    more."""
    return _times(elements(shapes), element_sizes(data_types))


def expected_payload(data: TensorData) -> I64:
    """int64[rows]: bytes that the payload should have, for a feed those of all its tensors; -1 as above."""
    return _times(tensor_bytes(data.shape, data.data_type), data.count)


def _times(left: I64, right: I64) -> I64:
    """Products of non-negative numbers; -1 if either is -1 or the product is too large."""
    fits = (left >= 0) & (right >= 0) & (left <= LARGEST // np.maximum(right, 1))
    return np.where(fits, left * np.where(fits, right, 0), -1)


GROUPS = (
    tr("Inputs (user provided)"),
    tr("Inputs (PopEF provided)"),
    tr("Outputs (user provided)"),
    tr("Outputs (PopEF provided)"),
    tr("Direction unknown (user provided)"),
    tr("Direction unknown (PopEF provided)"),
)
"""As popef_dump groups them (PopEF user guide, 2.6)."""


def provided(model: Model) -> Bool:
    """bool[anchors]: whether a tensor or feed of the opened files has the anchor's name. The guide's listing counts
    outputs in the same way."""
    return among(model.anchors.name, model.tensors.name)


def groups(model: Model) -> I32:
    """int32[anchors]: index into GROUPS."""
    type_ = model.anchors.type
    direction = np.select([type_ == ANCHOR_INPUT, type_ == ANCHOR_OUTPUT], [0, 1], 2)
    return (2 * direction + provided(model)).astype(np.int32)


class Added(NamedTuple):
    """Outer dimensions that a runtime adds to a tensor's own; 1 if it adds none."""

    replicas: int
    repeats: int

    @property
    def dims(self) -> tuple[int, ...]:
        """The added dimensions in their order: replicas before repeats."""
        return tuple(size for size in self if size > 1)


def added(anchors: Anchors, replication: I64, anchor: int) -> Added:
    """The dimensions that the flags of ``anchor`` require (PopEF user guide, 2.3.3): the replication factor if replicas
    hold different data, and the repeats if it is in a remote buffer. ``replication``: int64[metadata]."""
    replicas = int(replication[int(anchors.metadata[anchor])]) if anchors.per_replica[anchor] else 1
    repeats = int(anchors.repeats[anchor]) if anchors.remote_buffer[anchor] else 1
    return Added(max(replicas, 1), max(repeats, 1))


def own_shape(anchors: Anchors, replication: I64, anchor: int) -> tuple[int, ...] | None:
    """The tensor's shape without the added dimensions; None if the file's shape does not begin with them."""
    shape = tuple(anchors.shape.row(anchor).tolist())
    outer = added(anchors, replication, anchor).dims
    return shape[len(outer) :] if shape[: len(outer)] == outer else None


class Dim(NamedTuple):
    """A dimension as stored, and its role: "" for one of the tensor's own."""

    size: int
    role: str


def dims(anchors: Anchors, replication: I64, anchor: int, *, batch: bool = False) -> list[Dim]:
    """The first MOST_DIMS dimensions of an anchor; ``batch``: name the outermost of its own as well."""
    outer = added(anchors, replication, anchor)
    roles = [word for size, word in zip(outer, (tr("replicas"), tr("repeats")), strict=True) if size > 1]
    if own_shape(anchors, replication, anchor) is None:
        roles = []
    elif batch:
        roles.append(tr("micro-batch"))
    sizes = anchors.shape.row(anchor)[:MOST_DIMS].tolist()
    return [Dim(size, roles[place] if place < len(roles) else "") for place, size in enumerate(sizes)]


def explained(anchors: Anchors, replication: I64, anchor: int) -> str:
    """How the shape is composed, as ``2 replicas × 3 repeats × [8, 3, 1]``; "" if nothing was added."""
    outer = added(anchors, replication, anchor)
    if not outer.dims:
        return ""
    names = [
        plural("{count:,} replica", "{count:,} replicas", count=outer.replicas),
        plural("{count:,} repeat", "{count:,} repeats", count=outer.repeats),
    ]
    names = [name for size, name in zip(outer, names, strict=True) if size > 1]
    own = own_shape(anchors, replication, anchor)
    if own is None:
        return tr("does not start with {names}, which its flags require", names=" × ".join(names))
    return joined(" × ", [*names, shape_text(own)])


MOST_DIMS = 32


def shape_text(shape: tuple[int, ...]) -> str:
    """``[8, 3, 1]``; a very long one is truncated."""
    shown = ", ".join(str(size) for size in shape[:MOST_DIMS])
    return (
        f"[{shown}]"
        if len(shape) <= MOST_DIMS
        else tr("[{shown}, … {count:,} dimensions]", shown=shown, count=len(shape))
    )


class InputElements(Struct, frozen=True):
    """Elements per call: ``iterations`` x ``replicas`` x ``batch``, and for training x ``accumulation``. ``batch`` is
    the micro-batch size, the outermost dimension of the shape without the added ones; None if there is none.
    ``iterations``: device iterations, 0 if the file does not say."""

    iterations: int
    replicas: int
    batch: int | None
    accumulation: int
    is_inference: bool

    @property
    def inference(self) -> int | None:
        """Elements in one call of inference; None if a factor is unknown."""
        if self.batch is None or self.iterations < 1:
            return None
        return self.iterations * self.replicas * self.batch

    @property
    def training(self) -> int | None:
        """Elements in one call of training; gradient accumulation is not in the file."""
        return None if self.inference is None else self.inference * self.accumulation

    @property
    def of_model(self) -> int | None:
        """Elements in one call for the kind of run that the metadata state."""
        return self.inference if self.is_inference else self.training


def input_elements(model: Model, anchor: int, accumulation: int = 1) -> InputElements | None:
    """The elements of an input anchor that each call reads; None for other anchors."""
    if model.anchors.type[anchor] != ANCHOR_INPUT or loaded_once(model, anchor):
        return None
    return _elements(model, anchor, accumulation)


def _elements(model: Model, anchor: int, accumulation: int = 1) -> InputElements:
    row = int(model.anchors.metadata[anchor])
    own = own_shape(model.anchors, model.metadata.replication_factor, anchor)
    return InputElements(
        int(model.metadata.device_iterations[row]),
        max(int(model.metadata.replication_factor[row]), 1),
        own[0] if own and own[0] >= 0 else None,
        accumulation,
        bool(model.metadata.inference[row]),
    )


def loaded_once(model: Model, anchor: int) -> bool:
    """Whether only load programs use the anchor, and none that a call runs, as is the case for parameters."""
    row = int(model.anchors.metadata[anchor])
    used = model.anchors.programs.row(anchor)
    load, main = model.metadata.load.row(row), model.metadata.main.row(row)
    return bool(among(used, load).any() and not among(used, main).any())


def all_loaded_once(model: Model) -> Bool:
    """bool[anchors]: ``loaded_once`` of each, computed together."""
    used, load, main = model.anchors.programs, model.metadata.load, model.metadata.main
    programs = np.concatenate((used.items, load.items, main.items))
    distinct, number = np.unique(programs, return_inverse=True)
    rows = np.concatenate((model.anchors.metadata[used.owner], load.owner, main.owner)).astype(np.int64)
    key = rows * len(distinct) + number.reshape(-1)
    own, of_load, of_main = np.split(key, (len(used.items), len(used.items) + len(load.items)))
    anchors = len(model.anchors)
    loads = np.bincount(used.owner, among(own, of_load), anchors) > 0
    runs = np.bincount(used.owner, among(own, of_main), anchors) > 0
    once: Bool = loads & ~runs
    return once


def elements_per_call(model: Model) -> I64:
    """int64[anchors]: elements for the kind of run that the metadata state, with a gradient accumulation of 1; -1 if
    that does not apply or is unknown."""
    counts = np.full(len(model.anchors), -1, np.int64)
    for anchor in np.flatnonzero((model.anchors.type == ANCHOR_INPUT) & ~all_loaded_once(model)).tolist():
        count = _elements(model, anchor).of_model
        if count is not None and count <= LARGEST:
            counts[anchor] = count
    return counts


class Consumed(Struct, frozen=True):
    """A feed of ``held`` input elements, of which a call takes ``taken``."""

    anchor: int
    held: int
    taken: int

    @property
    def runs(self) -> int:
        """Calls until all are used up; the last may be incomplete."""
        return -(-self.held // self.taken)

    @property
    def in_last(self) -> int:
        """Elements left for the last call."""
        return self.held - (self.runs - 1) * self.taken if self.held else 0


def consumed(model: Model, tensor: int, anchor: int, accumulation: int = 1) -> Consumed | None:
    """How many calls feed ``tensor`` lasts for through input ``anchor``; None if a factor is unknown or the shapes do
    not match. A tensor of the feed may be one element or a whole micro-batch: its elements are counted against those of
    the anchor's own shape."""
    inputs = input_elements(model, anchor, accumulation)
    own = own_shape(model.anchors, model.metadata.replication_factor, anchor)
    if inputs is None or inputs.of_model is None or not own or not inputs.batch:
        return None
    numbers = int(elements(model.tensors.shape)[tensor])
    if numbers < 0 or int(elements(model.anchors.shape)[anchor]) < 0:
        return None
    one = math.prod(own[1:])
    if one < 1 or inputs.of_model < 1 or numbers % one:
        return None
    return Consumed(anchor, numbers // one * int(model.tensors.count[tensor]), inputs.of_model)
