"""Which diagram suits a block (Ascend operator files, section 3.2), and the figures at each arrow and in each box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.ascend.diagram import chip_310p, chip_910b, chip_a5
from app.analysis.ascend.diagram.parts import Diagram, Figure
from app.analysis.ascend.paths import name
from app.analysis.ascend.typed_columns import hit_percent
from app.language import tr
from app.profile.ascend import UNIT_NAMES, MemoryPaths

Chip: TypeAlias = Literal["910B", "310P", "A5"]
Core: TypeAlias = Literal["vector", "cube", "mix"]

CUBE_PATHS = frozenset({*range(2, 12), *range(35, 42)})
VECTOR_PATHS = frozenset({*range(12, 20), *range(42, 56)})
ONLY_310P = frozenset(range(20, 26))
ONLY_A5 = frozenset(range(39, 56))
TOLD_APART = frozenset({35, 37})
"""The paths from main memory and from L1 into L0A: if one is present, cube diagrams of the 910B are those of newer
tools."""
CACHE_TO_L2 = 50
"""If present, diagrams of the A5 with vector cores are those of newer tools."""


class Choice(NamedTuple):
    """``guessed``: the file does not name a known chip or core, so its paths decided."""

    diagram: Diagram
    guessed: bool


def choose(soc: str, operator_type: str, paths: Set[int]) -> Choice:
    """The diagram for the chip's family and the operator's type as the block gives them, else inferred from its
    paths."""
    chip = _chip(soc)
    core = _core(operator_type)
    chosen_chip = chip or _chip_of(paths)
    chosen_core = core or _core_of(paths)
    guessed = chip is None or (core is None and chosen_chip != "310P")
    newer = CACHE_TO_L2 in paths if chosen_chip == "A5" else bool(TOLD_APART & paths)
    return Choice(_made(chosen_chip, chosen_core, newer), guessed)


@lru_cache(maxsize=32)
def _made(chip: Chip, core: Core, newer: bool) -> Diagram:
    if chip == "310P":
        return chip_310p.diagram()
    if chip == "A5":
        return chip_a5.cube() if core == "cube" else (chip_a5.mix if core == "mix" else chip_a5.vector)(newer)
    return chip_910b.vector() if core == "vector" else (chip_910b.mix if core == "mix" else chip_910b.cube)(newer)


def _chip(soc: str) -> Chip | None:
    name = soc.upper()
    if "910A5" in name or name.startswith(("950", "ASCEND950")):
        return "A5"
    if "910" in name:
        return "910B"
    return "310P" if "310" in name else None


def _core(operator_type: str) -> Core | None:
    known: dict[str, Core] = {"vector": "vector", "cube": "cube", "mix": "mix"}
    return known.get(operator_type.lower())


def _chip_of(paths: Set[int]) -> Chip:
    if paths & ONLY_A5:
        return "A5"
    return "310P" if paths & ONLY_310P else "910B"


def _core_of(paths: Set[int]) -> Core:
    if paths & CUBE_PATHS:
        return "mix" if paths & VECTOR_PATHS else "cube"
    return "vector"


MOST_KEPT = 500
"""A diagram has a few dozen paths; if there are thousands, the table lists them all."""
UNIT_OF: dict[Figure, str] = {"cube": "Cube", "vector": "Vector", "vector1": "Vector1"}


class PathFigures(Struct, frozen=True):
    """The figures of one path: ``row`` of the section; None is no data. ``peak`` in percent of the path's theoretical
    bandwidth, ``bandwidth`` in GB/s."""

    row: int
    path: int
    request: float | None
    bandwidth: float | None
    peak: float | None
    display: bool
    bandwidth_suffix: str
    request_suffix: str

    @property
    def name(self) -> str:
        return name(self.path) or tr("path without number")

    @property
    def idle(self) -> bool:
        """Whether the file says that nothing moved (as opposed to saying nothing)."""
        return self.bandwidth == 0 and not self.request


class BoxFigures(Struct, frozen=True):
    """A share in percent, and the two counts that it was computed from (hits and misses, or cycles and all cycles)."""

    percent: float | None
    part: float | None
    other: float | None


class BaselineFigures(Struct, frozen=True):
    """The figures of a block of a baseline: of its paths, whatever its diagram is, and of its boxes; ``block``: its
    name, "" if the baseline has no such block."""

    block: str
    paths: dict[int, PathFigures]
    boxes: dict[Figure, BoxFigures]


class BlockFigures(Struct, frozen=True):
    """``shown``: by path, for the arrows of the diagram; ``hidden``: those that the file hides; ``elsewhere``: figures
    of paths that the diagram has no arrow for, or one figure already; ``more``: how many others there are beyond the
    MOST_KEPT listed here. ``baseline``: what they are compared with."""

    block: str
    operator_type: str
    soc: str
    diagram: Diagram
    guessed: bool
    shown: dict[int, PathFigures]
    hidden: tuple[PathFigures, ...]
    elsewhere: tuple[PathFigures, ...]
    more: int
    boxes: dict[Figure, BoxFigures]
    advice: tuple[str, ...]
    baseline: BaselineFigures | None = None


def block_names(paths: MemoryPaths) -> tuple[str, ...]:
    """Display names of the blocks; "NA" is the mean of several cores. Blocks of one name are distinguished by their
    operator type and index."""
    blocks = paths.blocks
    names = [paths.strings.get(code) for code in blocks.block.tolist()]
    titles = [_title(own, place) for place, own in enumerate(names)]
    often, distinct = Counter(titles), []
    for place, title in enumerate(titles):
        if often[title] > 1:
            kind = paths.strings.get(int(blocks.operator_type[place]))
            entry = tr("entry {place}", place=place)
            title = f"{title} ({kind}, {entry})" if kind else f"{title} ({entry})"
        distinct.append(title)
    return tuple(distinct)


def figures_of(paths: MemoryPaths, entry: int, *, show_all: bool = False) -> BlockFigures:
    """Everything that the diagram of row ``entry`` of the blocks needs; ``show_all``: hidden paths as well."""
    blocks = paths.blocks
    operator_type, soc = (paths.strings.get(int(column[entry])) for column in (blocks.operator_type, blocks.soc))
    rows = np.flatnonzero(paths.entry == entry).tolist()
    choice: Choice = choose(soc, operator_type, frozenset(paths.path[rows].tolist()))
    shown: dict[int, PathFigures] = {}
    hidden: list[PathFigures] = []
    elsewhere: list[PathFigures] = []
    more = 0
    for row, path, display in zip(rows, paths.path[rows].tolist(), paths.display[rows].tolist(), strict=True):
        target = hidden if not display and not show_all else elsewhere
        if target is elsewhere and path in choice.diagram.paths and path not in shown:
            shown[path] = _path(paths, row)
        elif len(target) < MOST_KEPT:
            target.append(_path(paths, row))
        else:
            more += 1
    return BlockFigures(
        block=block_names(paths)[entry],
        operator_type=operator_type,
        soc=soc,
        diagram=choice.diagram,
        guessed=choice.guessed,
        shown=shown,
        hidden=tuple(hidden),
        elsewhere=tuple(elsewhere),
        more=more,
        boxes=_boxes(paths, entry),
        advice=_counted(blocks.advice[entry]),
    )


def _title(own: str, place: int) -> str:
    if own.upper() in ("NA", "N/A"):
        return tr("Mean of all cores")
    return tr("Block {part}", part=own) if own else tr("Entry {place}", place=place)


def _path(paths: MemoryPaths, row: int) -> PathFigures:
    return PathFigures(
        row=row,
        path=int(paths.path[row]),
        request=_known(paths.request[row]),
        bandwidth=_known(paths.bandwidth[row]),
        peak=_known(paths.peak[row]),
        display=bool(paths.display[row]),
        bandwidth_suffix=paths.strings.get(int(paths.bandwidth_suffix[row])),
        request_suffix=paths.strings.get(int(paths.request_suffix[row])),
    )


def _boxes(paths: MemoryPaths, entry: int) -> dict[Figure, BoxFigures]:
    blocks = paths.blocks
    hit, miss = _known(blocks.hit[entry]), _known(blocks.miss[entry])
    share = _known(hit_percent(blocks.hit[entry : entry + 1], blocks.miss[entry : entry + 1])[0])
    share = _known(blocks.hit_rate[entry]) if share is None else share
    boxes: dict[Figure, BoxFigures] = {"hit_rate": BoxFigures(share, hit, miss)}
    for figure, unit in UNIT_OF.items():
        place = UNIT_NAMES.index(unit)
        cycles, total = _known(blocks.unit_cycles[entry, place]), _known(blocks.unit_total_cycles[entry, place])
        busy = 100 * cycles / total if cycles is not None and total else _known(blocks.unit_ratio[entry, place])
        boxes[figure] = BoxFigures(busy, cycles, total)
    return boxes


def _counted(advice: tuple[str, ...]) -> tuple[str, ...]:
    """Each text once, with how often it was given (once for each core)."""
    return tuple(
        text if often == 1 else tr("{text} ({often} times)", text=text, often=often)
        for text, often in Counter(advice).items()
    )


def _known(value: float) -> float | None:
    return None if value != value else float(value)
