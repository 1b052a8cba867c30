"""Figures per tile besides memory, computed on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.exchanges import transfers, width
from app.analysis.poplar.numbers import counted, sync_delays
from app.analysis.poplar.vertices import has_estimates, run_weights, thread_use, weighted_sum
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import Array, Integers
from app.profile.profile import Profile


class TileFigure(Struct, frozen=True):
    """``offered`` is cheap; ``make`` returns [tiles] (NaN: no data), or None. ``adds_up``: whether the sum over tiles
    is meaningful. ``says`` and ``label`` add details of this file, as a sentence and as a few words."""

    id: str
    title: str
    unit: Unit
    help: str
    offered: Callable[[Profile], bool]
    make: Callable[[Profile], Array | None]
    adds_up: bool = True
    says: Callable[[Profile], str] = lambda _: ""
    label: Callable[[Profile], str] = lambda _: ""

    def about(self, profile: Profile) -> str:
        """Description of the figure for this profile: ``help``, and the details of this file."""
        return f"{self.help} {self.says(profile)}".strip()


def available(profile: Profile) -> list[TileFigure]:
    """The figures that this profile has data for."""
    return [figure for figure in FIGURES if figure.offered(profile)]


def sync_delay(profile: Profile) -> Integers | None:
    """int64[tiles of the target]: smallest delay + the tile's own, the same on every IPU."""
    target = profile.target
    delays = sync_delays(target) if target is not None else None
    if target is None or delays is None or not len(delays) or len(delays) != target.tiles_per_ipu:
        return None
    ipus = target.ipus if target.ipus and 0 < target.ipus * len(delays) <= MOST_TILES else 1
    return np.tile(delays, ipus)


MOST_TILES: Final = 1 << 20
"""More tiles than any machine has; a file that claims more gets the delays of one IPU."""


def _has_sync(profile: Profile) -> bool:
    target = profile.target
    return target is not None and target.relative_sync_delay is not None and target.min_sync_delay is not None


def _compute(profile: Profile) -> Integers | None:
    """Cycles of all compute sets, each times its executions: measured if the file has them, else estimated."""
    matrix = _compute_matrix(profile)
    if matrix is None:
        return None
    return weighted_sum(run_weights(profile, len(matrix), all_runs=profile.measured_cycles is None), matrix)


def _compute_matrix(profile: Profile) -> Integers | None:
    measured, sets = profile.measured_cycles, profile.compute_sets
    if measured is not None and measured.compute_sets is not None:
        return measured.compute_sets
    return sets.cycles if sets is not None else None


def _measured_words(profile: Profile) -> str:
    counting = counted(profile, "compute_sets")
    return "" if counting is None else counting.words


def _measured_label(profile: Profile) -> str:
    counting = counted(profile, "compute_sets")
    return tr("estimate, all runs") if counting is None else tr("measured, {part}", part=counting.label)


def _threads(profile: Profile) -> Array | None:
    use = thread_use(profile)
    return None if use is None else use.share


def _moved(profile: Profile) -> Array | None:
    every = np.arange(len(profile.exchanges or ()), dtype=np.int64)
    moved = transfers(profile, every, all_runs=False)
    parts = [] if moved is None else [part for part in (moved.sent, moved.received) if part is not None]
    return np.sum(parts, axis=0) if parts else None


FIGURES: Final[tuple[TileFigure, ...]] = (
    TileFigure(
        "sync-delay",
        tr("Sync delay"),
        "cycles",
        tr(
            "Cycles from a tile's sync request to its release: minimum delay + the tile's own delay, the same on "
            "every IPU."
        ),
        _has_sync,
        sync_delay,
        adds_up=False,
    ),
    TileFigure(
        "compute-cycles",
        tr("Compute cycles"),
        "cycles",
        tr("Cycles of all compute sets: measured, else the estimates multiplied by the runs."),
        lambda profile: _compute_matrix(profile) is not None,
        _compute,
        says=_measured_words,
        label=_measured_label,
    ),
    TileFigure(
        "thread-use",
        tr("Thread use"),
        "%",
        tr("Estimated active cycles / cycles of all compute sets."),
        has_estimates,
        _threads,
        adds_up=False,
    ),
    TileFigure(
        "exchange-bytes",
        tr("Exchange bytes"),
        "B",
        tr("Bytes sent and received in all exchanges, each counted once."),
        lambda profile: width(profile) is not None,
        _moved,
    ),
)
