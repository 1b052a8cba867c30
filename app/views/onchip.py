"""A memory plan as it is drawn: memories as bands, blocks as boxes, what a baseline had, and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import plural, tr
from app.profile.ascend_report import Onchip
from app.views.differences import ONLY_COMPARISON, both_sides, compared_with
from app.views.look import Look
from app.views.units import size

if TYPE_CHECKING:
    pass

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from app.analysis.onchip import peak_steps, peaks, scope_names
from app.profile.arrays import F64, I32, I64, Bool

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


from app.analysis.onchip import ends

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


class OnchipBaseline(Struct, frozen=True, eq=False):
    """``plan`` of the baseline. ``of_after``: int32[blocks after], the block before that each is matched with, -1 none;
    ``alone``: bool[blocks before], those without a partner; ``peaks``: by the name of a memory its peak and the step of
    it."""

    plan: Onchip
    of_after: I32
    alone: Bool
    peaks: dict[str, tuple[int, int]]


class Ghosts(Struct, frozen=True, eq=False):
    """Where blocks of the baseline lay that are gone, or lie elsewhere now: float64 edges, as in Boxes."""

    left: F64
    right: F64
    low: F64
    high: F64


def onchip_baseline(comparison: Comparison) -> OnchipBaseline | None:
    """None unless both profiles have a plan with blocks."""
    plan, compared = comparison.before.onchip, comparison.table("onchip-blocks")
    if plan is None or compared is None or compared.before is None or compared.after is None:
        return None
    most = zip(peaks(plan).tolist(), peak_steps(plan).tolist(), strict=True)
    matches = compared.matches
    return OnchipBaseline(
        plan, matches.of_after, np.asarray(matches.of_before < 0), dict(zip(scope_names(plan), most, strict=True))
    )


def ghosts_of(baseline: OnchipBaseline, plan: Onchip, boxes: Boxes) -> Ghosts:
    """Of the memories that are shown."""
    own, other = baseline.plan.blocks, plan.blocks
    moved = baseline.alone.copy()
    after = np.flatnonzero(baseline.of_after >= 0)
    before = baseline.of_after[after]
    for key in ("address", "size", "start", "end"):
        moved[before[getattr(own, key)[before] != getattr(other, key)[after]]] = True
    bands = {band.name: band for band in boxes.bands}
    shown = [bands.get(name) for name in scope_names(baseline.plan)]
    low = np.array([np.nan if band is None else band.low for band in shown])
    size = np.array([1.0 if band is None else float(band.size) for band in shown])
    places: I64 = np.flatnonzero(moved & (own.address >= 0) & ~np.isnan(low[own.scope])).astype(np.int64)
    scope = own.scope[places]
    bottom = low[scope] + own.address[places] / size[scope]
    return Ghosts(
        own.start[places].astype(np.float64),
        own.end[places].astype(np.float64) + 1,
        bottom,
        bottom + own.size[places] / size[scope],
    )


def about(plan: Onchip, block: int, look: Look, baseline: OnchipBaseline | None = None) -> str:
    """The tool tip of a block, with what it was in a baseline."""
    blocks, texts = plan.blocks, plan.strings
    length, start = int(blocks.size[block]), int(blocks.address[block])
    parts = tr(", part {part}", part=int(blocks.part[block])) if _parts(plan, block) > 1 else ""
    name = f"{name_of(plan, block)}{parts}"
    lines = [
        tr("{name} (temporary)", name=name) if blocks.temporary[block] else name,
        tr("Size: {length} ({bytes:,} B) = extent in bits / 8", length=size(length, look.bytes_as), bytes=length),
        tr(
            "Address: {start} to {end} ({first:,} to {last:,})",
            start=f"{start:#x}",
            end=f"{start + length:#x}",
            first=start,
            last=start + length,
        ),
        plural(
            "Lives from step {start:,} to step {end:,} of the intermediate code, both included ({count:,} step)",
            "Lives from step {start:,} to step {end:,} of the intermediate code, both included ({count:,} steps)",
            count=int(blocks.end[block]) - int(blocks.start[block]) + 1,
            start=int(blocks.start[block]),
            end=int(blocks.end[block]),
        ),
    ]
    if blocks.allocated[block] >= 0:
        lines.append(tr("Allocated at step {allocated:,}", allocated=int(blocks.allocated[block])))
    if baseline is not None:
        lines.append(_before(plan, block, look, baseline))
    source = texts.get(int(blocks.source[block]))
    return "\n".join([*lines, tr("Source: {source}", source=source)] if source else lines)


def _before(plan: Onchip, block: int, look: Look, baseline: OnchipBaseline) -> str:
    """What a block was in the baseline."""
    other, own = int(baseline.of_after[block]), baseline.plan.blocks
    if other < 0:
        return tr("Only in the comparison")
    sizes = both_sides(int(own.size[other]), int(plan.blocks.size[block]), "B", look)
    address, start, end = int(own.address[other]), int(own.start[other]), int(own.end[other])
    if address < 0:
        return tr("Size: {sizes}. Baseline: no address, steps {start:,} to {end:,}", sizes=sizes, start=start, end=end)
    return tr(
        "Size: {sizes}. Baseline: at {address}, steps {start:,} to {end:,}",
        sizes=sizes,
        address=f"{address:#x}",
        start=start,
        end=end,
    )


def name_of(plan: Onchip, block: int) -> str:
    return plan.strings.get(int(plan.blocks.buffer[block])) or tr("block {block}", block=block)


def heading(band: Band, look: Look, baseline: OnchipBaseline | None = None) -> str:
    """The heading of a band: its memory and its peak, and that of a baseline."""
    count = plural("{count:,} block", "{count:,} blocks", count=band.blocks)
    parts = [band.name, count]
    if band.peak_step >= 0:
        parts.append(
            tr("at most {peak} at step {peak_step:,}", peak=size(band.peak, look.bytes_as), peak_step=band.peak_step)
        )
        parts.append(tr("up to address {size}", size=f"{band.size:#x}"))
    if baseline is not None:
        parts.append(_peak_before(band, look, baseline))
    if band.error:
        parts.append(tr("compiler message: {error}", error=band.error))
    elif band.status and band.status.lower() not in ("success", "ok"):
        parts.append(tr("status {status}", status=band.status))
    return " · ".join(parts)


def _peak_before(band: Band, look: Look, baseline: OnchipBaseline) -> str:
    most, step = baseline.peaks.get(band.name, (0, -1))
    if step < 0:
        return ONLY_COMPARISON
    sides = compared_with(most, band.peak, "B", look)
    return tr("{sides} (its peak is at step {step:,})", sides=sides, step=step)


def _parts(plan: Onchip, block: int) -> int:
    """Number of parts of a block's buffer."""
    blocks = plan.blocks
    same = (blocks.buffer == blocks.buffer[block]) & (blocks.scope == blocks.scope[block])
    return int(blocks.part[same].max(initial=0)) + 1
