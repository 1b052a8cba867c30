"""What the user set for a file: the unit of times, notes on its timeline, and the views of panels. Imports no numpy:
the empty window needs it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field
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


ChosenName: TypeAlias = Literal["ns", "µs", "cycles"]
LOWEST_HZ, HIGHEST_HZ = 1.0, 1e12


class ChosenUnit(Struct, frozen=True):
    """A unit that the user set for the times of a file. ``clock_hz``: the frequency of cycles, None not known."""

    unit: ChosenName
    clock_hz: float | None = None

    @property
    def valid(self) -> bool:
        return self.clock_hz is None or (self.unit == "cycles" and LOWEST_HZ <= self.clock_hz <= HIGHEST_HZ)


class FileState(Struct, frozen=True):
    """``notes``: in the order they were made; ``views``: by panel id, the state of the panel for this file, as plain
    JSON values; ``unit``: that of times in its timeline, if the user set it; ``other``: what the document of the file
    contains besides, under names that only other versions of the program know; it is written back."""

    notes: tuple[TimeNote, ...] = ()
    views: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unit: ChosenUnit | None = None
    other: Mapping[str, Any] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        return not self.notes and not self.views and self.unit is None and not self.other


FIELDS = ("start", "end", "text", "colour")


def merged_notes(
    base: Iterable[TimeNote], mine: Iterable[TimeNote], theirs: Iterable[TimeNote]
) -> tuple[TimeNote, ...]:
    """The notes that result from the changes of both sides since ``base``, which both knew: ``theirs`` in their order,
    then new ones of ``mine``. A note that one side removed is gone, unless the other side changed it meanwhile. Where
    both changed a note, each field is that of the side that changed it, or changed it last; a text that is replaced in
    this way remains as a note of its own."""
    before = {note.id: note for note in identified(base)}
    left = {note.id: note for note in identified(mine)}
    notes: list[TimeNote] = []
    for note in identified(theirs):
        own = left.pop(note.id, None)
        if own is not None:
            notes += _both(before.get(note.id), own, note)
        elif before.get(note.id) != note:
            notes.append(note)
    notes += [note for note in left.values() if before.get(note.id) != note]
    return identified(notes)


def _both(before: TimeNote | None, mine: TimeNote, theirs: TimeNote) -> list[TimeNote]:
    """What becomes of a note that both sides have: one note, or two where a text would be lost."""
    if theirs in (before, mine):
        return [mine]
    if mine == before:
        return [theirs]
    earlier, later = (mine, theirs) if mine.changed <= theirs.changed else (theirs, mine)
    kept = {name: getattr(earlier, name) for name in FIELDS if getattr(later, name) == getattr(before, name, None)}
    note = replace(later, **kept)
    if note.text.startswith(earlier.text) or (before is not None and earlier.text == before.text):
        return [note]
    return [note, replace(earlier, id=digest(earlier.id, earlier.text))]
