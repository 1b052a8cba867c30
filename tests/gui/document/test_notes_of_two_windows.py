"""Two windows and two processes on one file, and a disk that is full: no note is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.state_saver import NOTES_MS, StateSaver
from app.profile.profile import Origin, Profile
from app.store.file_state import read_state
from app.store.fingerprint import content_fingerprint
from app.widgets.fields import DRAFT_MS


class Window:
    """The document and the saver of one window."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.document = Document()
        self.owner = QObject()
        self.saver = StateSaver(self.document, folder, self.owner)

    def open(self, *paths: Path) -> int:
        entry = self.document.add(Profile(name=paths[0].name, origin=Origin("ascend-trace", paths)), 1)
        self.qtbot.waitUntil(lambda: not self.saver.busy)
        return entry

    @property
    def texts(self) -> list[str]:
        return [note.text for note in self.document.notes.value]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "trace.json"
    path.write_text("[1]")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "states"


def saved(folder: Path, file: Path) -> list[str]:
    return [note.text for note in read_state(folder, content_fingerprint([file])).notes]


def document_of(folder: Path, file: Path) -> Path:
    return folder / f"{content_fingerprint([file])}.json"


def test_each_window_saves_its_own_changes(qtbot: QtBot, file: Path, folder: Path) -> None:
    first, second = Window(qtbot, folder), Window(qtbot, folder)
    first.open(file)
    first.document.notes.add(1, 1, "one")
    first.document.notes.add(2, 2, "two")
    first.saver.write()
    second.open(file)
    second.document.notes.add(3, 3, "three")
    second.document.notes.choose(2)
    first.document.notes.remove(0)
    first.document.notes.rename(0, "two of the first")
    first.saver.write()
    second.saver.write()
    assert saved(folder, file) == second.texts == ["two of the first", "three"]
    assert second.document.notes.chosen == 1  # the same note as before
    first.document.notes.rename(0, "two again")
    first.saver.write()
    assert saved(folder, file) == first.texts == ["two again", "three"]
    second.document.notes.remove(1)
    second.saver.write()
    first.document.states.set_view(first.document.entries[0].id, "timeline", {"top": 4})
    first.saver.write()
    assert saved(folder, file) == first.texts == ["two again"]


def test_both_texts_of_one_note_remain(qtbot: QtBot, file: Path, folder: Path) -> None:
    first, second = Window(qtbot, folder), Window(qtbot, folder)
    first.open(file)
    first.document.notes.add(1, 1, "slow")
    first.saver.write()
    second.open(file)
    first.document.notes.rename(0, "slow because of the exchange")
    second.document.notes.rename(0, "a bank conflict")
    second.saver.write()
    first.saver.write()
    assert saved(folder, file) == ["a bank conflict", "slow because of the exchange"]
    second.document.notes.recolour(0)
    second.saver.write()
    assert saved(folder, file) == second.texts == ["a bank conflict", "slow because of the exchange"]


def test_views_of_the_other_window_remain(qtbot: QtBot, file: Path, folder: Path) -> None:
    first, second = Window(qtbot, folder), Window(qtbot, folder)
    one, two = first.open(file), second.open(file)
    first.document.states.set_view(one, "timeline", {"top": 4})
    second.document.states.set_view(two, "scaling", {"ipus": 2})
    first.saver.write()
    second.saver.write()
    assert read_state(folder, content_fingerprint([file])).views == {"timeline": {"top": 4}, "scaling": {"ipus": 2}}


ONE_PROCESS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
import app.document
from app.document.document import Document
from app.document.state_saver import StateSaver
from app.profile.profile import Origin, Profile

file, folder, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
qt = QCoreApplication([])
document = Document()
saver = StateSaver(document, folder, qt)
document.add(Profile(name="t", origin=Origin("ascend-trace", (file,))), 1)
while saver.busy:
    qt.processEvents()
print("ready", flush=True)
sys.stdin.readline()
for number in range(40):
    document.notes.add(number, number, f"{name} {number}")
    if number % 4 == 3:
        mine = [place for place, note in enumerate(document.notes.value) if note.text.startswith(name)]
        document.notes.remove(mine[-2])
    saver.write()
assert not saver.unsaved, saver.unsaved
"""


def test_two_processes_at_the_same_time(file: Path, folder: Path, root: Path) -> None:
    command = [sys.executable, "-c", ONE_PROCESS, str(file), str(folder)]
    running = [
        subprocess.Popen([*command, name], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("left", "right")
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in running:
        process.communicate()
        assert process.returncode == 0
    expected = {f"{name} {number}" for name in ("left", "right") for number in range(40) if number % 4 != 2}
    texts = saved(folder, file)
    assert set(texts) == expected
    assert len(texts) == len(expected)


@pytest.fixture
def small_files() -> Iterator[Callable[[bool], None]]:
    """Makes the system refuse to write more than a few bytes into any file of this process, like a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(full: bool) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]) if full else before)

    yield limit
    limit(False)


def test_a_full_disk_loses_nothing(qtbot: QtBot, file: Path, folder: Path, small_files: Callable[[bool], None]) -> None:
    window = Window(qtbot, folder)
    entry = window.open(file)
    window.document.notes.add(1, 1, "before")
    window.saver.write()
    small_files(True)
    window.document.notes.rename(0, "on the full disk")
    with qtbot.waitSignal(window.saver.unsaved_changed):
        window.saver.write()
    assert [one.name for one in window.saver.unsaved] == ["trace.json"]
    assert window.saver.unsaved[0].reason == os.strerror(27)
    assert saved(folder, file) == ["before"]
    assert [path.name for path in folder.iterdir()] == [document_of(folder, file).name]  # nothing half written
    window.document.notes.add(2, 2, "and another")
    window.document.close(entry)  # also of a profile that is closed
    assert window.saver.unsaved
    again = window.open(file)
    assert window.texts == ["on the full disk", "and another"]
    small_files(False)
    qtbot.waitUntil(lambda: not window.saver.unsaved, timeout=20_000)  # by itself
    assert saved(folder, file) == ["on the full disk", "and another"]
    window.document.close(again)
    assert not window.saver.busy


