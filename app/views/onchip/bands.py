"""Memories as bands on top of each other, with their blocks as boxes."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.onchip import ends, peak_steps, peaks, scope_names
from app.language import tr
from app.profile.arrays import F64, I64
from app.profile.ascend_report import Onchip

GAP = 0.22
"""Distance between two bands as a share of a band's height: room for the name of the one below."""


class Band(Struct, frozen=True):
    """One memory: ``low``: its start on the axis (its height is 1); ``size``: its capacity in bytes; ``peak``: the most
    bytes in use, at step ``peak_step`` (-1: never any)."""

    scope: int
    name: str
    low: float
    size: int
    blocks: int
    peak: int
    peak_step: int
    status: str
    error: str


class Boxes(Struct, frozen=True, eq=False):
    """Blocks that have an address, of the shown memories: ``block`` (int64 index), and float64 edges: ``left`` ..
    ``right`` in steps, ``low`` .. ``high`` on the address axis. ``lost``: number of blocks without an address."""

    bands: tuple[Band, ...]
    block: I64
    left: F64
    right: F64
    low: F64
    high: F64
    steps: float
    height: float
    lost: int

    def near(self, left: float, right: float, low: float, high: float) -> I64:
        """Indices of the boxes that touch a rectangle on both axes."""
        touches = (self.right >= left) & (self.left <= right) & (self.high >= low) & (self.low <= high)
        places: I64 = np.flatnonzero(touches).astype(np.int64)
        return places


def boxes_of(plan: Onchip, scope: int | None = None) -> Boxes:
    """The boxes of one memory, or of all."""
    blocks, names = plan.blocks, scope_names(plan)
    wanted = list(range(len(names))) if scope is None else [scope]
    sizes, most, when = ends(plan), peaks(plan), peak_steps(plan)
    counts = np.bincount(blocks.scope, minlength=len(names))
    bands = tuple(
        Band(
            scope=number,
            name=names[number] or tr("memory {number}", number=number),
            low=place * (1 + GAP),
            size=max(int(sizes[number]), 1),
            blocks=int(counts[number]),
            peak=int(most[number]),
            peak_step=int(when[number]),
            status=plan.strings.get(int(plan.scopes.status[number])),
            error=plan.strings.get(int(plan.scopes.error[number])),
        )
        for place, number in enumerate(reversed(wanted))
    )
    low, size = np.zeros(len(names)), np.ones(len(names))
    shown = np.zeros(len(names), np.bool_)
    for band in bands:
        low[band.scope], size[band.scope], shown[band.scope] = band.low, float(band.size), True
    inside = shown[blocks.scope]
    places = np.flatnonzero(inside & (blocks.address >= 0)).astype(np.int64)
    own = blocks.scope[places]
    bottom = low[own] + blocks.address[places] / size[own]
    return Boxes(
        bands=bands,
        block=places,
        left=blocks.start[places].astype(np.float64),
        right=blocks.end[places].astype(np.float64) + 1,
        low=bottom,
        high=bottom + blocks.size[places] / size[own],
        steps=float(blocks.end.max(initial=0)) + 1,
        height=len(bands) + GAP * len(bands),
        lost=int(inside.sum()) - len(places),
    )
