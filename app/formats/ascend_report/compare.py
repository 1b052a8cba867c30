"""Compares the figures that an operator file and the metric tables of its report both have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from app.formats.json.problems import Problems
from app.language import Text, tr
from app.profile.arrays import F64
from app.profile.ascend import CoreLoad, MemoryPaths, Operator
from app.profile.profile import Section

RELATIVE = 1e-5
"""Some figures are computed from rounded ones, or were stored as 32-bit numbers."""
FEWEST_DECIMALS, MOST_DECIMALS = 2, 9
"""Operator files round some figures to two decimals, and metric tables to six."""
Key: TypeAlias = tuple[object, ...]


class Figure(Struct, frozen=True):
    """A figure of a section: what it is, and its value. Figures of one ``group`` have the same number of decimals."""

    what: Text
    value: float
    group: str


def compare(stored: Section, tabled: Section, problems: Problems) -> None:
    """Reports where a section of the operator file and the same one made from the tables differ by more than rounding.
    Figures that only one of them has are not compared."""
    first, second = dict(_figures(stored)), dict(_figures(tabled))
    rounding = [_rounding(figures.values()) for figures in (first, second)]
    for key, one in first.items():
        other = second.get(key)
        if other is None or one.value != one.value or other.value != other.value:
            continue
        rounded = rounding[0][one.group] + rounding[1][other.group]
        if abs(one.value - other.value) > max(rounded, RELATIVE * max(abs(one.value), abs(other.value))):
            text = tr(
                "{what}: {stored} in visualize_data.bin, {tabled} in the metric tables",
                what=one.what,
                stored=f"{one.value:.10g}",
                tabled=f"{other.value:.10g}",
            )
            problems.add("warning", tr("different figures in the operator file and the tables"), None, text)


def _rounding(figures: Iterable[Figure]) -> dict[str, float]:
    """By group: by how much a figure can differ from the true one, which is half of the last decimal that the figures
    of the group have."""
    values: dict[str, list[float]] = defaultdict(list)
    for figure in figures:
        values[figure.group].append(figure.value)
    return {group: 0.501 * 10.0 ** -_decimals(np.array(own)) for group, own in values.items()}


def _decimals(values: F64) -> int:
    """The decimals that are needed to write all ``values``."""
    known = values[np.isfinite(values)]
    for decimals in range(FEWEST_DECIMALS, MOST_DECIMALS):
        if (np.round(known, decimals) == known).all():
            return decimals
    return MOST_DECIMALS


def _figures(section: Section) -> Iterator[tuple[Key, Figure]]:
    match section:
        case Operator():
            yield from _of_operator(section)
        case CoreLoad():
            yield from _of_cores(section)
        case MemoryPaths():
            yield from _of_paths(section)
        case _:
            pass


def _of_operator(section: Operator) -> Iterator[tuple[Key, Figure]]:
    named = (
        (tr("duration (µs)"), section.duration_us),
        (tr("blocks launched"), section.block_dim),
        (tr("frequency (MHz)"), section.frequency_mhz),
        (tr("rated frequency (MHz)"), section.rated_frequency_mhz),
    )
    for place, (what, value) in enumerate(named):
        if value is not None:
            yield (place,), Figure(what, float(value), what)
    timed = [column for column in section.blocks if "duration" in column.name.lower() and column.numeric]
    for place, column in enumerate(timed):
        for row, value in enumerate(column.of_core(0).tolist()):
            what = tr("duration of row {row:,} of the blocks (µs)", row=row + 1)
            yield ("block", place, row), Figure(what, value, "block")


def _of_cores(section: CoreLoad) -> Iterator[tuple[Key, Figure]]:
    """By core, kind and number of the sub-core; a core of a vector operator has only one."""
    strings = section.strings
    seen = set[Key]()
    for row, core in enumerate(section.core.tolist()):
        kind, sub = strings.get(int(section.type[row])), strings.get(int(section.sub_core[row]))
        key = (core, kind, sub)
        if key in seen:
            continue
        seen.add(key)
        name = tr("core {core}, {kind} {sub}", core=core, kind=kind, sub=sub)
        yield (*key, "cycles"), Figure(tr("cycles of {name}", name=name), float(section.cycles[row]), "cycles")
        yield (*key, "rate"), Figure(tr("L2 hit rate of {name} (%)", name=name), float(section.hit_rate[row]), "rate")


def _of_paths(section: MemoryPaths) -> Iterator[tuple[Key, Figure]]:
    strings, blocks = section.strings, section.blocks
    for row, (entry, path) in enumerate(zip(section.entry.tolist(), section.path.tolist(), strict=True)):
        block = strings.get(int(blocks.block[entry]))
        what = tr("bandwidth of memory path {path} in block {block} (GB/s)", path=path, block=block)
        yield (block, path), Figure(what, float(section.bandwidth[row]), "bandwidth")
    for entry, code in enumerate(blocks.block.tolist()):
        block = strings.get(code)
        for name, values in (("hit", blocks.hit), ("miss", blocks.miss)):
            what = tr("L2 {name} count of block {block}", name=name, block=block)
            yield (block, name), Figure(what, float(values[entry]), name)