def test_a_profile_that_is_closed_at_once_keeps_its_note(qtbot: QtBot, file: Path, folder: Path) -> None:
    window = Window(qtbot, folder)
    entry = window.document.add(Profile(name="t", origin=Origin("ascend-trace", (file,))), 1)
    window.document.notes.add(1, 1, "quick")
    window.document.close(entry)
    qtbot.waitUntil(lambda: document_of(folder, file).exists())
    assert saved(folder, file) == ["quick"]


def test_the_program_that_ends_at_once_keeps_its_note(qtbot: QtBot, file: Path, folder: Path) -> None:
    window = Window(qtbot, folder)
    window.document.add(Profile(name="t", origin=Origin("ascend-trace", (file,))), 1)
    window.document.notes.add(1, 1, "quick")
    window.saver.write(at_end=True)
    assert saved(folder, file) == ["quick"]
    assert not window.saver.unsaved


def test_notes_of_a_file_that_is_gone_are_not_forgotten_in_silence(qtbot: QtBot, tmp_path: Path, folder: Path) -> None:
    window = Window(qtbot, folder)
    window.open(tmp_path / "gone.json")
    window.document.notes.add(1, 1, "of what is gone")
    window.saver.write()
    assert [one.name for one in window.saver.unsaved] == ["gone.json"]
    window.document.notes.remove(0)
    window.saver.write()
    assert not window.saver.unsaved


def test_notes_are_saved_within_a_second(qtbot: QtBot, file: Path, folder: Path) -> None:
    assert DRAFT_MS + NOTES_MS <= 700
    window = Window(qtbot, folder)
    window.open(file)
    window.document.states.set_view(window.document.entries[0].id, "timeline", {"top": 4})
    window.document.notes.add(1, 1, "soon")  # does not wait as long as the view
    qtbot.waitUntil(lambda: document_of(folder, file).exists(), timeout=900)
    assert saved(folder, file) == ["soon"]


def entry(number: int) -> dict[str, object]:
    return {"start": number, "end": number, "text": f"note {number}", "colour": 0}


@pytest.mark.parametrize(
    "document",
    [
        {"version": 2, "notes": [entry(1)]},
        {"version": 1.5, "notes": [entry(1)]},
        {"version": "later", "notes": [entry(1)]},
        {"version": 1, "notes": {"a": entry(1)}},
        {"version": 1, "notes": [entry(1)], "views": []},
        [entry(1)],
        {"version": 1, "notes": [entry(1)], "padding": "x" * (64 << 20)},
    ],
    ids=["newer", "between", "named", "notes", "views", "list", "large"],
)
def test_a_document_that_is_not_understood_is_not_overwritten(
    qtbot: QtBot, file: Path, folder: Path, document: object
) -> None:
    folder.mkdir()
    path = document_of(folder, file)
    path.write_text(json.dumps(document))
    before = path.read_bytes()
    window = Window(qtbot, folder)
    window.open(file)
    window.document.notes.add(5, 5, "new")
    window.saver.write()
    assert path.read_bytes() == before
    assert list(folder.iterdir()) == [path]
    assert [one.name for one in window.saver.unsaved] == ["trace.json"]
    assert "notes file" in window.saver.unsaved[0].reason


@pytest.mark.parametrize("count", [10_050, 60_000])
def test_all_of_a_large_document_remains(qtbot: QtBot, file: Path, folder: Path, count: int) -> None:
    folder.mkdir()
    path = document_of(folder, file)
    entries = [{**entry(number), "by": {"name": "a later version"}} for number in range(count)]
    entries[3:3] = [{"start": "soon"}, 7]  # type: ignore[list-item]
    path.write_text(json.dumps({"version": 1, "notes": entries, "views": {"timeline": 4}, "tags": ["slow"]}))
    window = Window(qtbot, folder)
    window.open(file)
    assert len(window.texts) == 10_000
    assert not window.document.notes.add(5, 5, "one too many")
    window.document.notes.rename(1, "renamed")
    window.document.notes.remove(0)
    window.saver.write()
    assert not window.saver.unsaved
    written = json.loads(path.read_bytes())
    assert (written["tags"], written["views"]) == (["slow"], {"timeline": 4})
    texts = [one["text"] for one in written["notes"] if isinstance(one, dict) and "text" in one]
    assert sorted(texts) == sorted(["renamed", *(f"note {number}" for number in range(2, count))])
    assert all(one["by"] for one in written["notes"] if isinstance(one, dict) and "text" in one)
    assert {"start": "soon"} in written["notes"]
    assert 7 in written["notes"]


def test_broken_documents_are_numbered(qtbot: QtBot, file: Path, folder: Path) -> None:
    folder.mkdir()
    path = document_of(folder, file)
    for text in ("{first", "{second", "{third"):
        path.write_text(text)
        window = Window(qtbot, folder)
        window.open(file)
        window.document.notes.add(5, 5, "new")
        window.saver.write()
        assert saved(folder, file) == ["new"]
    broken = sorted(one for one in folder.iterdir() if one != path)
    assert [one.read_text() for one in broken] == ["{second", "{third", "{first"]
    assert [one.name.removeprefix(path.name) for one in broken] == [".2.broken", ".3.broken", ".broken"]
