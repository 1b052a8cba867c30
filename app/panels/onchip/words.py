"""What is said of blocks and memories. No Qt."""

from __future__ import annotations

from app.panels.onchip.bands import Band
from app.profile.onchip import Onchip
from app.widgets.display import Look
from app.widgets.units import size


def about(plan: Onchip, block: int, look: Look) -> str:
    """The tool tip of a block."""
    found, texts = plan.blocks, plan.strings
    length, start = int(found.size[block]), int(found.address[block])
    parts = f", part {int(found.part[block])}" if _parts(plan, block) > 1 else ""
    lines = [
        f"{name_of(plan, block)}{parts}{' (temporary)' if found.temporary[block] else ''}",
        f"Size: {size(length, look.bytes_as)} ({length:,} B) = extent in bits / 8",
        f"Address: {start:#x} to {start + length:#x} ({start:,} to {start + length:,})",
        f"Lives from step {int(found.start[block]):,} to step {int(found.end[block]):,} of the intermediate code, both "
        f"included ({int(found.end[block]) - int(found.start[block]) + 1:,} steps)",
    ]
    if found.allocated[block] >= 0:
        lines.append(f"Allocated at step {int(found.allocated[block]):,}")
    source = texts.get(int(found.source[block]))
    return "\n".join([*lines, f"Source: {source}"] if source else lines)


def name_of(plan: Onchip, block: int) -> str:
    return plan.strings.get(int(plan.blocks.buffer[block])) or f"block {block}"


def heading(band: Band, look: Look) -> str:
    """Over a band: what the memory is and how full it gets."""
    count = f"{band.blocks:,} block{'' if band.blocks == 1 else 's'}"
    parts = [band.name, count]
    if band.peak_step >= 0:
        parts.append(f"at most {size(band.peak, look.bytes_as)} at step {band.peak_step:,}")
        parts.append(f"up to address {band.size:#x}")
    if band.error:
        parts.append(f"the compiler says: {band.error}")
    elif band.status and band.status.lower() not in ("success", "ok"):
        parts.append(f"status {band.status}")
    return " · ".join(parts)


def _parts(plan: Onchip, block: int) -> int:
    """How many parts the buffer of a block has."""
    found = plan.blocks
    same = (found.buffer == found.buffer[block]) & (found.scope == found.scope[block])
    return int(found.part[same].max(initial=0)) + 1
