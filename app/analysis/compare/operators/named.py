"""Pairs items by name: the first of a name with the first of the same name, the second with the second."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

import numpy as np

from app.profile.arrays import I64


def pairs_by_name(before: Iterable[Hashable], after: Iterable[Hashable]) -> tuple[I64, I64]:
    """int64 each: places in ``before`` and ``after``, -1 for none: all after in their order, then those that are only
    before."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    count = 0
    for place, name in enumerate(before):
        waiting[name].append(place)
        count += 1
    own = [waiting[name].pop(0) if waiting.get(name) else -1 for name in after]
    matched = set(own)
    rest = [place for place in range(count) if place not in matched]
    left = np.array([*own, *rest], np.int64)
    right = np.concatenate((np.arange(len(own)), np.full(len(rest), -1))).astype(np.int64)
    return left, right
