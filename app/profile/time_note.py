"""A user's note on a point or range of time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

NOTE_COLOURS = ("blue", "orange", "green", "pink", "sky", "vermilion")
"""Names of the note colours, by number."""
LONGEST_NOTE = 500
MOST_NOTES = 10_000
"""Notes of one file that are shown; no more can be added."""


class TimeNote(Struct, frozen=True, eq=False):
    """``start``, ``end``: in the timeline's unit, equal for a point in time; ``colour``: index into NOTE_COLOURS;
    ``id``: the same in all windows that show the file, however the note is changed ("" for one that is not saved);
    ``changed``: seconds since 1970. Notes are equal that say the same, whichever they are."""

    start: float
    end: float
    text: str
    colour: int = 0
    id: str = ""
    changed: float = 0.0

    @property
    def moment(self) -> bool:
        return self.end == self.start

    @property
    def _words(self) -> tuple[float, float, str, int]:
        return self.start, self.end, self.text, self.colour

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimeNote) and self._words == other._words

    def __ne__(self, other: object) -> bool:  # a Struct has one of its own
        return not self == other

    def __hash__(self) -> int:
        return hash(self._words)


def identified(notes: Iterable[TimeNote]) -> tuple[TimeNote, ...]:
    """``notes``, each with an id of its own. The id of one that has none, or that of another, follows from what it
    says, so that every window gives it the same."""
    known: dict[str, TimeNote] = {}
    for note in notes:
        name, number = note.id, 0
        while not name or name in known:
            name, number = digest(note.start, note.end, note.text, note.colour, number), number + 1
        known[name] = note if name == note.id else replace(note, id=name)
    return tuple(known.values())


def digest(*parts: object) -> str:
    """An id that follows from ``parts``: 16 hexadecimal digits."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()
