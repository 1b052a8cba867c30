"""A cache of sums per tile, so that toggling the selection does not recompute them."""

from __future__ import annotations

from app.analysis.poplar.exchanges import Transfers, transfers
from app.profile.arrays import I64
from app.profile.profile import Profile, Section
from app.profile.selection import TimeRange

MOST_CACHED = 8
"""Number of cached sums; one of a large graph takes a few megabytes."""


class Sums:
    """Caches the last few sums of one profile."""

    def __init__(self) -> None:
        self._of: tuple[Section | None, ...] = ()
        self._cached: dict[tuple[bytes, bool, TimeRange | None], Transfers | None] = {}

    def of(self, profile: Profile, chosen: I64, *, all_runs: bool, stretch: TimeRange | None) -> Transfers | None:
        """The result of ``transfers``, cached."""
        made_of = (profile.exchanges, profile.measured_cycles, profile.steps, profile.timeline)
        if len(made_of) != len(self._of) or any(new is not old for new, old in zip(made_of, self._of, strict=True)):
            self._of = made_of
            self._cached.clear()
        key = (chosen.tobytes(), all_runs, stretch if all_runs else None)
        if key not in self._cached:
            while len(self._cached) >= MOST_CACHED:
                self._cached.pop(next(iter(self._cached)))
            self._cached[key] = transfers(profile, chosen, all_runs=all_runs, stretch=stretch)
        return self._cached[key]
