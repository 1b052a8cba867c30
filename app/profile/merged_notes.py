"""Merges the notes of one file that two windows changed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from app.profile.time_note import TimeNote, digest, identified

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
