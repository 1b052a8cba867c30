"""The activity of the computing units of each block."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import F64, I32, Bool
from app.profile.strings import Strings

PERCENT_UNIT = 3
"""The code of percentages among the units (Ascend operator files, section 2.8)."""


class Workload(Struct, frozen=True, eq=False):
    """Block types 0x06 and 0x07 (Ascend operator files, section 2.8), one row per item, in file order.

    ``block``, ``sub_block``, ``name``, ``item_advice``: int32 ids into ``strings``, -1 none (block "NA" is the mean of
    several cores); ``unit``: int32 code as stored, -1 none; ``value``: float64 as stored, except for shares of cycles
    (``is_share``), which are always converted to percentages; NaN for no data; ``cycles``: float64, the item's own
    cycles ("origin_value"), NaN none; ``in_graph``: bool, from 0x06, whose values are shares of the sub-block's cycles.
    """

    SECTION: ClassVar[str] = "workload"
    strings: Strings
    block: I32
    sub_block: I32
    name: I32
    unit: I32
    value: F64
    cycles: F64
    item_advice: I32
    in_graph: Bool
    graph_advice: tuple[str, ...] = ()
    table_advice: tuple[str, ...] = ()

    @property
    def is_share(self) -> Bool:
        """bool[rows]: which values are shares of cycles: those of the graph, and any in percent."""
        shares: Bool = self.in_graph | (self.unit == PERCENT_UNIT)
        return shares
