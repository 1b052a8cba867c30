"""The paths between the memories of a core, by their numbers."""

from __future__ import annotations

import numpy as np

from app.language import joined, tr
from app.profile.arrays import I32
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
