"""Blocks of an operator by their names."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import launch
from app.profile.arrays import I64
from app.profile.ascend import Operator


def block_number(name: str) -> int:
    """The number of a block by its name; -1 for the mean of several ("NA") and other texts."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else -1


def block_keys(base: Operator) -> I64:
    """int64[rows of the block table]: the number of each block, -1 for unnumbered ones."""
    if not any(column.name.lower() == "block id" for column in base.blocks):
        return np.full(len(base.blocks[0].values) if base.blocks else 0, -1, np.int64)
    return np.array([block_number(name) for name in launch.block_names(base)], np.int64)
