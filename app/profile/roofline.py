"""The performance of an operator relative to the roofs of its chip."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import F64, I32
from app.profile.strings import Strings


class Roofline(Struct, frozen=True, eq=False):
    """Block type 0x0D (Ascend operator files, section 2.12), one row per roof with its point.

    ``chart``: int32, index of the chart; ``titles``: one text per chart; ``bandwidth_name``, ``compute_name``: int32
    ids into ``strings``, -1 none; float64 with NaN for no data: ``bandwidth`` (TB/s), ``compute`` (TOps/s), the point's
    ``intensity`` (Ops/Byte) and ``performance`` (TOps/s), ``ratio`` (a fraction, as stored).
    """

    SECTION: ClassVar[str] = "roofline"
    advice: str
    strings: Strings
    titles: tuple[str, ...]
    chart: I32
    bandwidth_name: I32
    compute_name: I32
    bandwidth: F64
    compute: F64
    intensity: F64
    performance: F64
    ratio: F64
