"""The registry of all kinds of selectable things. Names, tables, search and details are derived from it."""

from __future__ import annotations

from typing import Final

from app.analysis.kinds import ascend, poplar
from app.analysis.kinds.spec import KindSpec
from app.profile.selection import Kind

KINDS: Final[dict[Kind, KindSpec]] = {spec.kind: spec for spec in (*poplar.KINDS, *ascend.KINDS)}
"""In the order in which they are searched and listed: kinds with few things first."""
