"""The hardware that a profile was made on."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import Integers


class Target(Struct, frozen=True, eq=False, kw_only=True):
    """The hardware as described in the file; None for what it does not state.

    Poplar (profiling data format, 7.1.1): ``kind`` is CPU, IPU or IPU_MODEL; ``tiles`` is the total over all IPUs;
    bytes are per tile, per IPU and in total; ``min_sync_delay`` and ``relative_sync_delay`` (integers [tiles_per_ipu],
    the same on every IPU) are cycles and add up to the sync delay of a tile. ``first_tile``: of an IPU or replica as a
    part of a profile, the number that its tile 0 has in the whole.

    Ascend (operator files, base information): ``kind`` is Ascend; ``soc`` its name, ``block_dim`` the number of
    launched blocks, ``device`` the number of the card, ``clock_hz`` the clock during the run.
    """

    SECTION: ClassVar[str] = "target"
    kind: str
    clock_hz: float | None = None

    ipus: int | None = None
    tiles: int | None = None
    tiles_per_ipu: int | None = None
    bytes_per_tile: int | None = None
    bytes_per_ipu: int | None = None
    total_bytes: int | None = None
    min_sync_delay: int | None = None
    relative_sync_delay: Integers | None = None
    first_tile: int = 0

    soc: str | None = None
    block_dim: int | None = None
    mix_block_dim: int | None = None
    device: int | None = None

    def seconds(self, cycles: float) -> float | None:
        """``cycles`` in seconds, or None without a clock."""
        return cycles / self.clock_hz if self.clock_hz else None
