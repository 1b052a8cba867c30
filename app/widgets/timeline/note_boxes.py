"""Where notes stand in the picture of a timeline. No Qt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.widgets.timeline.notes import MOST_LINES
from app.widgets.timeline.scene import Scene

PAD = 4
FLAG = 9
LONGEST = 220
"""Pixels that a name beside a note may take."""
THIN = 12
"""A stretch of fewer pixels is drawn like a moment."""
NARROW = 56
"""One of fewer pixels has its name beside it."""
REACH = 5
MOST_SEEN = 1_000


class NoteBox(NamedTuple):
    """A note in the picture: ``left`` to ``right`` is its stretch (one point for a moment), ``room`` how far its name
    may reach; ``top`` and ``height`` are its line's."""

    number: int
    left: float
    right: float
    room: float
    top: float
    height: float

    @property
    def thin(self) -> bool:
        return self.right - self.left < THIN

    @property
    def narrow(self) -> bool:
        """Whether the name stands beside it."""
        return self.right - self.left < NARROW

    @property
    def name_at(self) -> float:
        """Where the name of one that is narrow begins."""
        return (self.left + FLAG if self.thin else self.right) + PAD


def note_boxes(scene: Scene) -> list[NoteBox]:
    """The notes in sight, by rising start; a name reaches to the next note on its line."""
    notes, view = scene.notes, scene.view
    if not notes.notes:
        return []
    near = LONGEST * view.span / scene.body.width
    seen = np.flatnonzero((notes.start <= view.end) & (notes.end >= view.start - near))
    seen = seen[np.argsort(notes.start[seen], kind="stable")][:MOST_SEEN]
    height = (scene.place.notes - 1) / max(notes.lines, 1)
    limit = [scene.body.x + scene.body.width] * MOST_LINES
    found = []
    for index in reversed(seen.tolist()):
        line = int(notes.line[index])
        left, right = scene.near_x(float(notes.start[index])), scene.near_x(float(notes.end[index]))
        room = min(limit[line], right + LONGEST if right - left < NARROW else right)
        found.append(NoteBox(index, left, right, room, scene.place.ruler + line * height, height))
        limit[line] = left - 2
    return found[::-1]


def note_at(scene: Scene, x: float, y: float) -> int | None:
    """The note at a point of the picture: a stretch, a moment or its name; the one that begins last."""
    found = None
    for box in note_boxes(scene):
        if box.top <= y < box.top + box.height:
            right = max(name_end(scene, box), box.right) if box.narrow else box.right
            if box.left - (REACH if box.thin else 0) <= x <= right:
                found = box.number
    return found


def name_end(scene: Scene, box: NoteBox) -> float:
    """About where a name beside a note ends."""
    letters = len(scene.notes.notes[box.number].text)
    return min(box.room, box.name_at + letters * box.height * 0.5)
