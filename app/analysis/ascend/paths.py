"""The paths between the memories of a core by their numbers, and points of rooflines relative to their roofs."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from app.language import joined, tr
from app.profile.arrays import F64, I32, Bool
from app.profile.ascend import Roofline
from app.profile.strings import Strings

MOST_PATHS = 4096
# Ascend operator files, section 3.1.
PATHS: dict[int, tuple[str, str]] = {
    0: ("GM", "L2"),
    1: ("L2", "GM"),
    2: ("L2", "L1"),
    3: ("L1", "L2"),
    4: (tr("GM or L1"), "L0A"),
    5: (tr("GM or L1"), "L0B"),
    6: ("L0A", tr("Cube")),
    7: ("L0B", tr("Cube")),
    8: (tr("Cube"), "L0C"),
    9: ("L0C", "L1"),
    10: ("L0C", "L2"),
    11: ("L0C", tr("Cube")),
    12: ("L2", "UB"),
    13: ("UB", "L2"),
    14: ("UB", tr("Vector")),
    15: (tr("Vector"), "UB"),
    16: ("L2", "UB 1"),
    17: ("UB 1", "L2"),
    18: ("UB 1", tr("Vector 1")),
    19: (tr("Vector 1"), "UB 1"),
    20: (tr("L2 or UB"), "L1"),
    21: ("L1", "L0A"),
    22: (tr("L2 or L1"), "L0B"),
    23: ("UB", "L0C"),
    24: ("L0C", "UB"),
    25: (tr("L2 or L1"), "UB"),
    35: ("GM", "L0A"),
    36: ("GM", "L0B"),
    37: ("L1", "L0A"),
    38: ("L1", "L0B"),
    39: ("L0C", "FIXP"),
    40: ("FIXP", "L2"),
    41: ("FIXP", "L1"),
    42: ("FIXP", "UB"),
    43: ("FIXP", "UB 1"),
    44: ("L1", "UB"),
    45: ("L1", "UB 1"),
    46: ("UB", "L1"),
    47: ("UB 1", "L1"),
    48: ("L2", tr("Dcache")),
    49: ("L2", tr("Dcache 1")),
    50: (tr("Dcache"), "L2"),
    51: (tr("Dcache 1"), "L2"),
    52: (tr("Vector"), tr("Dcache")),
    53: (tr("Vector 1"), tr("Dcache 1")),
    54: (tr("Dcache"), tr("Vector")),
    55: (tr("Dcache 1"), tr("Vector 1")),
}


def ends(path: int) -> tuple[str, str]:
    """(from, to); empty texts for an unknown number."""
    return PATHS.get(path, ("", ""))


def name(path: int) -> str:
    """The display name of the path."""
    start, end = ends(path)
    return joined(" → ", (start, end)) if start else (tr("path {path}", path=path) if path >= 0 else "")


def path_names(paths: I32) -> tuple[I32, tuple[Strings, Strings, Strings]]:
    """int32 ids of the paths' names (-1 for none), and the names, starts and ends that they refer to."""
    highest = int(paths.max(initial=0))
    numbers = range(highest + 1) if highest < MOST_PATHS else range(0)
    known: I32 = np.where(paths < len(numbers), paths, -1).astype(np.int32)
    starts, stops = zip(*(ends(number) for number in numbers), strict=True) if numbers else ((), ())
    return known, (Strings.of(name(number) for number in numbers), Strings.of(starts), Strings.of(stops))


BOUND_RATIO = 0.8
"""Above it the producer calls an operator bound by the roof (Ascend operator files, section 3.4)."""

Group: TypeAlias = str
_GROUPS: dict[str, Group] = {
    "Memory Unit": tr("Memory unit"),
    "HBM/L2": tr("Memory unit"),
    "GM/L2": tr("Memory unit"),
    "Memory Unit(Cube)": tr("Memory unit"),
    "Memory Unit(Vector)": tr("Memory unit"),
    "Memory Pipe Cube": tr("Memory transfer"),
    "Memory Pipe Vector": tr("Memory transfer"),
    "Memory Transfer(Cube)": tr("Memory transfer"),
    "Memory Transfer(Vector)": tr("Memory transfer"),
    "Pipe Line Cube": tr("Pipeline"),
    "Pipe Line Vector": tr("Pipeline"),
    "Pipeline(Cube)": tr("Pipeline"),
    "Pipeline(Vector)": tr("Pipeline"),
}


def drawable(roofs: Roofline) -> Bool:
    """Which lines can be drawn: bandwidth, compute and both coordinates of the point above 0 (section 3.4)."""
    columns = (roofs.bandwidth, roofs.compute, roofs.intensity, roofs.performance)
    result: Bool = np.logical_and.reduce([column > 0 for column in columns])
    return result


def ceiling(roofs: Roofline) -> F64:
    """min(intensity · bandwidth, compute), TOps/s: what the roof allows at the point (TB/s · Ops/Byte = TOps/s)."""
    return np.minimum(roofs.intensity * roofs.bandwidth, roofs.compute)


def ratios(roofs: Roofline) -> F64:
    """performance / min(intensity · bandwidth, compute) as fractions; NaN where the line cannot be drawn."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(drawable(roofs), roofs.performance / ceiling(roofs), np.nan)


def ridges(roofs: Roofline) -> F64:
    """compute / bandwidth, Ops/Byte: where the slope meets the roof."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(drawable(roofs), roofs.compute / roofs.bandwidth, np.nan)


def verdicts(roofs: Roofline) -> tuple[str, ...]:
    """What limits each point: memory left of the ridge, compute right of it, if it reaches more than 0.8 of its roof;
    else latency. "" if the line cannot be drawn."""
    words = []
    for ratio, x, ridge in zip(ratios(roofs), roofs.intensity, ridges(roofs), strict=True):
        if ratio != ratio:
            words.append("")
        elif ratio > BOUND_RATIO:
            words.append(tr("memory bound") if x < ridge else tr("compute bound"))
        else:
            words.append(tr("latency bound"))
    return tuple(words)


def roof_name(roofs: Roofline, row: int) -> str:
    """``L0A / Cube FP16``."""
    names = [roofs.strings.get(int(ids[row])) for ids in (roofs.bandwidth_name, roofs.compute_name)]
    return " / ".join(name for name in names if name)


def group(title: str) -> Group:
    """The tab that a chart belongs to (section 3.4); unknown titles go into "Other"."""
    return _GROUPS.get(title, tr("Other"))
