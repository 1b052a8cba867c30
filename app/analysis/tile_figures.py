"""Figures of all tiles, computed on demand: memory broken down, and others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.memory import BREAKDOWNS, Breakdown, Part, TileSeries, series
from app.analysis.poplar.exchanges import transfers, width
from app.analysis.poplar.numbers import counted, sync_delays
from app.analysis.poplar.vertices import has_estimates, run_weights, thread_use, weighted_sum
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64, Array, Integers
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


TITLES: Final[dict[str, str]] = {
    "none": tr("Total"),
    "region": tr("By region"),
    "category": tr("By category"),
    "category-shared": tr("By category, shared bytes"),
    "liveness": tr("Always live and temporary"),
    "overlap": tr("Overlapped or not"),
}
WHOLE: Final = "none"
"""Memory without a breakdown."""
SHARED: Final = "category-shared"
"""Bytes shared between variables that are never live together."""
WITH_GAPS: Final = ("region", "category")
"""Breakdowns whose title says whether gaps are included."""


class Choice(Struct, frozen=True):
    """An entry of the chooser: a breakdown of memory, or (``figure``) another figure per tile."""

    id: str
    title: str
    figure: TileFigure | None = None


class Content(Struct, frozen=True, eq=False):
    """Figures of all tiles: ``parts`` are stacked, ``total`` (float64[tiles], NaN: no data) is their sum. ``limit``:
    the capacity of a tile, None if there is none; ``adds_up``: whether sums over tiles are meaningful; ``per_ipu``:
    tiles per IPU, 0 if unknown."""

    id: str
    title: str
    unit: Unit
    parts: tuple[tuple[str, str, Array, str], ...]
    total: F64
    limit: int | None
    adds_up: bool
    per_ipu: int
    clock_hz: float | None
    note: str = ""
    fills: bool = False
    """Whether the sum is what must fit on the tile: all of its memory, gaps included."""
    gaps: bool = True
    title_by_ipu: str = ""
    """The title where the places are IPUs, not tiles."""

    @property
    def tiles(self) -> int:
        return len(self.total)


def choices(profile: Profile) -> list[Choice]:
    """The entries that this profile has data for, memory first."""
    memory = profile.tile_memory
    entries = [Choice(by, TITLES[by]) for by in BREAKDOWNS if memory is not None and series(profile, by) is not None]
    if any(choice.id == "category" for choice in entries) and series(profile, "category", overlapped=True) is not None:
        place = [choice.id for choice in entries].index("category") + 1
        entries.insert(place, Choice(SHARED, TITLES[SHARED]))
    return entries + [Choice(figure.id, figure.title, figure) for figure in available(profile)]


def content_of(profile: Profile, choice: Choice, *, gaps: bool = True) -> Content | None:
    """The figures of a choice; None if the file lacks the data."""
    if choice.figure is not None:
        return _figure(profile, choice.figure)
    by: Breakdown = "category" if choice.id == SHARED else choice.id  # type: ignore[assignment]
    memory = series(profile, by, gaps=gaps, overlapped=choice.id == SHARED)
    return None if memory is None else _memory(profile, choice.id, memory, gaps=gaps)


def _memory(profile: Profile, choice: str, breakdown: TileSeries, *, gaps: bool) -> Content:
    gap_text = tr("including gaps") if gaps else tr("without gaps")
    texts = {"none": gap_text} | {
        by: tr("{breakdown}, {gaps}", breakdown=TITLES[by].lower(), gaps=gap_text) for by in WITH_GAPS
    }
    what = texts.get(choice, TITLES[choice].lower())
    title, by_ipu = tr("Memory per tile, {choice}", choice=what), tr("Memory per IPU, {choice}", choice=what)
    parts = tuple((part.key, part.title, part.values, part.help) for part in breakdown.parts)
    total = breakdown.total.astype(np.float64)
    whole = None if profile.tile_memory is None else profile.tile_memory.total_with_gaps
    fills = whole is not None and bool(np.array_equal(breakdown.total, whole))
    place = _per_ipu(profile), _clock(profile)
    return Content(choice, title, "B", parts, total, breakdown.limit, True, *place, breakdown.note, fills, gaps, by_ipu)


def _figure(profile: Profile, figure: TileFigure) -> Content | None:
    values = figure.make(profile)
    if values is None:
        return None
    about, label = figure.about(profile), figure.label(profile)
    part = Part(figure.id, figure.title, values, about)
    label = f" ({label})" if label else ""
    return Content(
        figure.id,
        tr("{figure} per tile", figure=figure.title) + label,
        figure.unit,
        ((part.key, part.title, part.values, part.help),),
        values.astype(np.float64),
        None,
        figure.adds_up,
        _per_ipu(profile),
        _clock(profile),
        about,
        title_by_ipu=tr("{figure} per IPU", figure=figure.title) + label,
    )


def _per_ipu(profile: Profile) -> int:
    stated = profile.target.tiles_per_ipu if profile.target is not None else None
    return stated if stated and stated > 0 else 0


def _clock(profile: Profile) -> float | None:
    return profile.target.clock_hz if profile.target is not None else None


class Statistics(Struct, frozen=True):
    """Statistics over some tiles; ``ratio``: maximum / mean, NaN if the mean is 0."""

    total: float
    mean: float
    median: float
    least: float
    most: float
    ratio: float


NOTHING: Final = Statistics(*[math.nan] * 6)


def statistics(values: Array) -> Statistics:
    """Statistics of the known amounts; NaN if there are none."""
    known = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    if not len(known):
        return NOTHING
    mean, most = float(known.mean()), float(known.max())
    ratio = most / mean if mean else math.nan
    return Statistics(float(known.sum()), mean, float(np.median(known)), float(known.min()), most, ratio)


def ipus(content: Content) -> int:
    """The number of IPUs; 1 if unknown."""
    return max(-(-content.tiles // content.per_ipu), 1) if content.per_ipu else 1


def by_ipu(content: Content, values: Array) -> F64:
    """float64[IPUs]: sums over the tiles of each IPU, or means if sums are not meaningful; tiles without data are
    ignored."""
    owner = np.arange(len(values)) // (content.per_ipu or max(len(values), 1))
    known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), np.bool_)
    sums = np.bincount(owner[known], values[known].astype(np.float64), minlength=ipus(content))
    if content.adds_up:
        return sums.astype(np.float64)
    counts = np.bincount(owner[known], minlength=ipus(content))
    means = np.full(len(sums), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def largest_first(parts: Sequence[tuple[str, Array]], most: int, rest: str) -> list[tuple[str, Array]]:
    """The non-empty parts, largest first; those beyond ``most`` are merged under the name ``rest``."""
    filled = sorted((part for part in parts if part[1].any()), key=lambda part: -int(part[1].sum()))
    if len(filled) <= most:
        return filled or list(parts[:1])
    others = np.sum([values for _, values in filled[most - 1 :]], axis=0)
    return [*filled[: most - 1], (rest, others)]
