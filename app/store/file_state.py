"""What the user saved for a file: notes, views, the unit of times. One JSON document per file, in the program's data
folder, never beside the file. Several windows may write the same document: each merges its own changes into it."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from app.atomic import FOR_OWNER, put_aside
from app.language import plain_text, tr
from app.profile.file_state import (
    LONGEST_NOTE,
    MOST_NOTES,
    NOTE_COLOURS,
    ChosenUnit,
    FileState,
    TimeNote,
    digest,
    identified,
    merged_notes,
)
from app.store.locks import alone
from app.store.outputs import write_output

VERSION = 1
KNOWN = frozenset(("version", "file", "notes", "views", "time_unit"))
"""The names at the top of a document. Others, of a later version, are kept as they are."""
LARGEST = 64 * 1024 * 1024
"""Bytes: twice what MOST_NOTES of the longest notes take."""
LONGEST_ID = 64
MOST_TIME = 1e300
BROKEN = msgspec.DecodeError, UnicodeDecodeError, RecursionError
"""What reading a document that is not JSON raises."""


class StateDocument(Struct, frozen=True):
    """A document as it was read. ``raw``: all of it; ``entries``: by note id, the entries that ``state.notes`` was read
    from; ``unread``: those that are not shown, because they are no notes, or too many; ``foreign``: why the document
    cannot be written by this version, "" if it can."""

    state: FileState = field(default_factory=FileState)
    raw: Mapping[str, Any] = field(default_factory=dict)
    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unread: tuple[object, ...] = ()
    foreign: str = ""


def read_state(folder: Path, fingerprint: str) -> FileState:
    """The saved state; empty if there is no document. Invalid entries are skipped; a document that is not JSON is
    renamed. Never raises because of the content."""
    path = folder / f"{fingerprint}.json"
    try:
        return _read(path).state
    except BROKEN:
        with contextlib.suppress(OSError), alone(folder):
            return _read_or_put_aside(path).state
    except OSError:
        pass
    return FileState()


def write_state(
    folder: Path, fingerprint: str, state: FileState, name: str = "", base: FileState | None = None
) -> tuple[TimeNote, ...]:
    """Merge what changed in ``state`` since ``base`` (None: it was empty) into the document, and return its notes. The
    document is replaced as a whole, so that a crash leaves the old one intact. Whatever this version does not
    understand stays in it; a document of a newer version, or of another form, is not touched. ``name``: of the file it
    belongs to, for people who look into the folder. OSError if it cannot be written."""
    base = FileState() if base is None else base
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{fingerprint}.json"
    with alone(folder):
        before = _read_or_put_aside(path)
        if before.foreign:
            raise OSError(errno.EPERM, before.foreign, str(path))
        notes = merged_notes(base.notes, state.notes, before.state.notes)
        document = _merged(before, state, base, notes, name)
        content = msgspec.json.format(msgspec.json.encode(document, enc_hook=plain_text), indent=1)
        if len(content) > LARGEST:
            raise OSError(errno.EFBIG, _too_large(), str(path))
        write_output(path, content, mode=FOR_OWNER, lasting=notes != before.state.notes)
    return notes


def _merged(
    before: StateDocument, state: FileState, base: FileState, notes: tuple[TimeNote, ...], name: str
) -> dict[str, object]:
    """The new document: the old one with ``notes``, and with what changed in ``state`` since ``base``."""
    raw = before.raw
    changed = {panel: view for panel, view in state.views.items() if view != base.views.get(panel)}
    document: dict[str, object] = {
        "version": VERSION,
        "file": name or raw.get("file", ""),
        "notes": [*(_entry(note, before) for note in notes), *before.unread],
        "views": {**raw.get("views", {}), **changed},
    }
    if state.unit == base.unit:
        document |= {name: raw[name] for name in ("time_unit",) if name in raw}
    elif state.unit is not None:
        document["time_unit"] = {"unit": state.unit.unit, "clock_hz": state.unit.clock_hz}
    others = {**state.other, **raw}
    return document | {name: value for name, value in others.items() if name not in KNOWN}


def _entry(note: TimeNote, before: StateDocument) -> dict[str, object]:
    """A note in the document: what the document says of it, also what this version cannot read, but for what changed
    since."""
    entry = before.entries.get(note.id, {})
    known = _note(entry)
    names = [name for name in note.__struct_fields__ if known is None or getattr(known, name) != getattr(note, name)]
    if "start" in names or "end" in names:  # the document may have them the other way round
        names += ["start", "end"]
    return {**entry, **{name: getattr(note, name) for name in names}}


def _read_or_put_aside(path: Path) -> StateDocument:
    """The document, empty if there is none; one that is not JSON is renamed. OSError if it cannot be read or renamed.
    The caller excludes other writers, who might replace it meanwhile."""
    try:
        return _read(path)
    except FileNotFoundError:
        return StateDocument()
    except BROKEN:
        put_aside(path)
        return StateDocument()


def _read(path: Path) -> StateDocument:
    """The document as far as this version understands it. OSError, or BROKEN if it is not JSON."""
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        return StateDocument(foreign=_too_large())
    raw = msgspec.json.decode(content)
    if not isinstance(raw, dict):
        return StateDocument(foreign=_other_form())
    notes, views = raw.get("notes", []), raw.get("views", {})
    known = isinstance(notes, list) and isinstance(views, dict)
    listed, unread = _notes(notes if isinstance(notes, list) else [])
    shown = identified(note for note, _ in listed)
    state = FileState(
        shown,
        {name: view for name, view in views.items() if isinstance(view, dict)} if isinstance(views, dict) else {},
        _unit(raw.get("time_unit")),
        {name: value for name, value in raw.items() if name not in KNOWN},
    )
    version = raw.get("version", VERSION)
    foreign = "" if known and version == VERSION else _other_form()
    if isinstance(version, int | float) and version > VERSION:
        foreign = tr("a newer version of Tilesight wrote its notes file")
    entries = {note.id: entry for note, (_, entry) in zip(shown, listed, strict=True)}
    return StateDocument(state, raw, entries, tuple(unread), foreign)


def _notes(entries: list[object]) -> tuple[list[tuple[TimeNote, Mapping[str, Any]]], list[object]]:
    """The first MOST_NOTES notes, each with its entry, and the other entries."""
    listed: list[tuple[TimeNote, Mapping[str, Any]]] = []
    unread: list[object] = []
    for entry in entries:
        note = _note(entry) if len(listed) < MOST_NOTES else None
        if note is not None and isinstance(entry, dict):
            listed.append((note, entry))
        else:
            unread.append(entry)
    return listed, unread


def _note(entry: object) -> TimeNote | None:
    """The note, or None if the entry has no valid time range."""
    if not isinstance(entry, dict):
        return None
    start, end = _number(entry.get("start")), _number(entry.get("end"))
    if start is None or end is None:
        return None
    text, colour, name = entry.get("text"), _number(entry.get("colour")), entry.get("id")
    return TimeNote(
        min(start, end),
        max(start, end),
        text[:LONGEST_NOTE] if isinstance(text, str) else "",
        int(colour) if colour is not None and 0 <= colour < len(NOTE_COLOURS) else 0,
        name if isinstance(name, str) and len(name) <= LONGEST_ID else _own_id(name),
        _number(entry.get("changed")) or 0.0,
    )


def _own_id(name: object) -> str:
    """An id for a note that the document calls by what is no id in this version; "" if it calls it nothing."""
    return digest("id", name) if isinstance(name, int | float | str) else ""


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


def _too_large() -> str:
    return tr("its notes file is larger than {limit:,} bytes", limit=LARGEST)


def _other_form() -> str:
    return tr("its notes file has an unknown format")
