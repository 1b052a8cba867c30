"""A list of whole numbers for each item, in two columns."""

from __future__ import annotations

from dataclasses import dataclass

from app.profile.arrays import I64


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Item i has ``values[first[i]:first[i + 1]]``. ``first``: int64[items + 1]; ``values``: int64."""

    first: I64
    values: I64

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, item: int) -> I64:
        """The numbers of ``item``; IndexError outside 0..len-1."""
        if not 0 <= item < len(self):
            raise IndexError(item)
        return self.values[int(self.first[item]) : int(self.first[item + 1])]
