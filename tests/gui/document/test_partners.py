"""A graph and its execution that are opened one after the other, and those that do not belong together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.entry import rest_of_run
from app.document.file_watcher import Partner, Partners
from app.document.loader import Loader
from generators import ascend_capture, poplar
from generators.trees import write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=3, tiles_per_ipu=4, loops=1)
FOREIGN = replace(SCALE, tiles_per_ipu=6)


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document()


@pytest.fixture
def loader(document: Document) -> Iterator[Loader]:
    made = Loader(document)
    yield made
    made.close()


def opened(qtbot: QtBot, loader: Loader, *paths: Path) -> None:
    with qtbot.waitSignal(loader.idle):
        loader.open(paths)


def names(document: Document) -> list[list[str]]:
    return [[path.name for path in entry.profile.origin.paths] for entry in document.entries]


def test_a_run_that_came_into_the_folder_later_joins_its_graph_on_reload(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    graph, run = poplar.write_pair(tmp_path, SCALE)
    written = run.read_bytes()
    run.unlink()
    opened(qtbot, loader, tmp_path)
    (entry,) = document.entries
    assert entry.profile.steps is None
    run.write_bytes(written)
    with qtbot.waitSignal(loader.idle):
        loader.reload(entry.id)
    assert names(document) == [[graph.name, run.name]]
    assert document.entries[0].profile.steps is not None


@pytest.mark.parametrize("first", ["graph.json", "execution.json"])
def test_opened_after_the_other_it_joins_it(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path, first: str
) -> None:
    pair = poplar.write_pair(tmp_path, SCALE)
    joined: list[tuple[Path, ...]] = []
    loader.joined.connect(joined.append)
    opened(qtbot, loader, tmp_path / first)
    opened(qtbot, loader, next(path for path in pair if path.name != first))
    (entry,) = document.entries
    assert set(entry.profile.origin.paths) == set(pair)
    assert entry.profile.programs is not None
    assert entry.profile.steps is not None
    assert [set(paths) for paths in joined] == [set(pair)]


def test_a_foreign_one_opened_after_stands_apart_and_says_so(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    graph, run = poplar.write_pair(tmp_path, SCALE)
    write_json(run, poplar.execution(FOREIGN))
    opened(qtbot, loader, graph)
    opened(qtbot, loader, run)
    assert names(document) == [["graph.json"], ["execution.json"]]
    assert document.current is document.entries[1]
    for entry in document.entries:
        assert entry.profile.mismatch is not None
        assert "has 6 tiles, but the graph has 4" in entry.profile.mismatch.why
    for entry in document.entries:  # reading either again makes no third profile
        with qtbot.waitSignal(loader.idle):
            loader.reload(entry.id)
    assert names(document) == [["graph.json"], ["execution.json"]]
    write_json(run, poplar.execution(SCALE))
    with qtbot.waitSignal(loader.idle):
        loader.reload(document.entries[0].id)
    assert names(document) == [["graph.json", "execution.json"]]
    assert document.entries[0].profile.mismatch is None


def test_what_was_opened_alone_is_offered_the_other_and_nothing_is_read(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    graph, run = poplar.write_pair(tmp_path, SCALE)
    partners = Partners(document)
    offers: list[Partner] = []
    partners.changed.connect(offers.append)
    opened(qtbot, loader, graph)
    qtbot.waitUntil(lambda: not partners.busy)
    (entry,) = document.entries
    assert offers == [Partner(entry.id, run)]
    assert entry.profile.execution is None
    with qtbot.waitSignal(loader.idle):
        loader.join(entry.id, [run])
    assert names(document) == [["graph.json", "execution.json"]]
    assert offers[1:] == [Partner(entry.id, None)]
    qtbot.waitUntil(lambda: not partners.busy)
    document.close(entry.id)
    opened(qtbot, loader, run)
    qtbot.waitUntil(lambda: not partners.busy)
    assert offers[2:] == [Partner(document.entries[0].id, graph)]
    partners.deleteLater()


def test_both_open_by_themselves_become_one(qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    graph = write_json(tmp_path / "one.json", poplar.graph(SCALE))
    run = write_json(tmp_path / "two.json", poplar.execution(SCALE))
    other = write_json(tmp_path / "b" / "graph.json", poplar.graph(SCALE))
    with document.together():
        opened(qtbot, loader, other)
        opened(qtbot, loader, graph)
    opened(qtbot, loader, run)  # called otherwise, but the only two of their folder
    assert names(document) == [["graph.json"], ["one.json", "two.json"]]


def test_ranks_that_were_opened_one_by_one_are_joined(
    qtbot: QtBot, loader: Loader, document: Document, tmp_path: Path
) -> None:
    """Each rank once; another with the number of one of them stays apart."""
    ascend_capture.write(tmp_path / "run", ascend_capture.Run(ranks=3))
    ascend_capture.write(tmp_path / "other", ascend_capture.Run(ranks=1, seed=3))
    for name in ("run/rank0_ascend_pt", "other/rank0_ascend_pt", "run/rank1_ascend_pt"):
        opened(qtbot, loader, tmp_path / name)
    assert len(document.entries) == 3
    first = document.entries[0]
    files = rest_of_run(document.entries, first)
    assert {path.parts[len(tmp_path.parts)] for path in files} == {"run"}
    with qtbot.waitSignal(loader.idle):
        loader.join(first.id, files)
    ranks = [entry.profile.capture.rank.tolist() for entry in document.entries if entry.profile.capture]
    assert ranks == [[0, 1], [0]]
    assert document.entries[0].profile.name == "run (rank0_ascend_pt …)"
