"""Every kind of things that can be selected: the one list. Names, tables, search, links and details all follow it."""

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
"""In the order in which they are searched and listed: kinds with few things come first."""
