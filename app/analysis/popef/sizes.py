"""Sizes in bytes, from shapes and data types."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I32, I64, Ragged, combine_at
from app.profile.popef import DATA_TYPES, TensorData

LARGEST = 2**63 - 1
SIZES = np.array([kind.size for kind in DATA_TYPES], np.int64)


def elements(shapes: Ragged) -> I64:
    """int64[rows]: the product of each shape (1 for no dimensions); -1 if a dimension is negative or the product is
    2^63 or more. Takes no memory in proportion to what a shape claims."""
    owner, dims = shapes.owner, shapes.items.astype(np.int64, copy=False)
    count = np.ones(len(shapes), np.int64)
    combine_at(np.multiply, count, owner, dims)  # wraps around; the logarithm detects that
    magnitude = np.zeros(len(shapes))
    combine_at(np.add, magnitude, owner, np.log2(np.maximum(dims, 1)))
    zero = np.zeros(len(shapes), np.bool_)
    zero[owner[dims == 0]] = True
    count[(magnitude > 62.99) & ~zero] = -1
    count[owner[dims < 0]] = -1
    return count


def element_sizes(data_types: I32) -> I64:
    """int64[rows]: bytes of one element, -1 for an unknown data type."""
    known = (data_types >= 0) & (data_types < len(SIZES))
    return np.where(known, SIZES[np.where(known, data_types, 0)], -1)


def tensor_bytes(shapes: Ragged, data_types: I32) -> I64:
    """int64[rows]: product of the shape x bytes of an element (PopEF user guide, 2.4); -1 if it is unknown or 2^63 or
    more."""
    return _times(elements(shapes), element_sizes(data_types))


def expected_payload(data: TensorData) -> I64:
    """int64[rows]: bytes that the payload should have, for a feed those of all its tensors; -1 as above."""
    return _times(tensor_bytes(data.shape, data.data_type), data.count)


def _times(left: I64, right: I64) -> I64:
    """Products of non-negative numbers; -1 if either is -1 or the product is too large."""
    fits = (left >= 0) & (right >= 0) & (left <= LARGEST // np.maximum(right, 1))
    return np.where(fits, left * np.where(fits, right, 0), -1)
