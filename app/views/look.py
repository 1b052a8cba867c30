"""Theme, units and access: what every view follows."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from app.views.theme import LIGHT, Theme


class Look(Struct, frozen=True):
    """Theme, units and access. ``bytes_as``: KiB (1,024), kB (1,000) or plain bytes; ``cycles_as``: cycles, or time
    where the clock is known; ``text_size``: of texts in percent of the system's; ``still``: nothing may move by
    itself."""

    theme: Theme = LIGHT
    bytes_as: Literal["KiB", "kB", "B"] = "KiB"
    cycles_as: Literal["cycles", "time"] = "cycles"
    text_size: int = 100
    still: bool = False
