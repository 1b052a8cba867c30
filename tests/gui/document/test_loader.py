"""Loading in the background: several at once, cancel, failure, reload."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.analysis.compare.keeping import kept_of
from app.document.baselines import BaselineDocument
from app.document.document import Document, Update
from app.document.loader import Failure, Loader
from app.document.threads import Closed, Queue
from app.formats import registry
from app.formats.errors import FormatError
from app.formats.events import Began, Progress, Sink
from app.formats.format import Format
from app.formats.source import Source
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.store import baselines
from fakes.shell import ascend


class Toy:
    """A format whose files say what shall happen; ``go`` holds a "wait" file until it is set, and a "deaf" one
    that does not look whether it is cancelled."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.format = Format("toy", "toy files", ("*.toy",), self.sniff, self.read)

    def sniff(self, head: bytes, path: Path) -> int:
        return 3 if head.startswith(b"toy") else 0

    def read(self, sources: Sequence[Source], sink: Sink) -> None:
        (source,) = sources
        words = source.head().decode().split()
        sink(Began(source.path.stem, (source.path,)))
        for done, word in enumerate(words):
            sink(Progress(done, len(words), word))
            if word == "wait":
                while not self.go.wait(0.005):
                    sink(Progress(done, len(words), "waiting"))
            elif word == "deaf":
                self.go.wait()
            elif word == "issue":
                sink(Issue("warning", source.path.name, "doubtful"))
            elif word == "fail":
                raise FormatError("the toy is broken", path=str(source.path), offset=4)
            elif word == "defect":
                raise ZeroDivisionError("a defect")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    made = Toy()
    monkeypatch.setattr(registry, "FORMATS", (made.format,))
    return made


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document()


@pytest.fixture
def loader(document: Document, toy: Toy) -> Iterator[Loader]:
    made = Loader(document)
    yield made
    made.close()


def write(folder: Path, name: str, words: str) -> Path:
    path = folder / f"{name}.toy"
    path.write_text("toy " + words)
    return path


def failures(loader: Loader) -> list[Failure]:
    seen: list[Failure] = []
    loader.failed.connect(seen.append)
    return seen


def test_several_files_load_at_once(qtbot: QtBot, loader: Loader, toy: Toy, document: Document, tmp_path: Path) -> None:
    files = [write(tmp_path, f"f{n}", "wait issue") for n in range(3)]
    loader.open(files)
    qtbot.waitUntil(lambda: len(document.entries) == 3)
    assert [job.state for job in loader.jobs] == ["reading"] * 3
    assert not any(entry.done for entry in document.entries)
    with qtbot.waitSignal(loader.idle):
        toy.go.set()
    assert all(entry.done for entry in document.entries)
    assert [len(entry.profile.issues) for entry in document.entries] == [1, 1, 1]


def test_of_several_files_the_one_that_begins_first_stays_in_front(
    qtbot: QtBot, loader: Loader, toy: Toy, document: Document, tmp_path: Path
) -> None:
    document.finish(document.add(Profile(name="before", origin=Origin("toy", ())), 0))
    shown: list[str] = []
    document.updated.connect(lambda update: shown.append(update.profile.name))
    loader.open([write(tmp_path, f"f{n}", "wait issue") for n in range(3)])
    qtbot.waitUntil(lambda: len(document.entries) == 4)
    with qtbot.waitSignal(loader.idle):
        toy.go.set()
    assert document.current in document.entries[1:]
    assert set(shown) == {document.current.profile.name}


