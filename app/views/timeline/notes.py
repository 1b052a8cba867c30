"""Notes above the rows of a timeline: which stands on which line."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64
from app.profile.file_state import TimeNote

MOST_LINES = 3
"""Stretches that overlap stand on lines of their own, no more than these."""


class Notes(Struct, frozen=True, eq=False):
    """``notes`` in the order they were made; ``start``, ``end``: float64; ``line``: int64, from the top;
    ``chosen``: the index of the chosen one, None where none is."""

    notes: tuple[TimeNote, ...]
    start: F64
    end: F64
    line: I64
    chosen: int | None = None

    @classmethod
    def of(cls, notes: tuple[TimeNote, ...], chosen: int | None = None) -> Notes:
        start = np.array([note.start for note in notes], np.float64)
        end = np.array([note.end for note in notes], np.float64)
        return cls(notes, start, end, lines_of(start, end), chosen)

    @property
    def chosen_note(self) -> TimeNote | None:
        return None if self.chosen is None else self.notes[self.chosen]

    @property
    def lines(self) -> int:
        return int(self.line.max(initial=-1)) + 1

    def height(self, text: int) -> int:
        """Pixels for all lines under texts of this height; 0 without notes."""
        return self.lines * line_height(text) + 1 if self.notes else 0


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
