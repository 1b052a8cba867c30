"""What a selection stands for is looked up once for all panels, in a thread in large profiles, and is never that of an
earlier selection."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from app.analysis import relations
from app.document.document import Document
from app.document.selection import LinkCache, LinksPending
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from generators import poplar
from generators.poplar_network import Scale

SCALE = Scale(seed=4, mode="COMPUTE_SETS", estimates=True, tiles_per_ipu=48, compute_sets=20, spread=0.4, loops=3)
KINDS: tuple[Kind, ...] = ("tile", "program", "step", "slice", "compute_set", "exchange", "vertex_type", "liveness")


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("linked"), SCALE))
    return profile


@pytest.fixture
def document(profile: Profile, qtbot: QtBot) -> Iterator[Document]:
    document = Document()
    document.add(profile, 1)
    yield document
    delete(document)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every profile is a large one."""
    monkeypatch.setattr(relations, "slow", lambda _: True)


class Panel(QObject):
    """Marks what the selection stands for, as panels do."""

    def __init__(self, document: Document, kind: Kind) -> None:
        super().__init__(document)
        self._document, self._kind = document, kind
        self.marked: list[list[int]] = []

    def mark(self) -> None:
        selection, profile = self._document.selection.value, self._document.profile
        assert selection is not None
        assert profile is not None
        self.marked.append(self._document.linked.items(profile, selection, self._kind).tolist())


def test_remembered_links_are_those_of_the_kinds(profile: Profile) -> None:
    cache = LinkCache(profile)
    for start in KINDS:
        for end in KINDS:
            wanted = relations.translate(profile, Selection(start, (2, 3)), end)
            for _ in range(2):
                np.testing.assert_array_equal(cache.items(Selection(start, (2, 3)), end), wanted, f"{start} {end}")


def test_a_small_profile_is_looked_through_at_once(document: Document) -> None:
    document.selection.set(Selection("tile", (3,)))
    panel = Panel(document, "step")
    document.linked.attempt(panel.mark)
    assert panel.marked == [relations.translate(document.entries[0].profile, Selection("tile", (3,)), "step").tolist()]


def test_three_panels_share_one_look_up_in_a_thread(
    document: Document, slow: None, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = relations.translate(document.entries[0].profile, Selection("tile", (3,)), "slice").tolist()
    threads = []

    def counted(profile: Profile, tiles: I64) -> I64:
        threads.append(threading.current_thread())
        return relations.direct(profile, "tile", "step", tiles)

    monkeypatch.setitem(relations.LINKS["tile"], "step", counted)
    document.selection.set(Selection("tile", (3,)))
    panels = [Panel(document, kind) for kind in ("step", "slice", "step")]
    for panel in panels:
        document.linked.attempt(panel.mark)
    qtbot.waitUntil(lambda: all(panel.marked for panel in panels))
    assert panels[1].marked == [wanted]
    assert wanted
    assert len(threads) <= 2  # one for what was asked first, and it is known when the rest is asked for
    assert threading.main_thread() not in threads


def test_a_selection_that_was_replaced_is_not_marked(document: Document, slow: None, qtbot: QtBot) -> None:
    panel = Panel(document, "step")
    profile = document.entries[0].profile
    for tile in (3, 9):
        document.selection.set(Selection("tile", (tile,)))
        document.linked.attempt(panel.mark)
    qtbot.waitUntil(lambda: bool(panel.marked))
    assert panel.marked == [relations.translate(profile, Selection("tile", (9,)), "step").tolist()]
    assert panel.marked != [relations.translate(profile, Selection("tile", (3,)), "step").tolist()]


def test_a_panel_that_is_gone_is_not_called(document: Document, slow: None, qtbot: QtBot) -> None:
    document.selection.set(Selection("tile", (3,)))
    gone, there = Panel(document, "step"), Panel(document, "step")
    for panel in (gone, there):
        document.linked.attempt(panel.mark)
    delete(gone)
    qtbot.waitUntil(lambda: bool(there.marked))
    assert not gone.marked


def test_nothing_is_looked_up_of_a_profile_that_is_closed(document: Document, slow: None, qtbot: QtBot) -> None:
    profile = document.entries[0].profile
    document.selection.set(Selection("tile", (3,)))
    with pytest.raises(LinksPending):
        document.linked.items(profile, Selection("tile", (3,)), "step")
    document.close(document.entries[0].id)
    qtbot.waitUntil(lambda: not document.linked._background.busy)
    assert document.linked._cache is None
