"""How many input elements a call takes, and for how many calls a feed lasts (PopEF user guide, 2.3.3 and 2.6)."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from app.analysis.popef.anchors import own_shape
from app.analysis.popef.sizes import LARGEST, elements
from app.profile.arrays import I64, Bool
from app.profile.popef import ANCHOR_INPUT, Model


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
    return bool(np.isin(used, load).any() and not np.isin(used, main).any())


def all_loaded_once(model: Model) -> Bool:
    """bool[anchors]: ``loaded_once`` of each, computed together."""
    used, load, main = model.anchors.programs, model.metadata.load, model.metadata.main
    programs = np.concatenate((used.items, load.items, main.items))
    distinct, number = np.unique(programs, return_inverse=True)
    rows = np.concatenate((model.anchors.metadata[used.owner], load.owner, main.owner)).astype(np.int64)
    key = rows * len(distinct) + number.reshape(-1)
    own, of_load, of_main = np.split(key, (len(used.items), len(used.items) + len(load.items)))
    anchors = len(model.anchors)
    loads = np.bincount(used.owner, np.isin(own, of_load), anchors) > 0
    runs = np.bincount(used.owner, np.isin(own, of_main), anchors) > 0
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
