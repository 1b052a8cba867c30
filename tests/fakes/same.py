"""Whether two sections have equal contents, column by column."""

from __future__ import annotations

import numpy as np
from msgspec import Struct


def same(left: object, right: object) -> bool:
    """Whether columns have the same types and numbers (no data equals no data), in Structs and dicts of the same
    kind."""
    if isinstance(left, np.ndarray):
        if not isinstance(right, np.ndarray) or left.dtype != right.dtype:
            return False
        return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    if isinstance(left, Struct):
        return type(left) is type(right) and all(
            same(getattr(left, name), getattr(right, name)) for name in left.__struct_fields__
        )
    if isinstance(left, dict):
        return isinstance(right, dict) and list(left) == list(right) and all(same(left[k], right[k]) for k in left)
    if isinstance(left, tuple):
        return isinstance(right, tuple) and len(left) == len(right) and all(map(same, left, right))
    return left == right