def test_a_profile_is_shown_before_its_first_data_are_handled(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    """Although all of it has arrived: arranging the docks takes the turn of the event loop."""
    told: list[str] = []

    def follow(update: Update) -> None:
        told.append("shown" if update.whole else "data")
        QTimer.singleShot(0, lambda: told.append("next turn"))

    def read_whole() -> None:
        for _, thread, _ in loader._running.values():
            thread.join()

    document.updated.connect(follow)
    loader.jobs_changed.connect(read_whole)
    loader.open([write(tmp_path, "a", "issue")])
    qtbot.waitUntil(lambda: not loader.busy)
    assert told[:3] == ["shown", "next turn", "data"]


def test_a_failed_file_leaves_the_others_alone(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    seen = failures(loader)
    stranger = tmp_path / "stranger.bin"
    stranger.write_bytes(b"\x00\x01")
    with qtbot.waitSignal(loader.idle):
        loader.open([write(tmp_path, "good", "issue"), stranger, tmp_path / "gone.toy"])
    assert [entry.profile.name for entry in document.entries] == ["good"]
    assert [(failure.paths[0].name, failure.text) for failure in seen] == [
        ("stranger.bin", "not a known profile format; Tilesight opens *.toy"),
        ("gone.toy", "no such file"),
    ]


def test_what_was_read_before_a_failure_stays_and_says_so(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    seen = failures(loader)
    with qtbot.waitSignal(loader.idle):
        loader.open([write(tmp_path, "half", "issue fail")])
    assert [failure.text for failure in seen] == ["the toy is broken (at byte 4)"]
    (entry,) = document.entries
    assert [issue.severity for issue in entry.profile.issues] == ["warning", "error"]


def test_a_defect_of_a_reader_is_one_line(qtbot: QtBot, loader: Loader, tmp_path: Path) -> None:
    seen = failures(loader)
    with qtbot.waitSignal(loader.idle):
        loader.open([write(tmp_path, "bad", "defect")])
    assert "a defect in Tilesight's reader: ZeroDivisionError" in seen[0].text
    assert "\n" not in seen[0].text


def test_cancel_restores_what_was_open(qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path) -> None:
    seen = failures(loader)
    with qtbot.waitSignal(loader.idle):
        loader.open([write(tmp_path, "first", "issue")])
    loader.open([write(tmp_path, "second", "wait")])
    qtbot.waitUntil(lambda: len(document.entries) == 2)
    with qtbot.waitSignal(loader.idle):
        loader.cancel(loader.jobs[-1].id)
    assert [entry.profile.name for entry in document.entries] == ["first"]
    assert document.profile is not None
    assert seen == []


def test_cancel_is_answered_while_the_reader_is_stuck(
    qtbot: QtBot, loader: Loader, toy: Toy, document: Document, tmp_path: Path
) -> None:
    loader.open([write(tmp_path, "deaf", "deaf")])
    qtbot.waitUntil(lambda: len(document.entries) == 1)
    (job,) = loader.jobs
    loader.cancel(job.id)  # the reader looks at nothing
    assert job.state == "cancelled"
    assert not document.entries
    assert not loader.busy
    loader.open([write(tmp_path, "next", "")])
    qtbot.waitUntil(lambda: [entry.profile.name for entry in document.entries] == ["next"])
    with qtbot.waitSignal(loader.idle):
        toy.go.set()
    assert [entry.profile.name for entry in document.entries] == ["next"]


def test_more_files_than_slots_wait_their_turn_and_can_be_cancelled_there(
    qtbot: QtBot, loader: Loader, toy: Toy, document: Document, tmp_path: Path
) -> None:
    loader.open([write(tmp_path, f"f{n}", "wait") for n in range(5)])
    qtbot.waitUntil(lambda: [job.state for job in loader.jobs].count("queued") == 2)
    queued = [job.id for job in loader.jobs if job.state == "queued"]
    loader.cancel(queued[0])
    with qtbot.waitSignal(loader.idle):
        toy.go.set()
    assert len(document.entries) == 4


def test_reload_swaps_when_complete_and_a_failed_one_changes_nothing(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    path = write(tmp_path, "again", "")
    with qtbot.waitSignal(loader.idle):
        loader.open([path])
    (entry,) = document.entries
    path.write_text("toy issue")
    with qtbot.waitSignal(loader.idle):
        loader.reload(entry.id)
    assert len(document.entries[0].profile.issues) == 1
    path.write_text("toy fail")
    seen = failures(loader)
    with qtbot.waitSignal(loader.idle):
        loader.reload(entry.id)
    assert len(seen) == 1
    assert len(document.entries[0].profile.issues) == 1


def names(document: Document) -> list[str]:
    """Sorted: of files that are read at once, any may begin first."""
    return sorted(entry.profile.name for entry in document.entries)


def test_what_is_open_is_shown_once_unless_its_file_has_changed(
    qtbot: QtBot, loader: Loader, toy: Toy, document: Document, tmp_path: Path
) -> None:
    first, second = write(tmp_path, "first", ""), write(tmp_path, "second", "")
    seen: list[tuple[int, ...]] = []
    loader.already_open.connect(seen.append)
    for paths in ((tmp_path,), (first,), (tmp_path,), (second,)):
        with qtbot.waitSignal(loader.idle):
            loader.open(paths)
    assert names(document) == ["first", "second"]
    ids = {entry.profile.name: entry.id for entry in document.entries}
    assert [set(entries) for entries in seen] == [{ids["first"]}, set(ids.values()), {ids["second"]}]
    assert document.current_id == ids["second"]
    write(tmp_path, "second", "issue")
    with qtbot.waitSignal(loader.idle):
        loader.open([tmp_path])
    assert names(document) == ["first", "second", "second"]  # the former reading stays, for comparing with it
    slow = write(tmp_path, "slow", "wait")
    loader.open([slow])
    loader.open([slow])
    qtbot.waitUntil(lambda: len(document.entries) == 4)
    with qtbot.waitSignal(loader.idle):
        toy.go.set()
    assert names(document) == ["first", "second", "second", "slow"]


def test_reload_opens_what_came_into_the_folder_and_nothing_that_was_closed(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        write(tmp_path, name, "")
    with qtbot.waitSignal(loader.idle):
        loader.open([tmp_path])
    first, second = sorted(document.entries, key=lambda entry: entry.profile.name)
    document.close(second.id)
    write(tmp_path, "first", "issue")
    write(tmp_path, "third", "")
    with qtbot.waitSignal(loader.idle):
        loader.reload(first.id)
    assert names(document) == ["first", "third"]
    assert document.current_id == first.id
    assert len(document.entries[0].profile.issues) == 1
    with qtbot.waitSignal(loader.idle):
        loader.reload(first.id)
    assert names(document) == ["first", "third"]


def test_messages_that_somebody_else_took_are_not_waited_for() -> None:
    """A dialog that is opened for one message lives on in an event loop that takes the next ones."""
    queue, seen = Queue(), list[int]()
    for job in range(4):
        queue.put(Closed(job, None, False, None, ()))
    for message in queue.drain():
        assert isinstance(message, Closed)
        seen.append(message.job)
        seen += [other.job for other in queue.drain() if isinstance(other, Closed)]
    assert seen == [0, 1, 2, 3]


def test_closing_during_a_load_ends_its_threads(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    loader.open([write(tmp_path, "slow", "wait")])
    qtbot.waitUntil(lambda: len(document.entries) == 1)
    loader.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("load-")]


def test_a_baseline_document_is_read_with_what_was_opened_beside_it(
    qtbot: QtBot, loader: Loader, tmp_path: Path
) -> None:
    seen = failures(loader)
    path, damaged = tmp_path / "small.json", tmp_path / "damaged.json"
    baselines.write(path, kept_of(ascend("run")), [])
    damaged.write_bytes(path.read_bytes()[:-20])
    read: list[BaselineDocument] = []
    loader.baseline_read.connect(read.append)
    beside = write(tmp_path, "a", "begin end")
    with qtbot.waitSignal(loader.idle):
        loader.open([path, beside, damaged])
    assert [(one.path, one.kept.name, one.beside) for one in read] == [(path, "run", frozenset({beside}))]
    assert [failure.paths for failure in seen] == [(damaged,)]
    assert seen[0].text.startswith("the baseline document cannot be used: ")


def test_a_folder_without_profiles_says_so(qtbot: QtBot, loader: Loader, tmp_path: Path) -> None:
    seen = failures(loader)
    with qtbot.waitSignal(loader.idle):
        loader.open([tmp_path])
    assert seen[0].text.startswith("this folder contains no profiles")


def test_a_worker_waits_for_the_next_heavy_file_until_the_end(qtbot: QtBot, document: Document, root: Path) -> None:
    loader = Loader(document)
    children = psutil.Process().children
    before = set(children())
    loader.start_spare()
    loader.start_spare()
    (waiting,) = set(children()) - before
    loader.open([root / "resources" / "samples" / "resnet_inference.popef"])
    with qtbot.waitSignal(loader.idle):
        pass
    assert waiting.is_running()  # a small file needs none
    loader.close()
    assert not waiting.is_running()
    assert set(children()) == before
