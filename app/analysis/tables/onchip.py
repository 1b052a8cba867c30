"""On-chip memory plans as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.onchip import ends, peaks
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.profile import Profile


def blocks(profile: Profile) -> Table | None:
    """One row per block."""
    plan = profile.onchip
    if plan is None or not len(plan.blocks):
        return None
    own, texts = plan.blocks, plan.strings
    unknown = own.address < 0
    columns = (
        Column("scope", tr("Memory"), Coded(plan.scopes.name[own.scope], texts)),
        Column("buffer", tr("Buffer"), Coded(own.buffer, texts)),
        Column(
            "part",
            tr("Part"),
            own.part,
            help=tr("Number of the offset in its buffer; several offsets mean double buffering."),
            role="key",
        ),
        Column("address", tr("Address"), own.address, missing=unknown, hexadecimal=True),
        Column("size", tr("Size"), own.size, "B", tr("Extent in bits / 8.")),
        Column(
            "start",
            tr("First step"),
            own.start,
            help=tr("life_time_in_ir: steps of the intermediate code."),
            role="place",
        ),
        Column("end", tr("Last step"), own.end, help=tr("Inclusive."), role="place"),
        Column(
            "allocated",
            tr("Allocated"),
            own.allocated,
            missing=own.allocated < 0,
            help="alloc_time_in_ir.",
            role="place",
        ),
        Column("temporary", tr("Temporary"), own.temporary),
        Column("source", tr("Source"), Coded(own.source, texts)),
    )
    return Table("onchip-blocks", tr("On-chip blocks"), columns, "onchip_block")


def scopes(profile: Profile) -> Table | None:
    """One row per memory."""
    plan = profile.onchip
    if plan is None or not len(plan.scopes.name):
        return None
    texts, count = plan.strings, len(plan.scopes.name)
    columns = (
        Column("scope", tr("Memory"), Coded(plan.scopes.name, texts)),
        Column("blocks", tr("Blocks"), np.bincount(plan.blocks.scope, minlength=count)),
        Column("peak", tr("Peak"), peaks(plan), "B", tr("Most bytes in it at one step."), adds_up=False),
        Column(
            "end", tr("Highest address"), ends(plan), "B", tr("Largest address plus size of a block."), role="place"
        ),
        Column("status", tr("Status"), Coded(plan.scopes.status, texts)),
        Column("error", tr("Error"), Coded(plan.scopes.error, texts)),
    )
    return Table("onchip-memories", tr("On-chip memories"), columns)
