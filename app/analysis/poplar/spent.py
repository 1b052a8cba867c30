"""What all tiles together spent the cycles of a run, or of a range of it, on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.inside import inside
from app.analysis.poplar.runs import tiles_of_run
from app.language import tr
from app.profile.arrays import distinct
from app.profile.poplar import TILE_CYCLE_KINDS
from app.profile.profile import Profile
from app.profile.selection import TimeRange

OF_STEP: Final[dict[str, str]] = {
    "OnTileExecute": "compute",
    "DoExchange": "doExchange",
    "GlobalExchange": "globalExchange",
    "StreamCopy": "streamCopy",
    "CopySharedStructure": "copySharedStructure",
}
"""The kind of cycles of each step type; cycles outside of steps are waiting, which counts as sync."""
TYPES: Final = {kind: step for step, kind in OF_STEP.items()}
SWITCHES: Final[dict[str, str]] = {
    "compute": "debug.instrumentCompute",
    "activeCompute": "debug.instrumentCompute",
    "globalExchange": "debug.instrumentExternalExchange",
    "streamCopy": "debug.instrumentHostExchange",
}
"""The engine option required to measure each kind."""
FORMULA: Final = tr("Sum of tile balance x cycles x tiles over the steps. The rest is sync and waiting.")


class Spent(Struct, frozen=True):
    """Cycles of all tiles by kind, only known kinds. ``stated``: by the file, for the whole run; ``of_steps``: from the
    balances of the steps in the range, with sync as the remainder of ``whole``. ``whole``: cycles of the range (or the
    run) x ``tiles``, None if either is unknown. ``unknown``: steps with cycles, but without a balance."""

    stated: dict[str, int]
    of_steps: dict[str, float]
    tiles: int | None
    whole: float | None
    unknown: int

    @property
    def left(self) -> float | None:
        """``whole`` minus the sum of the file's kinds (negative if they exceed it); None if unknown."""
        if self.whole is None or any(kind not in self.stated for kind in TILE_CYCLE_KINDS):
            return None
        return self.whole - sum(self.stated[kind] for kind in TILE_CYCLE_KINDS)


def has_spent(profile: Profile) -> bool:
    """Whether ``spent`` has a result; cheap."""
    run, steps = profile.execution, profile.steps
    if run is not None and run.tile_cycles:
        return True
    return (
        steps is not None
        and bool(tiles_of_run(profile))
        and bool(np.any((steps.cycles >= 0) & (steps.tile_balance >= 0)))
    )


def not_measured(stated: Mapping[str, object]) -> dict[str, str]:
    """The engine option for each kind that ``stated`` lacks and that an option would have measured."""
    return {kind: option for kind, option in SWITCHES.items() if kind not in stated and kind != "activeCompute"}


def spent(profile: Profile, stretch: TimeRange | None = None) -> Spent | None:
    """The cycles by kind; None if the profile has no data for it."""
    run, steps, tiles = profile.execution, profile.steps, tiles_of_run(profile)
    stated = dict(run.tile_cycles) if run is not None and stretch is None else {}
    cycles = stretch.end - stretch.start if stretch is not None else None if run is None else run.cycles
    whole = None if cycles is None or not tiles else float(cycles * tiles)
    of_steps, unknown = _of_steps(profile, tiles, stretch) if steps is not None and tiles else ({}, 0)
    if whole is not None and of_steps and not unknown:
        of_steps["sync"] = whole - sum(of_steps.values())
    return Spent(stated, of_steps, tiles, whole, unknown) if stated or of_steps else None


def _of_steps(profile: Profile, tiles: int, stretch: TimeRange | None) -> tuple[dict[str, float], int]:
    """(cycles of all tiles by kind, number of steps with cycles but no balance). The balance of a step is the sum over
    its tiles / (the longest x all tiles) (Semantics, section 1)."""
    steps = profile.steps
    if steps is None:
        return {}, 0
    part = inside(profile, stretch)
    own, balance = steps.cycles[part.steps], steps.tile_balance[part.steps]
    idle = own == 0
    known = (own >= 0) & (~np.isnan(balance) | idle)
    amounts = np.where(known & ~idle, own * np.nan_to_num(balance) * tiles * part.share, 0.0)
    sums: dict[str, float] = {}
    for type_id in distinct(steps.type[part.steps]).tolist():
        kind = OF_STEP.get(steps.strings.get(type_id))
        mine = steps.type[part.steps] == type_id
        if kind is not None and bool(np.any(known & mine)):
            sums[kind] = float(amounts[mine].sum())
    return sums, int(np.sum((own > 0) & ~known))
