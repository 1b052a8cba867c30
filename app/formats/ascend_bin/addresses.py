"""Parses instruction addresses and address ranges from hexadecimal strings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from app.formats.ascend_bin.part import Part
from app.language import plural, tr
from app.profile.arrays import I64, sealed

_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9a-fA-F]{1,16}")
_PLAIN = re.compile(r"0x[0-9a-f]{1,15}(?:\n0x[0-9a-f]{1,15})*+")
_LIMIT = 1 << 63


def address(value: Any) -> int:
    """``value``, a hexadecimal string or an integer, as an address; -1 where it is not an address below 2^63."""
    if isinstance(value, str):
        if not _HEX.fullmatch(value):
            return -1
        number = int(value, 16)
        return number if number < _LIMIT else -1
    return value if type(value) is int and 0 <= value < _LIMIT else -1


def addresses(values: Sequence[Any]) -> I64:
    """int64[values]: the addresses, -1 where a value is not one."""
    joined = "\n".join(values) if set(map(type, values)) == {str} else ""
    if _PLAIN.fullmatch(joined) and joined.count("\n") == len(values) - 1:
        return np.fromiter((int(value, 16) for value in values), np.int64, len(values))
    return np.fromiter(map(address, values), np.int64, len(values))


class Ranges:
    """Collects the "Address Range" of rows: pairs of strings, both ends inclusive (section 2.4). ``odd`` counts invalid
    pairs, which are left out as in the vendor's reader."""

    def __init__(self) -> None:
        self.odd = 0
        self._counts: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, cells: Sequence[Any]) -> None:
        """Adds the cells of the next rows; None for a row without ranges."""
        for cell in cells:
            before = len(self._starts)
            for pair in cell if isinstance(cell, list) else ():
                self._pair(pair)
            self._counts.append(len(self._starts) - before)

    def columns(self) -> tuple[I64, I64, I64]:
        """(first: int64[rows + 1], starts, ends), sealed."""
        first = np.array(list(accumulate(self._counts, initial=0)), np.int64)
        return sealed(first), sealed(np.array(self._starts, np.int64)), sealed(np.array(self._ends, np.int64))

    def report(self, part: Part) -> None:
        if self.odd:
            part.warn(
                tr("invalid address ranges"),
                plural(
                    "{count:,} address range of {block} is not a pair of addresses",
                    "{count:,} address ranges of {block} are not pairs of addresses",
                    count=self.odd,
                    block=part.block.label,
                ),
            )

    def _pair(self, pair: Any) -> None:
        if isinstance(pair, list) and len(pair) == 2:
            start, end = address(pair[0]), address(pair[1])
            if 0 <= start <= end:
                self._starts.append(start)
                self._ends.append(end)
                return
        self.odd += 1
