"""How long the blocks of an operator (or its cores) ran, what passes outside them, what some do more than others,
and what would remain if their work were spread evenly."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.ascend import launch
from app.analysis.ascend.cores import VECTOR_CORES
from app.analysis.ascend.launch import Waves, block_keys, block_number, waves
from app.analysis.ascend.sub_cores import sub_cores
from app.analysis.ascend.unit_use import named_cells
from app.analysis.ascend.workload import INSTRUCTIONS
from app.analysis.time.floors import even_floor
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, among
from app.profile.ascend import CoreLoad, Operator
from app.profile.profile import Profile
from app.profile.strings import Strings

_FEWEST_CORES: Final = 8
"""AI cores of the smallest chip that is known: as many blocks run at once on any."""


class NoBlocks(Struct, frozen=True):
    """``why`` the times of blocks are unknown."""

    why: str


class BlockTimes(Struct, frozen=True, eq=False):
    """``time``: float64[blocks, sub-cores], NaN no data; ``kinds``: the kind of each sub-core ("cube", "vector", "");
    ``key``: int64[blocks], the number of each, -1 unknown; all times in ``unit``. ``duration`` of the operator, None
    unknown. ``cores``: how many run the blocks, 0 unknown; ``at_once``: whether each block has a core of its own.
    ``kind``: what the rows are."""

    kind: Literal["block", "core"]
    table: str
    names: tuple[str, ...]
    key: I64
    kinds: tuple[str, ...]
    time: F64
    unit: Literal["s", "cycles"]
    duration: float | None
    cores: int
    at_once: bool

    @property
    def longest(self) -> F64:
        """float64[blocks]: of the longest sub-core of each."""
        longest: F64 = np.fmax.reduce(self.time, axis=1)
        return longest

    @property
    def most(self) -> float:
        return float(self.longest.max())

    @property
    def latest(self) -> float:
        """The longest time in which these blocks can run: one after the other on each core, which takes the next block
        when it is free. Infinite if neither the cores nor the duration is known."""
        whole = np.inf if self.duration is None else max(self.duration, self.most)
        if self.at_once:
            return self.most
        if not self.cores:
            return whole
        work = float(self.longest.sum())
        return min(whole, work / self.cores + self.most * (1 - 1 / self.cores))

    @property
    def packed(self) -> float:
        """The shortest time in which the cores can run these blocks: a block is not divided."""
        shared = float(self.longest.sum()) / self.cores if self.cores and not self.at_once else 0.0
        return max(self.most, shared)

    @property
    def even(self) -> float:
        """What remains of the blocks if their work is spread evenly over them (on fewer cores: over the cores)."""
        return max(even_floor(self.by_kind), 0.0 if self.at_once else self.spread)

    @property
    def spread(self) -> float:
        """What remains of the blocks if their work is spread evenly over all cores; 0 if these are unknown."""
        if not self.cores:
            return 0.0
        return max(float(times.sum()) / (self.cores * self._on_core(kind)) for kind, times in self._groups())

    def _on_core(self, kind: str) -> int:
        """How many sub-cores of a kind a core has: one for each column."""
        return max(self.kinds.count(kind), 1)

    def _groups(self) -> list[tuple[str, F64]]:
        groups = []
        for kind in dict.fromkeys(self.kinds):
            times = self.time[:, [own == kind for own in self.kinds]].ravel()
            groups.append((kind, times[~np.isnan(times)]))
        return groups

    @property
    def by_kind(self) -> list[F64]:
        """The times of all sub-cores of each kind."""
        return [times for _, times in self._groups()]

    @property
    def outside(self) -> tuple[float, float]:
        """(least, most) of the duration that passes outside the blocks; both 0 if the duration is unknown."""
        if self.duration is None or self.unit != "s":
            return 0.0, 0.0
        return max(self.duration - self.latest, 0.0), max(self.duration - self.packed, 0.0)


def block_times(profile: Profile) -> BlockTimes | NoBlocks:
    """By the durations of the blocks; if these are not known or doubtful, by the cycles of the cores."""
    operator = profile.operator
    own = None if operator is None else _of_blocks(operator)
    if isinstance(own, BlockTimes):
        return own
    load = None if profile.core_load is None else of_cores(profile.core_load)
    if load is not None:
        return load
    return own or NoBlocks(tr("the file has durations for fewer than two blocks"))


def _of_blocks(operator: Operator) -> BlockTimes | NoBlocks:
    stored = launch.of_blocks(operator)
    known = np.flatnonzero(~np.isnan(stored).all(axis=1)) if stored.size else np.empty(0, np.int64)
    if not len(known):
        return NoBlocks(tr("the file has durations for fewer than two blocks"))
    if launch.doubtful(operator):
        return NoBlocks(tr("the unit of the block durations is doubtful"))
    time = stored[known] / 1e6
    names = launch.block_names(operator)
    kinds = tuple(_kind(name) for name in launch.sub_block_names(operator))
    duration = operator.duration_us / 1e6 if operator.duration_us and operator.duration_us > 0 else None
    own = waves(operator)
    blocks = max(operator.block_dim or 0, len(known))
    cores = own.cores if isinstance(own, Waves) else 0
    least = _FEWEST_CORES * (VECTOR_CORES if operator.type.lower() == "vector" else 1)
    return BlockTimes(
        "block",
        "block-details",
        tuple(names[row] for row in known.tolist()),
        block_keys(operator)[known],
        kinds,
        time,
        "s",
        duration,
        cores,
        blocks <= (cores or least) or _one_wave(np.fmax.reduce(time, axis=1), duration),
    )


def _kind(name: str) -> str:
    lowered = name.lower()
    return next((kind for kind in ("cube", "vector") if lowered.startswith(kind)), "")


def _one_wave(longest: F64, duration: float | None) -> bool:
    """Whether the operator is too short for any core to have run two blocks."""
    shortest = np.sort(longest)[:2]
    return duration is not None and len(shortest) == 2 and float(shortest.sum()) > duration


def of_cores(load: CoreLoad) -> BlockTimes | None:
    """The cores by their cycles; None for fewer than two sub-cores."""
    known = np.flatnonzero(~np.isnan(load.cycles))
    if len(known) < 2:
        return None
    sub_core = load.type[known].astype(np.int64) * (len(load.strings) + 1) + load.sub_core[known]
    columns, column = np.unique(sub_core, return_inverse=True)
    if bool((load.core[known] < 0).any()):
        cores, row = known, np.arange(len(known))
        keys = np.full(len(known), -1, np.int64)
    else:
        cores, row = np.unique(load.core[known], return_inverse=True)
        keys = cores.astype(np.int64)
    time = np.full((len(cores), len(columns)), np.nan)
    time[row.reshape(-1), column.reshape(-1)] = load.cycles[known]
    first = [int(known[np.flatnonzero(column.reshape(-1) == place)[0]]) for place in range(len(columns))]
    kinds = tuple(load.strings.get(int(load.type[at])) for at in first)
    names = tuple(str(key) if key >= 0 else str(place) for place, key in enumerate(keys.tolist()))
    return BlockTimes("core", "core-load", names, keys, kinds, time, "cycles", None, 0, True)


def above(times: BlockTimes) -> Bool:
    """bool[blocks]: those nearer to the longest than to the mean; none if all are equal."""
    longest = times.longest
    chosen: Bool = longest > (float(longest.mean()) + times.most) / 2
    return chosen


class Difference(Struct, frozen=True):
    """``instructions``: how many times those of the others, NaN unknown; ``pipe``: that works longest in addition, ""
    for none; ``share`` of the difference that this is, 0..1, NaN if the file does not say how long pipes work."""

    instructions: float
    pipe: str
    share: float


def difference(profile: Profile, longer: I64, others: I64) -> Difference | None:
    """Of the blocks with the numbers ``longer`` to ``others`` (int64 each); None if the file counts nothing."""
    ratio = _instructions(profile, longer, others)
    worst: tuple[float, float, str] | None = None
    for own in sub_cores(profile):
        groups = among(own.block, longer), among(own.block, others)
        more = _more(own.whole, *groups)
        if (
            not more > 0
            or all(np.isnan(cycles).all() for cycles in own.work.values())
            or (worst is not None and more <= worst[0])
        ):
            continue
        pipes = [(_more(cycles, *groups), pipe) for pipe, cycles in own.work.items()]
        by, pipe = max(((by, pipe) for by, pipe in pipes if by > 0), default=(0.0, ""))
        worst = (more, by, pipe)
    if worst is None:
        return None if ratio != ratio else Difference(ratio, "", float("nan"))
    return Difference(ratio, worst[2], min(worst[1] / worst[0], 1.0))


def _more(values: F64, longer: np.ndarray, others: np.ndarray) -> float:
    """Mean of the ones - mean of the others; NaN unknown."""
    one, two = (values[group & ~np.isnan(values)] for group in (longer, others))
    return float(one.mean() - two.mean()) if len(one) and len(two) else float("nan")


def _instructions(profile: Profile, longer: I64, others: I64) -> float:
    """How many times the instructions per block, of all pipes that count them."""
    means = [0.0, 0.0]
    for place, numbers in enumerate((longer, others)):
        for own, counts in _counts(profile):
            means[place] += float(np.nansum(counts[among(own, numbers)])) / max(len(numbers), 1)
    return means[0] / means[1] if means[1] > 0 else float("nan")


def _counts(profile: Profile) -> list[tuple[I64, F64]]:
    """(int64: the block, float64: its instructions) of each pipe."""
    made = []
    if profile.memory_tables is not None:
        stored = profile.memory_tables
        cells = named_cells(stored, lambda name: name.startswith("Pipe"), ("instructions",))
        made.append((_numbers(cells.block, stored.strings), cells.values[:, 0]))
    workload = profile.workload
    if workload is not None:
        rows = np.flatnonzero((workload.unit == INSTRUCTIONS) & ~workload.in_graph)
        names = [workload.strings.get(int(text)).lower() for text in workload.name[rows]]
        rows = rows[[name.endswith("all_active") or "all active" in name for name in names]]
        made.append((_numbers(workload.block[rows], workload.strings), workload.value[rows]))
    return made


def _numbers(blocks: I32, strings: Strings) -> I64:
    return np.array([block_number(strings.get(text)) for text in blocks.tolist()], np.int64)
