"""Recognises Poplar profiles and their companion files by their first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from app.formats.head import Head
from app.formats.poplar.beside import companion
from app.formats.poplar.keys import clues, open_walk

HEAD_BYTES = 65536
NAMES = re.compile(r"(?<![a-z])(graph|execution|compile|execute)(?![a-z])")


def sniff(head: bytes, path: Path) -> int:
    """3 with a key that only Poplar profiles have, 2 with one that other files may have too, else 0.

    Keys are in alphabetical order, and the first value may be longer than ``head``, but its key is inside ``head``.
    Where an unknown key with such a value comes first, the name decides (1). Companion files get the score of
    ``beside.companion``.
    """
    best = 0
    for clue in clues(Head(head, path)):
        best = max(best, 3 if clue.sure else 2)
        if best == 3:
            break
    other = None if best else companion(head, path)
    if other is not None:
        return other.score
    if not best and len(head) >= HEAD_BYTES and NAMES.search(path.stem.lower()):
        walk = open_walk(Head(head, path))
        return int(walk is not None)
    return best
