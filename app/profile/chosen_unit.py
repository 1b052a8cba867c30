"""The unit of time that the user set for a file. Imports no numpy: the empty window needs it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

ChosenName: TypeAlias = Literal["ns", "µs", "cycles"]
LOWEST_HZ, HIGHEST_HZ = 1.0, 1e12


class ChosenUnit(Struct, frozen=True):
    """A unit that the user set for the times of a file. ``clock_hz``: the frequency of cycles, None not known."""

    unit: ChosenName
    clock_hz: float | None = None

    @property
    def valid(self) -> bool:
        return self.clock_hz is None or (self.unit == "cycles" and LOWEST_HZ <= self.clock_hz <= HIGHEST_HZ)
