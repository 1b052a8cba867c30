"""Whether a file is a Poplar profile, by its first bytes."""

from __future__ import annotations

from pathlib import Path

from app.formats.poplar.keys import clues
from app.formats.source import Source


class _Head(Source):
    """The first bytes of a file, as if they were all of it."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.size = len(data)
        self._fd = -1
        self._data = data

    def _read_at(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


def sniff(head: bytes, path: Path) -> int:
    """3 with a key that only these files have, 2 with one that others may have, 0 without.

    Keys stand in alphabetical order, so the first value may be longer than ``head``; its key is in it all the same.
    """
    best = 0
    for clue in clues(_Head(head, path)):
        best = max(best, 3 if clue.sure else 2)
        if best == 3:
            break
    return best
