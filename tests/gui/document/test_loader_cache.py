"""The loader opens heavy files from what was kept, keeps what it read, and gives everything back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Failure, Loader
from app.formats import registry
from app.formats.errors import FormatError
from app.store import folders
from app.store.cache.limit import CacheLimit
from app.store.locks import claimed
from fakes.columns import Reader, heavy_job
from generators import poplar


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.setattr(registry, "FORMATS", (heavy_job().format,))
    return Reader(monkeypatch)


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document()


@pytest.fixture
def loader(document: Document, reader: Reader) -> Iterator[Loader]:
    made = Loader(document, choice=CacheLimit(1 << 30))
    yield made
    made.close()


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return poplar.write(tmp_path / "graph.json", poplar.graph(poplar.Scale(tiles_per_ipu=8, compute_sets=3)))


def stores() -> list[Path]:
    return list(folders.every(folders.place()))


def kept() -> list[Path]:
    return [folder for folder in stores() if folders.is_cached(folder)]


def opened(qtbot: QtBot, loader: Loader, path: Path) -> None:
    with qtbot.waitSignal(loader.idle):
        loader.open([path])
    qtbot.waitUntil(lambda: not keeping())


def keeping() -> bool:
    return any(thread.name == "keep" for thread in threading.enumerate())


def close_all(document: Document) -> None:
    for entry in document.entries:
        document.close(entry.id)


def test_opened_again_nothing_is_read(
    qtbot: QtBot, loader: Loader, reader: Reader, document: Document, graph: Path
) -> None:
    opened(qtbot, loader, graph)
    first = document.entries[0].profile
    assert len(kept()) == 1
    close_all(document)
    assert len(kept()) == 1
    opened(qtbot, loader, graph)
    opened(qtbot, loader, graph)  # it is open, so that is shown
    assert reader.count == 1
    assert [entry.done for entry in document.entries] == [True]
    assert [entry.cached for entry in document.entries] == [True]
    assert document.entries[0].profile.filled() == first.filled()
    assert document.entries[0].profile.issues == first.issues
    close_all(document)
    with claimed(kept()[0]) as mine:
        assert mine


def test_reload_reads_the_file(qtbot: QtBot, loader: Loader, reader: Reader, document: Document, graph: Path) -> None:
    opened(qtbot, loader, graph)
    assert [entry.cached for entry in document.entries] == [False]
    close_all(document)
    opened(qtbot, loader, graph)
    assert [entry.cached for entry in document.entries] == [True]
    with qtbot.waitSignal(loader.idle):
        loader.reload(document.entries[0].id)
    qtbot.waitUntil(lambda: not keeping())
    assert reader.count == 2
    assert [entry.cached for entry in document.entries] == [False]
    assert len(stores()) == 1


def test_of_several_files_the_one_that_is_gone_is_named(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    _, execution = poplar.write_pair(tmp_path, poplar.Scale(tiles_per_ipu=8, compute_sets=3))
    opened(qtbot, loader, tmp_path)
    told: list[Failure] = []
    loader.failed.connect(told.append)
    execution.unlink()
    with qtbot.waitSignal(loader.idle):
        loader.reload(document.entries[0].id)
    assert told == [Failure((execution,), "no such file")]


def test_nothing_is_kept_without_a_choice(
    qtbot: QtBot, loader: Loader, reader: Reader, document: Document, graph: Path
) -> None:
    loader.choice = None
    opened(qtbot, loader, graph)
    assert len(stores()) == 1
    assert kept() == []
    close_all(document)
    assert stores() == []


def test_closing_the_profile_while_it_is_kept(
    qtbot: QtBot, loader: Loader, reader: Reader, document: Document, graph: Path, disk: Disk
) -> None:
    with qtbot.waitSignal(loader.idle):
        loader.open([graph])
    assert disk.asked.wait(5)
    close_all(document)
    assert len(stores()) == 1
    disk.go.set()
    qtbot.waitUntil(lambda: not keeping())
    assert len(kept()) == 1
    with claimed(kept()[0]) as mine:
        assert mine


def test_closing_the_window_while_it_is_kept(
    qtbot: QtBot, loader: Loader, reader: Reader, document: Document, graph: Path, disk: Disk
) -> None:
    with qtbot.waitSignal(loader.idle):
        loader.open([graph])
    assert disk.asked.wait(5)
    release = threading.Timer(0.05, disk.go.set)
    release.start()
    loader.close()
    release.join()
    assert not keeping()
    assert kept() == []
    assert stores() == []


def test_records_of_a_file_that_changed_are_not_told(
    qtbot: QtBot, tmp_path: Path, document: Document, generated: Callable[[Path], None]
) -> None:
    """Their places in the file are those of another file now."""
    path = tmp_path / "trace.json"
    generated(path)
    loader = Loader(document)
    with qtbot.waitSignal(loader.idle):
        loader.open([path])
    (entry,) = document.entries
    assert entry.profile.timeline is not None
    ordinal = int(entry.profile.timeline.slices.record[0])
    assert loader.record(entry.id, ordinal)
    text = path.read_bytes()
    path.write_bytes(text + b"\n")
    with pytest.raises(FormatError, match="has changed since it was read; reload it"):
        loader.record(entry.id, ordinal)
    loader.close()


class Disk:
    """A slow one: pushing to it takes until ``go``."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go = threading.Event()

    def fsync(self, _fd: int) -> None:
        self.asked.set()
        self.go.wait(10)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk()
    monkeypatch.setattr("os.fsync", made.fsync)
    yield made
    made.go.set()


@pytest.fixture
def generated() -> Callable[[Path], None]:
    from generators import ascend_trace

    def write(path: Path) -> None:
        ascend_trace.write(path, 500, 1)

    return write
