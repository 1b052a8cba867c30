"""The profiled Ascend operator, its chip and its blocks."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.typed import TypedColumn


class Operator(Struct, frozen=True, eq=False):
    """Block type 0x05 (Ascend operator files, section 2.7). Fields that the file does not give are None or "".

    ``type`` is vector, cube, mix or AiCore (older names are normalised: aic is cube, aiv is vector), ``stored_type``
    the name in the file. ``duration_us`` is in microseconds, frequencies are in MHz. ``blocks`` is the block table, one
    row per block, each column one value wide, with the titles of the file.
    """

    SECTION: ClassVar[str] = "operator"
    name: str
    type: str
    stored_type: str
    soc: str
    block_dim: int | None = None
    mix_block_dim: int | None = None
    device_id: str = ""
    pid: str = ""
    duration_us: float | None = None
    frequency_mhz: float | None = None
    rated_frequency_mhz: float | None = None
    advice: tuple[str, ...] = ()
    blocks: tuple[TypedColumn, ...] = ()
