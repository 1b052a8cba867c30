"""Notes above the rows of a timeline: which stands on which line, and where in the picture. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.profile.arrays import F64, I64
from app.profile.time_note import TimeNote

if TYPE_CHECKING:
    from app.widgets.timeline.scene import Scene

MOST_LINES = 3
"""Stretches that overlap stand on lines of their own, no more than these."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """``notes`` in the order they were made; ``start``, ``end``: float64; ``line``: int64, from the top."""

    notes: tuple[TimeNote, ...]
    start: F64
    end: F64
    line: I64

    @classmethod
    def of(cls, notes: tuple[TimeNote, ...]) -> Notes:
        start = np.array([note.start for note in notes], np.float64)
        end = np.array([note.end for note in notes], np.float64)
        return cls(notes, start, end, lines_of(start, end))

    @property
    def lines(self) -> int:
        return int(self.line.max(initial=-1)) + 1

    def height(self, text: int) -> int:
        """Pixels for all lines under texts of this height; 0 without notes."""
        return self.lines * line_height(text) + 1 if self.notes else 0


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


def line_height(text: int) -> int:
    return max(16, text + 3)


def lines_of(start: F64, end: F64) -> I64:
    """int64: the line of each: the first on which it overlaps none before it in time, the last where all are taken."""
    line = np.zeros(len(start), np.int64)
    free = [-np.inf] * MOST_LINES
    for index in np.lexsort((-end, start)).tolist():
        place = next((number for number, until in enumerate(free) if until <= start[index]), MOST_LINES - 1)
        line[index] = place
        free[place] = max(free[place], end[index])
    return line


NO_NOTES = Notes.of(())


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
