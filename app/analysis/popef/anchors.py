"""Anchors: who provides their data, and what their dimensions mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.language import joined, plural, tr
from app.profile.arrays import I32, I64, Bool
from app.profile.popef import ANCHOR_INPUT, ANCHOR_OUTPUT, Anchors, Model

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
    return np.isin(model.anchors.name, model.tensors.name)


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
