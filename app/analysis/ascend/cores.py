"""Cores: those that tables have columns for, how many the chips have, and their load as cards, compared with that of
their kind."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.table import Column, Table, Unit
from app.language import tr
from app.profile.arrays import F64, I32, I64, combine_at, distinct
from app.profile.ascend import CoreLoad
from app.profile.profile import Profile


def core_names(profile: Profile) -> tuple[str, ...]:
    """Cores of the instructions, else of the lines (Ascend operator files, section 2.4); may be empty."""
    for section in (profile.instructions, profile.lines):
        if section is not None and section.cores:
            return section.cores
    return ()


def core_in(cores: tuple[str, ...], name: str) -> int:
    """The index of core ``name`` in a table with these ``cores``; the first for an unknown name."""
    return cores.index(name) if name in cores else 0


AI_CORES: Final[dict[str, int]] = {
    **dict.fromkeys(("910B1", "910B2", "9381", "9382", "9391", "9392"), 24),
    **dict.fromkeys(("910B3", "910B4", "9362", "9372"), 20),
    "950z": 8,
    **dict.fromkeys(("9579", "957b", "957d"), 28),
    **dict.fromkeys(("9581", "9589", "958a", "958b"), 32),
    "9599": 36,
}
"""How many AI cores a chip has, by what its name contains (Ascend operator files, section 3.5)."""
VECTOR_CORES: Final = 2
"""Vector cores in an AI core of all these chips (section 3.5)."""


def ai_cores(soc: str) -> int:
    """The number of AI cores; 0 for an unknown chip."""
    lowered = soc.lower()
    return next((count for name, count in AI_CORES.items() if name.lower() in lowered), 0)


def levels(values: F64, kinds: I32) -> I64:
    """int64: 0 to 10 for each value, among those of the same kind; -1 where there is no value.

    int(10 · σ(z)) with σ(z) = 1 / (1 + e^-z) and z = (value - mean) / sample standard deviation; 0 where fewer
    than two values are known or all are equal (Ascend operator files, section 3.5). 4 to 6 is the average.
    """
    result = np.full(len(values), -1, np.int64)
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return result
    _, kind = np.unique(kinds[known], return_inverse=True)
    kind, own = kind.reshape(-1), values[known]
    count = np.bincount(kind)
    largest = np.zeros(len(count))
    combine_at(np.maximum, largest, kind, np.abs(own))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        away = own - (np.bincount(kind, own) / count)[kind]
        deviation = np.sqrt(np.bincount(kind, away * away) / np.maximum(count - 1, 1))
        distinct = (np.isfinite(deviation) & (deviation > 1e-12 * largest) & (count > 1))[kind]
        level = 10.0 / (1.0 + np.exp(-away / deviation[kind]))
    result[known] = np.where(distinct, level, 0.0).astype(np.int64)
    return result


Metric: TypeAlias = Literal["cycles", "throughput", "hit_rate", "simt_instructions"]
METRICS: Final[tuple[Metric, ...]] = ("cycles", "throughput", "hit_rate", "simt_instructions")
TITLES: Final[dict[Metric, str]] = {
    "cycles": tr("Cycles"),
    "throughput": tr("Throughput"),
    "hit_rate": tr("L2 hit rate"),
    "simt_instructions": tr("SIMT VF instructions"),
}
UNITS: Final[dict[Metric, Unit]] = {"cycles": "cycles", "throughput": "B", "hit_rate": "%", "simt_instructions": ""}

ALL: Final = 1 << 62


class Tile(Struct, frozen=True):
    """A sub-core: ``row`` of the core load, ``core`` its number in the file (-1 unknown). Without data ``value`` is NaN
    and ``level`` -1."""

    name: str
    row: int
    core: int
    value: float
    level: int


class Card(Struct, frozen=True):
    """A core of the chip; no tiles if the file has no data for it. ``number`` -1: the file does not number it."""

    number: int
    tiles: tuple[Tile, ...]

    @property
    def title(self) -> str:
        return tr("Core {number}", number=self.number) if self.number >= 0 else tr("Core without number")

    @property
    def cores(self) -> tuple[int, ...]:
        """The core numbers that the file uses for it."""
        return tuple(dict.fromkeys(tile.core for tile in self.tiles if tile.core >= 0))


class Kind(Struct, frozen=True):
    """Statistics of the sub-cores of one kind, against which levels are measured (``deviation`` of the sample)."""

    name: str
    count: int
    mean: float
    deviation: float
    median: float
    most: float


def metrics(load: CoreLoad) -> list[Metric]:
    """The metrics that the file has figures for, in the order of choice."""
    return [metric for metric in METRICS if not np.isnan(values(load, metric)).all()]


def values(load: CoreLoad, metric: Metric) -> F64:
    """float64[sub-cores]: the figures of ``metric``."""
    columns: dict[Metric, F64] = {
        "cycles": load.cycles,
        "throughput": load.throughput,
        "hit_rate": load.hit_rate,
        "simt_instructions": load.simt_instructions,
    }
    return columns[metric]


def cards(load: CoreLoad, metric: Metric, most_cores: int = ALL, most_tiles: int = ALL) -> list[Card]:
    """One card per core, by rising number: the cores of the file, and empty ones up to the number of the chip. The
    vector cores of a vector operator are numbered individually: 2k and 2k + 1 are the two of core k (section 3.5),
    unless the file itself has several sub-cores in one. ``most_cores``, ``most_tiles``: limits on cores, and on the
    sub-cores of each."""
    numbers, shown = load.core.tolist(), values(load, metric).tolist()
    level = levels(values(load, metric), load.type).tolist()
    paired = is_paired(load)
    tiles: dict[int, list[Tile]] = {number: [] for number in range(ai_cores(load.soc))}
    for row in _first_rows(load, paired, most_cores, most_tiles).tolist():
        core = numbers[row]
        place = core // 2 if paired and core >= 0 else core
        name = f"Vector{core % 2}" if paired and core >= 0 else sub_core_name(load, row)
        tiles.setdefault(place, []).append(Tile(name, row, core, shown[row], level[row]))
    order = sorted(tiles, key=lambda number: (number < 0, number))
    shown_cores = order[:most_cores]
    return [Card(number, tuple(sorted(tiles[number], key=lambda tile: tile.name))) for number in shown_cores]


def _first_rows(load: CoreLoad, paired: bool, most_cores: int, most_tiles: int) -> I64:
    """int64: rows of the first sub-cores of the first cores by rising number, in the order of the file."""
    place = np.where(load.core >= 0, load.core // 2 if paired else load.core, np.int64(np.iinfo(np.int64).max))
    order = np.argsort(place, kind="stable")
    _, first, core = np.unique(place[order], return_index=True, return_inverse=True)
    core = core.reshape(-1)
    few = (core < most_cores) & (np.arange(len(order)) - first[core] < most_tiles)
    return np.sort(order[few]).astype(np.int64)


def count_of_cores(load: CoreLoad) -> int:
    """How many cores the file names."""
    place = np.where(load.core >= 0, load.core // 2 if is_paired(load) else load.core, -1)
    return len(distinct(place))


def is_paired(load: CoreLoad) -> bool:
    """Whether the file numbers vector cores individually."""
    known = load.core[load.core >= 0]
    return load.operator_type == "vector" and len(known) > 0 and len(distinct(known)) == len(load.core)


def sub_core_name(load: CoreLoad, row: int) -> str:
    """``Cube0``, ``Vector1``."""
    kind = load.strings.get(int(load.type[row])) or "sub-core"
    return f"{kind[:1].upper()}{kind[1:]}{load.strings.get(int(load.sub_core[row]))}"


def kinds(load: CoreLoad, metric: Metric) -> list[Kind]:
    """Statistics of each kind of sub-core."""
    known = np.flatnonzero(~np.isnan(values(load, metric)))
    known = known[np.argsort(load.type[known], kind="stable")]
    codes, first = np.unique(load.type[known], return_index=True)
    statistics = []
    for code, rows in zip(codes.tolist(), np.split(known, first[1:]), strict=False):
        own = values(load, metric)[rows]
        deviation = float(np.std(own, ddof=1)) if len(own) > 1 else 0.0
        statistics.append(
            Kind(
                load.strings.get(code) or "sub-core",
                len(own),
                float(own.mean()),
                deviation,
                float(np.median(own)),
                float(own.max()),
            )
        )
    return statistics


def advice(load: CoreLoad) -> list[str]:
    """The lines of the file's advice."""
    return [line.strip() for line in load.advice.splitlines() if line.strip()]


def instructions_per_cycle(load: CoreLoad) -> Table | None:
    """One row per vector core, one column per core; None if the file has none."""
    if np.isnan(load.simt_ipc).all():
        return None
    shown = [card for card in cards(load, "simt_instructions") if card.tiles]
    names = sorted(
        {tile.name for card in shown for tile in card.tiles if load.simt_ipc[tile.row] == load.simt_ipc[tile.row]}
    )
    place = {name: row for row, name in enumerate(names)}
    columns = [Column("sub_core", tr("Sub-core"), tuple(names))]
    for card in shown:
        cells = np.full(len(names), np.nan)
        for tile in card.tiles[::-1]:
            if tile.name in place:
                cells[place[tile.name]] = load.simt_ipc[tile.row]
        columns.append(Column(f"core{card.number}", card.title, cells, help=tr("SIMT VF instructions per cycle.")))
    note = tr("SIMT VF instructions per cycle of each vector core.")
    return Table("instructions-per-cycle", tr("Instructions per cycle"), tuple(columns), note=note)
