"""Which model and which anchor of a baseline belong to those of another profile."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.names import without_numbers
from app.profile.popef import Model


def counterpart(before: Model, after: Model, row: int) -> int:
    """The row of the metadata before that belongs to a row after: that of the same executable, else of one whose name
    differs in numbers and hashes only (one of several by their order), else the only one; -1 without any."""
    names = [
        [own.strings.get(executable) for executable in own.metadata.executable.tolist()] for own in (before, after)
    ]
    if not 0 <= row < len(names[1]):
        return -1
    for plain in (str, without_numbers):
        wanted = plain(names[1][row])
        alike = [place for place, name in enumerate(names[0]) if plain(name) == wanted]
        ordinal = [place for place, name in enumerate(names[1]) if plain(name) == wanted].index(row)
        if ordinal < len(alike):
            return alike[ordinal]
    return 0 if len(names[0]) == len(names[1]) == 1 else -1


def counterpart_anchor(before: Model, after: Model, anchor: int) -> int:
    """The anchor before with the name of an anchor after, in the model that belongs to its model; -1 without one."""
    row = counterpart(before, after, int(after.anchors.metadata[anchor]))
    name = after.strings.get(int(after.anchors.name[anchor]))
    own = before.anchors
    places = np.flatnonzero(np.isin(own.name, before.strings.find(name)) & (own.metadata == row))
    return int(places[0]) if len(places) and name else -1
