"""The pages of the steps panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import numpy as np

from app.analysis.poplar.runs import has_spent
from app.analysis.poplar.tile_time import offered
from app.analysis.table import Table
from app.analysis.tables import poplar_steps
from app.language import tr
from app.panels.steps.flame import has_flame
from app.profile.profile import Profile
from app.profile.selection import TimeRange

Page: TypeAlias = Literal["differences", "flame", "flat", "names", "sets", "types", "kinds", "tiles", "spent"]
TITLES: Final[dict[Page, str]] = {
    "differences": tr("Differences"),
    "flame": tr("Flame"),
    "flat": tr("Flat"),
    "names": tr("By name"),
    "sets": tr("By compute set"),
    "types": tr("By vertex type"),
    "kinds": tr("By kind"),
    "tiles": tr("Tiles over time"),
    "spent": tr("Cycles of all tiles"),
}
MAKERS: Final[dict[Page, Callable[[Profile, TimeRange | None], Table | None]]] = {
    "sets": poplar_steps.compute_sets,
    "types": poplar_steps.vertex_types,
    "kinds": poplar_steps.kinds,
}
"""Pages that consist of a table only."""


def pages_of(profile: Profile, *, compared: bool = False) -> list[Page]:
    """The pages that the profile has data for, in display order; ``compared``: it has a baseline."""
    if profile.steps is None or not len(profile.steps):
        return []
    pages: list[Page] = ["differences"] if compared else []
    pages += ["flame", "flat"] if has_flame(profile) else []
    pages.append("names")
    if bool(np.any(profile.steps.compute_set >= 0)):
        pages.append("sets")
        if profile.compute_sets is not None and profile.vertex_types is not None:
            pages.append("types")
    pages.append("kinds")
    if offered(profile):
        pages.append("tiles")
    return [*pages, "spent"] if has_spent(profile) else pages
