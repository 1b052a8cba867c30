"""Files that are cut off, replaced or deleted while they are open: the window lives, shows what it has, and says so."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.file_watcher import FileChanges, FileWatcher
from app.document.loader import Loader
from app.resources import resource
from app.window.file_notices import ChangedFiles
from app.window.notices import Notice
from fakes.shell import make_window
from fakes.told import told_by
from generators import ascend_trace, poplar

WORDS = {"shorten": "has become shorter", "delete": "no longer exists"}


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of each kind; the trace and the graph are read by a worker, and mapped."""
    folder = tmp_path_factory.mktemp("profiles")
    ascend_trace.write(folder / "trace.json", 34_000, 4)
    poplar.write(folder / "graph.json", poplar.graph(poplar.Scale(tiles_per_ipu=400, compute_sets=700)))
    for name in ("matmul_leakyrelu.bin", "resnet_inference.popef"):
        shutil.copy(resource("samples") / name, folder / name)
    assert all((folder / name).stat().st_size > 8 << 20 for name in ("trace.json", "graph.json"))
    return folder


@pytest.mark.parametrize("change", ["shorten", "delete"])
def test_the_window_outlives_its_files(change: str, profiles: Path, tmp_path: Path, root: Path) -> None:
    folder = tmp_path / "open"
    shutil.copytree(profiles, folder)
    told = told_by("fakes.changed_window", change, folder, root=root)
    assert told["trouble"] == []
    assert len(told["panels"]) > 20
    lines = told["notices"].splitlines()
    assert len(lines) == 4
    assert all(WORDS[change] in line for line in lines)


def test_a_change_is_told_once_and_taken_back(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document()
    loader = Loader(document)
    path = tmp_path / "a.bin"
    shutil.copy(resource("samples") / "matmul_leakyrelu.bin", path)
    with qtbot.waitSignal(loader.idle):
        loader.open([path])
    watching = FileWatcher(document, loader)
    seen: list[FileChanges] = []
    watching.changed.connect(seen.append)
    whole = path.read_bytes()
    (entry,) = document.entries

    def look() -> None:
        watching.look()
        qtbot.waitUntil(lambda: not watching._background.busy)

    look()
    assert seen == []
    os.utime(path)
    look()
    look()
    assert seen == [FileChanges(entry.id, ((path, "was rewritten"),))]
    path.write_bytes(whole + b"more")
    look()
    assert seen[1:] == [FileChanges(entry.id, ((path, "has grown"),))]
    path.write_bytes(whole)
    with qtbot.waitSignal(loader.idle):
        loader.reload(entry.id)
    assert seen[2:] == [FileChanges(entry.id, ())]
    look()
    path.unlink()
    look()
    assert seen[3:] == [FileChanges(entry.id, ((path, "no longer exists"),))]
    document.close(entry.id)
    assert seen[4:] == [FileChanges(entry.id, ())]
    loader.close()
    watching.deleteLater()


def test_the_notice_goes_with_the_change(qtbot: QtBot, tmp_path: Path) -> None:
    window = make_window()
    qtbot.addWidget(window)
    changed = ChangedFiles(window)
    window.notices.add(Notice("info", "something else"))
    path = tmp_path / "a.bin"
    changed.watcher.changed.emit(FileChanges(1, ((path, "has grown"),)))
    changed.watcher.changed.emit(FileChanges(2, ((path, "no longer exists"),)))
    assert "Reload (F5)" in window.notices.text
    assert window.notices.text.count(str(path)) == 2
    changed.watcher.changed.emit(FileChanges(1, ()))
    assert window.notices.text.count(str(path)) == 1
    changed.watcher.changed.emit(FileChanges(2, ()))
    assert window.notices.text == "something else"
