"""Whether a file is a Poplar profile, by its first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from app.formats.json.problems import Problems
from app.formats.poplar.held import Held
from app.formats.poplar.keys import clues, open_walk
from app.formats.source import Source

HEAD_BYTES = 65536
NAMES = re.compile(r"(?<![a-z])(graph|execution|compile|execute)(?![a-z])")


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
    """3 with a key that only these files have, 2 with one that others may have, else 0.

    Keys stand in alphabetical order, so the first value may be longer than ``head``; its key is in it all the same.
    Where an unknown key with such a value comes first, the name decides (1).
    """
    best = 0
    for clue in clues(_Head(head, path)):
        best = max(best, 3 if clue.sure else 2)
        if best == 3:
            break
    if not best and len(head) >= HEAD_BYTES and NAMES.search(path.stem.lower()):
        walk = open_walk(_Head(head, path), Problems(Held(), ""))
        return int(walk is not None)
    return best
