"""The reasons for which warps stalled."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import F64
from app.profile.strings import Strings


class StallReasons(Struct, frozen=True, eq=False):
    """Block type 0x0F (Ascend operator files, section 2.13): ``count``, float64 samples of each reason, NaN for no
    data."""

    SECTION: ClassVar[str] = "stall_reasons"
    reasons: Strings
    count: F64
