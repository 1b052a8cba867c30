"""Texts about blocks and memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import plural, tr
from app.profile.ascend_report import Onchip
from app.views.differences import ONLY_COMPARISON, both_sides, compared_with
from app.views.look import Look
from app.views.onchip.bands import Band
from app.views.units import size

if TYPE_CHECKING:
    from app.views.onchip.compared import OnchipBaseline


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
