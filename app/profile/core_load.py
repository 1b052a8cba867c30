"""Load balance of the cores."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import F64, I32
from app.profile.strings import Strings


class CoreLoad(Struct, frozen=True, eq=False):
    """Block type 0x0C (Ascend operator files, section 2.11), one row per sub-core, in file order.

    ``core``: int32 number, -1 unknown; ``type``, ``sub_core``: int32 ids into ``strings``, -1 none; float64 with NaN
    for no data: ``cycles``, ``throughput`` (bytes moved to and from main memory), ``hit_rate`` (L2, percent),
    ``simt_instructions``, ``simt_ipc`` (instructions per cycle).
    """

    SECTION: ClassVar[str] = "core_load"
    soc: str
    operator_type: str
    advice: str
    strings: Strings
    core: I32
    type: I32
    sub_core: I32
    cycles: F64
    throughput: F64
    hit_rate: F64
    simt_instructions: F64
    simt_ipc: F64
