"""On-chip memory plans as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.onchip import ends, peaks
from app.analysis.table import Coded, Column, Table
from app.profile.profile import Profile


def blocks(profile: Profile) -> Table | None:
    """One row a block."""
    plan = profile.onchip
    if plan is None or not len(plan.blocks):
        return None
    found, texts = plan.blocks, plan.strings
    unknown = found.address < 0
    columns = (
        Column("scope", "Memory", Coded(plan.scopes.name[found.scope], texts)),
        Column("buffer", "Buffer", Coded(found.buffer, texts)),
        Column("part", "Part", found.part, help="Which offset of its buffer: several are double buffering."),
        Column("address", "Address", found.address, missing=unknown, hexadecimal=True),
        Column("size", "Size", found.size, "B", "Extent in bits / 8."),
        Column(
            "start", "First step", found.start, help="life_time_in_ir: steps of the intermediate code.", role="place"
        ),
        Column("end", "Last step", found.end, help="Included.", role="place"),
        Column("allocated", "Allocated", found.allocated, missing=found.allocated < 0, help="alloc_time_in_ir."),
        Column("temporary", "Temporary", found.temporary),
        Column("source", "Source", Coded(found.source, texts)),
    )
    return Table("onchip-blocks", "On-chip blocks", columns, "onchip_block")


def scopes(profile: Profile) -> Table | None:
    """One row a memory."""
    plan = profile.onchip
    if plan is None or not len(plan.scopes.name):
        return None
    texts, count = plan.strings, len(plan.scopes.name)
    columns = (
        Column("scope", "Memory", Coded(plan.scopes.name, texts)),
        Column("blocks", "Blocks", np.bincount(plan.blocks.scope, minlength=count)),
        Column("peak", "Peak", peaks(plan), "B", "The most bytes that lie in it at one step.", adds_up=False),
        Column("end", "Highest address", ends(plan), "B", "Greatest address plus size of a block.", role="place"),
        Column("status", "Status", Coded(plan.scopes.status, texts)),
        Column("error", "Error", Coded(plan.scopes.error, texts)),
    )
    return Table("onchip-memories", "On-chip memories", columns)
