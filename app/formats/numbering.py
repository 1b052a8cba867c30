"""Numbers for values, in the order of first appearance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from itertools import count, islice
from typing import TypeVar

import numpy as np

from app.profile.arrays import I32

T = TypeVar("T", bound=Hashable)


def numbering(values: Iterable[T] = ()) -> defaultdict[T, int]:
    """A dictionary in which looking up a new value gives it the next number, without running Python code. It contains
    ``values`` (without duplicates)."""
    known = {value: number for number, value in enumerate(values)}
    return defaultdict(count(len(known)).__next__, known)


def numbers_of(numbers: defaultdict[T, int], values: Iterable[T], size: int) -> I32:
    """int32[size]: the number of each value."""
    return np.fromiter(map(numbers.__getitem__, values), np.int32, size)


def latest(numbers: dict[T, int], count: int) -> list[T]:
    """The last ``count`` values that got a number, in their order."""
    return [*islice(reversed(numbers), count)][::-1]


def translation(numbers: defaultdict[T, int], others: defaultdict[T, int]) -> I32:
    """int32[len(others) + 1]: the number in ``numbers`` of each value of ``others``; the last is -1 and stands for the
    absence of a value."""
    return np.append(numbers_of(numbers, others, len(others)), np.int32(-1))
