"""The sub-cores of the blocks of an operator, by the sums that the file has: how long each ran, how long each of its
pipes worked and waited. Pipes may work at once: they are shares of the time of their sub-core, not parts of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.ascend import launch
from app.analysis.ascend.launch import TOLERANCE, block_keys, block_number
from app.analysis.ascend.pipes import PipeUse, pipe_use
from app.analysis.ascend.workload import sub_block_unit
from app.language import Text, tr
from app.profile.arrays import F64, I64, among, distinct
from app.profile.profile import Profile
from app.profile.strings import taken

CUBE: Final = 0
TITLES: Final[tuple[Text, ...]] = (tr("cube core"), tr("vector core 0"), tr("vector core 1"))
"""The sub-cores of a block; the first is a cube core, the others are vector cores."""
UNITS: Final = ("CUBE", "VECTOR", "VECTOR")
"""The pipe that computes on each."""


class SubCores(Struct, frozen=True, eq=False):
    """One sub-core of each block. ``kind``: its place in TITLES; ``block``: int64, numbers of the blocks, ascending;
    ``whole``: float64[blocks], its cycles; ``work``, ``wait``: by pipe, float64[blocks] cycles; NaN for no data, and
    in doubtful blocks, whose pipes exceed their cycles; ``seconds``: float64[blocks], its duration; ``table``: where
    the figures of its pipes are."""

    kind: int
    block: I64
    whole: F64
    work: Mapping[str, F64]
    wait: Mapping[str, F64]
    seconds: F64
    table: str

    @property
    def title(self) -> Text:
        return TITLES[self.kind]


def sub_cores(profile: Profile) -> list[SubCores]:
    """Those with any figures of pipes; empty without tables of pipes."""
    uses: dict[int, list[PipeUse]] = {}
    for use in pipe_use(profile):
        uses.setdefault(_kind(profile, use.unit), []).append(use)
    return [_sub_core(profile, kind, own) for kind, own in sorted(uses.items()) if kind >= 0]


def _kind(profile: Profile, unit: str) -> int:
    """The place in TITLES of a sub-core as tables name it; tables of a single kind of core do not."""
    kind = sub_block_unit(unit.replace("Core", ""))
    operator = profile.operator
    if kind < 0 and operator is not None and operator.type.lower() in ("vector", "cube"):
        return int(operator.type.lower() == "vector")
    return kind


def _sub_core(profile: Profile, kind: int, uses: list[PipeUse]) -> SubCores:
    numbers = [_numbers(use) for use in uses]
    block = distinct(np.concatenate(numbers))
    block = block[block >= 0]
    whole = np.full(len(block), np.nan)
    work: dict[str, F64] = {}
    wait: dict[str, F64] = {}
    for use, own in zip(uses, numbers, strict=True):
        pipe = use.pipe.upper()
        work[pipe] = _placed(block, own, use.cycles)
        wait[pipe] = _placed(block, own, use.wait)
        whole = np.where(np.isnan(whole), _placed(block, own, use.whole), whole)
    stated, computed = _of_memory(profile, kind, block)
    whole = np.where(np.isnan(stated), whole, stated)
    unit = UNITS[kind]
    work[unit] = np.where(np.isnan(computed), work.get(unit, computed), computed)
    doubtful = np.zeros(len(block), np.bool_)
    for cycles in work.values():
        doubtful |= cycles > TOLERANCE * whole
    for figures in (work, wait):
        for pipe, cycles in figures.items():
            figures[pipe] = np.where(doubtful, np.nan, cycles)
    return SubCores(kind, block, whole, work, wait, _seconds(profile, kind, block), uses[0].table)


def _numbers(use: PipeUse) -> I64:
    """int64[rows]: the number of the block of each, -1 for means."""
    codes, place = np.unique(use.block, return_inverse=True)
    numbers = np.array([block_number(use.strings.get(code)) for code in codes.tolist()], np.int64)
    return numbers[place.reshape(-1)]


def _placed(block: I64, own: I64, values: F64) -> F64:
    """float64[blocks]: the last of the values of each block, NaN for none."""
    placed = np.full(len(block), np.nan)
    known = own >= 0
    placed[np.searchsorted(block, own[known])] = values[known]
    return placed


def _of_memory(profile: Profile, kind: int, block: I64) -> tuple[F64, F64]:
    """float64[blocks]: the cycles of the sub-core, and those in which it computes, by the graph of memory paths."""
    none = np.full(len(block), np.nan)
    paths = profile.memory_paths
    if paths is None or not len(paths.blocks.unit_total_cycles):
        return none, none
    names = taken(paths.strings, paths.blocks.block).tolist()
    own = np.array([block_number(name) for name in names], np.int64)
    own = np.where(among(own, block), own, -1)
    both = (paths.blocks.unit_total_cycles, paths.blocks.unit_cycles)
    total, computing = (_placed(block, own, columns[:, kind]) for columns in both)
    return np.where(total > 0, total, np.nan), computing


def _seconds(profile: Profile, kind: int, block: I64) -> F64:
    """float64[blocks]: durations of the sub-core, by the table of blocks, where their unit is certain."""
    seconds = np.full(len(block), np.nan)
    operator = profile.operator
    if operator is None or launch.doubtful(operator):
        return seconds
    stored, keys = launch.of_blocks(operator), block_keys(operator)
    keys = np.where(among(keys, block), keys, -1)
    names = launch.sub_block_names(operator)
    for place, name in enumerate(names):
        if (_kind(profile, name) if len(names) > 1 else kind) == kind:
            seconds = _placed(block, keys, stored[:, place]) / 1e6
    return seconds


class LastCore(Struct, frozen=True, eq=False):
    """The sub-core that ends last: ``own``, in ``row``. ``span``, ``work`` and ``wait`` (by pipe) are in ``unit``."""

    own: SubCores
    row: int
    unit: Literal["s", "cycles"]
    span: float
    work: Mapping[str, float]
    wait: Mapping[str, float]


def last_of(profile: Profile) -> LastCore | None:
    """By the durations of blocks, else by cycles; None if the file does not say how long its pipes worked."""
    best: LastCore | None = None
    every = sub_cores(profile)
    timed = any(not np.isnan(own.seconds).all() for own in every)
    for own in every:
        length = own.seconds if timed else own.whole
        if np.isnan(length).all():
            continue
        row = int(np.nanargmax(length))
        if best is None or float(length[row]) > best.span:
            scale = float(length[row] / own.whole[row])
            work, wait = (
                {pipe: time for pipe, cycles in figures.items() if np.isfinite(time := float(cycles[row]) * scale)}
                for figures in (own.work, own.wait)
            )
            best = LastCore(own, row, "s" if timed else "cycles", float(length[row]), work, wait)
    return best if best is not None and any(best.work.values()) else None
