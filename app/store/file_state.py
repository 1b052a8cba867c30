"""What the user saved for a file: notes, views, the unit of times. One small JSON document per file, in the program's
data folder, never beside the file."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from app.atomic import FOR_OWNER
from app.profile.chosen_unit import ChosenUnit
from app.profile.file_state import FileState
from app.profile.time_note import LONGEST_NOTE, NOTE_COLOURS, TimeNote
from app.store.outputs import write_output

VERSION = 1
KNOWN = frozenset(("version", "file", "notes", "views", "time_unit"))
"""The names at the top of a document. Others, of a later version, are kept as they are."""
LARGEST = 4 * 1024 * 1024
MOST_NOTES = 10_000
MOST_TIME = 1e300


def read_state(folder: Path, fingerprint: str) -> FileState:
    """The saved state; empty if there is no document. Invalid entries are skipped; a document that is not JSON is
    renamed. Never raises because of the content."""
    path = folder / f"{fingerprint}.json"
    try:
        with path.open("rb") as file:
            document = msgspec.json.decode(file.read(LARGEST))
    except OSError:
        return FileState()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        with contextlib.suppress(OSError):
            path.replace(path.with_suffix(".broken"))
        return FileState()
    if not isinstance(document, dict):
        return FileState()
    notes, views = document.get("notes"), document.get("views")
    listed = notes[:MOST_NOTES] if isinstance(notes, list) else []
    read = (_note(entry) for entry in listed)
    return FileState(
        tuple(note for note in read if note is not None),
        {name: view for name, view in views.items() if isinstance(view, dict)} if isinstance(views, dict) else {},
        _unit(document.get("time_unit")),
        {name: value for name, value in document.items() if name not in KNOWN},
    )


def write_state(folder: Path, fingerprint: str, state: FileState, name: str = "") -> None:
    """Save ``state``, by way of a second file so that a crash leaves the old one intact. ``name``: of the file it
    belongs to, for people who look into the folder. OSError if it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    document: dict[str, object] = {
        "version": VERSION,
        "file": name,
        "notes": [{"start": n.start, "end": n.end, "text": n.text, "colour": n.colour} for n in state.notes],
        "views": dict(state.views),
    }
    if state.unit is not None:
        document["time_unit"] = {"unit": state.unit.unit, "clock_hz": state.unit.clock_hz}
    document |= {name: value for name, value in state.other.items() if name not in KNOWN}
    content = msgspec.json.format(msgspec.json.encode(document), indent=1)
    write_output(folder / f"{fingerprint}.json", content, mode=FOR_OWNER)


def _note(entry: object) -> TimeNote | None:
    """The note, or None if the entry has no valid time range."""
    if not isinstance(entry, dict):
        return None
    start, end = _number(entry.get("start")), _number(entry.get("end"))
    if start is None or end is None:
        return None
    text, colour = entry.get("text"), _number(entry.get("colour"))
    return TimeNote(
        min(start, end),
        max(start, end),
        text[:LONGEST_NOTE] if isinstance(text, str) else "",
        int(colour) if colour is not None and 0 <= colour < len(NOTE_COLOURS) else 0,
    )


def _unit(entry: object) -> ChosenUnit | None:
    """The unit, or None if the entry names none."""
    try:
        chosen = msgspec.convert(entry, ChosenUnit)
    except msgspec.ValidationError:
        return None
    return chosen if chosen.valid else None


def _number(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < MOST_TIME:
        return None
    return float(value)
