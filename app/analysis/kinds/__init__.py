"""The registry of all kinds of selectable things. Names, tables, search, links and details are derived from it."""

from __future__ import annotations

from typing import Final

from app.analysis.kinds import code, memory, popef, poplar, tensorflow, timeline
from app.analysis.kinds.spec import KindSpec
from app.profile.selection import Kind

KINDS: Final[dict[Kind, KindSpec]] = {
    spec.kind: spec
    for family in (poplar.KINDS, popef.KINDS, tensorflow.KINDS, memory.KINDS, timeline.KINDS, code.KINDS)
    for spec in family
}
"""In the order in which they are searched and listed: kinds with few things first."""
