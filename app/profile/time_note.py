"""A user's note on a point or range of time."""

from __future__ import annotations

from msgspec import Struct

NOTE_COLOURS = ("blue", "orange", "green", "pink", "sky", "vermilion")
"""Names of the note colours, by number."""
LONGEST_NOTE = 500


class TimeNote(Struct, frozen=True):
    """``start``, ``end``: in the timeline's unit, equal for a point in time; ``colour``: index into NOTE_COLOURS."""

    start: float
    end: float
    text: str
    colour: int = 0

    @property
    def moment(self) -> bool:
        return self.end == self.start
