"""Notes of the shown profile, and how they come back the next time."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.state_saver import StateSaver
from app.profile.file_state import NOTE_COLOURS, FileState, TimeNote
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection
from app.store.file_state import read_state, write_state
from app.store.fingerprint import content_fingerprint


def profile(*paths: Path) -> Profile:
    return Profile(name=paths[0].name if paths else "none", origin=Origin("ascend-trace", paths))


@pytest.fixture
def document(qapp: object) -> Document:
    document = Document()
    document.add(profile(), 1)
    return document


def texts(document: Document) -> list[str]:
    return [note.text for note in document.notes.value]


def test_a_new_note_is_chosen_and_has_a_colour_of_its_own(document: Document) -> None:
    for number in range(len(NOTE_COLOURS) + 1):
        document.notes.add(number, number + 1.0, f"n{number}")
    colours = [note.colour for note in document.notes.value]
    assert colours == [*range(len(NOTE_COLOURS)), 0]
    assert document.notes.chosen == len(NOTE_COLOURS)


def test_names_colours_and_removing(document: Document) -> None:
    document.notes.add(1, 1, "one")
    document.notes.add(2, 3, "two")
    document.notes.rename(0, "  first\n of all ")
    document.notes.recolour(0)
    assert document.notes.value == (TimeNote(1, 1, "first of all", 1), TimeNote(2, 3, "two", 1))
    document.notes.remove(0)
    assert texts(document) == ["two"]
    assert document.notes.chosen is None
    document.notes.remove(5)
    document.notes.rename(5, "x")
    document.notes.choose(5)
    assert (texts(document), document.notes.chosen) == (["two"], None)


def test_a_new_note_leaves_what_it_was_added_to_selected(document: Document) -> None:
    chosen = Selection("slice", (3,))
    document.selection.set(chosen)
    document.notes.add(1, 1, "one")
    assert (document.selection.value, document.notes.chosen) == (chosen, 0)
    document.notes.choose(0)  # clicked
    assert (document.selection.value, document.notes.chosen) == (None, 0)


def test_a_note_that_is_chosen_ends_the_selection_and_the_other_way_round(document: Document) -> None:
    document.notes.add(1, 1, "one")
    document.selection.set(Selection("slice", (3,)))
    assert document.notes.chosen is None
    document.notes.choose(0)
    assert document.selection.value is None
    assert document.notes.chosen == 0


def test_each_profile_has_its_own(document: Document) -> None:
    document.notes.add(1, 1, "of the first")
    first = document.entries[0].id
    second = document.add(profile(), 2)
    assert texts(document) == []
    document.notes.add(2, 2, "of the second")
    document.show(first)
    assert texts(document) == ["of the first"]
    document.close(second)
    assert texts(document) == ["of the first"]
    document.close(first)
    assert texts(document) == []
    document.notes.add(1, 1, "of nothing")
    assert texts(document) == []


class Run:
    """One run of the program."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.document = Document()
        self.owner = QObject()
        self.keeping = StateSaver(self.document, folder, self.owner)

    def open(self, *paths: Path) -> int:
        entry = self.document.add(profile(*paths), 1)
        self.qtbot.waitUntil(lambda: not self.keeping.busy)
        return entry


def test_notes_and_views_come_back_with_the_same_content(qtbot: QtBot, tmp_path: Path) -> None:
    file, kept = tmp_path / "trace.json", tmp_path / "kept"
    file.write_text("[1, 2]")
    run = Run(qtbot, kept)
    entry = run.open(file)
    run.document.notes.add(1, 2, "look")
    run.document.states.set_view(entry, "timeline", {"start": 1.0})
    assert not kept.exists()
    run.keeping.write()
    moved = tmp_path / "elsewhere.json"
    file.rename(moved)
    again = Run(qtbot, kept)
    with qtbot.waitSignal(again.document.states.restored):
        entry = again.open(moved)
    assert texts(again.document) == ["look"]
    assert again.document.states.view(entry, "timeline") == {"start": 1.0}
    assert not list(tmp_path.glob("*.json.*"))  # nothing beside the file
    moved.write_text("[1, 3]")
    other = Run(qtbot, kept)
    other.open(moved)
    assert texts(other.document) == []


def test_what_is_written_before_the_file_is_known_is_added(qtbot: QtBot, tmp_path: Path) -> None:
    file, kept = tmp_path / "trace.json", tmp_path / "kept"
    file.write_text("[]")
    write_state(kept, content_fingerprint([file]), FileState((TimeNote(1, 1, "old", 0),), {"timeline": {"top": 4}}))
    run = Run(qtbot, kept)
    run.document.add(profile(file), 1)
    run.document.notes.add(2, 2, "new")
    run.document.states.set_view(run.document.entries[0].id, "timeline", {"top": 9})
    qtbot.waitUntil(lambda: not run.keeping.busy)
    run.keeping.write()
    found = read_state(kept, content_fingerprint([file]))
    assert [note.text for note in found.notes] == ["old", "new"]
    assert found.views == {"timeline": {"top": 9}}


def test_notes_go_with_a_file_that_is_read_again(qtbot: QtBot, tmp_path: Path) -> None:
    file, kept = tmp_path / "trace.json", tmp_path / "kept"
    file.write_text("[]")
    run = Run(qtbot, kept)
    entry = run.open(file)
    run.document.notes.add(2, 2, "stays")
    file.write_text("[7]")
    run.document.replace(entry, profile(file), 2)
    qtbot.waitUntil(lambda: not run.keeping.busy)
    assert texts(run.document) == ["stays"]
    run.keeping.write()
    assert [note.text for note in read_state(kept, content_fingerprint([file])).notes] == ["stays"]


def test_closing_writes_and_a_missing_file_harms_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    file, kept = tmp_path / "trace.json", tmp_path / "kept"
    file.write_text("[]")
    run = Run(qtbot, kept)
    entry = run.open(file)
    gone = run.open(tmp_path / "gone.json")
    run.document.notes.add(1, 1, "of what is gone")
    run.document.show(entry)
    run.document.notes.add(2, 2, "kept")
    run.document.close(entry)
    assert [note.text for note in read_state(kept, content_fingerprint([file])).notes] == ["kept"]
    assert len(list(kept.iterdir())) == 1
    run.document.close(gone)


def test_a_folder_that_cannot_be_written_harms_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    file, kept = tmp_path / "trace.json", tmp_path / "kept"
    file.write_text("[]")
    kept.write_text("in the way")
    run = Run(qtbot, kept)
    run.open(file)
    run.document.notes.add(1, 1, "lost")
    run.keeping.write()
    assert texts(run.document) == ["lost"]
