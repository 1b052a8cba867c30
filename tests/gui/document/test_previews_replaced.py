"""What a preview showed is replaced by what is read, and the selection stays on the same items."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document, Update
from app.document.filling import Filling
from app.document.loader import Loader
from app.document.threads import Batch
from app.formats.events import Began, SectionReady
from app.formats.format import HEAVY_BYTES
from app.profile.profile import Target
from app.profile.selection import Selection
from app.profile.timeline import Timeline
from generators.timelines import timeline
from generators.trace_styles import STYLES

PATHS = (Path("trace.json"),)
PORTION = "the first 2 slices"
FIRST = timeline([("core0", "CUBE", [[(10.0, 5.0, "a", ""), (20.0, 5.0, "b", "")]])])
WHOLE = timeline(
    [
        ("core0", "VECTOR", [[(0.0, 5.0, "z", "")]]),
        ("core0", "CUBE", [[(10.0, 5.0, "a", ""), (20.0, 5.0, "b", ""), (40.0, 5.0, "c", "")]]),
    ]
)


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document()


@pytest.fixture
def filling(document: Document) -> Filling:
    """A load of which a preview has shown the first slices."""
    made = Filling(document, "ascend-trace", 1, None, Batch())
    made.take(Began("trace", PATHS, preview=True))
    made.take(SectionReady(FIRST, preview=True, portion=PORTION))
    return made


def shown(document: Document) -> Timeline | None:
    assert document.profile is not None
    return document.profile.timeline


def test_the_whole_replaces_the_portion(document: Document, filling: Filling) -> None:
    assert shown(document) is FIRST
    assert document.profile is not None
    assert document.profile.portions == {"timeline": PORTION}
    updates: list[Update] = []
    document.updated.connect(updates.append)
    filling.take(Began("trace", PATHS))
    filling.take(SectionReady(WHOLE))
    filling.finish(failed=False)
    assert len(document.entries) == 1
    assert shown(document) is WHOLE
    assert document.profile.portions == {}
    assert [update.outdated for update in updates if update.touches("timeline")][-1] == {"timeline"}


@pytest.mark.parametrize("in_front", [True, False])
def test_the_same_slice_stays_selected(document: Document, filling: Filling, in_front: bool) -> None:
    entry = document.entries[0].id
    document.selection.set(Selection("slice", (1,)))
    if not in_front:
        Filling(document, "ascend-trace", 2, None, Batch()).take(Began("other", PATHS))
    filling.take(Began("trace", PATHS))
    filling.take(SectionReady(WHOLE))
    document.show(entry)
    assert document.selection.value is not None
    (index,) = document.selection.value.indices
    assert WHOLE.strings.get(int(WHOLE.slices.name[index])) == "b"


def test_what_is_not_read_after_all_is_removed(document: Document, filling: Filling) -> None:
    filling.take(SectionReady(Target(kind="IPU"), preview=True))
    filling.take(Began("trace", PATHS))
    filling.finish(failed=False)
    assert shown(document) is None
    assert document.profile is not None
    assert document.profile.target is not None


def test_of_several_profiles_each_has_its_own(document: Document, filling: Filling) -> None:
    filling.take(Began("trace", PATHS))
    filling.take(Began("second", PATHS))
    first, second = document.entries
    assert first.profile.filled() == second.profile.filled() == ()


def test_a_profile_that_turns_out_to_be_another_starts_anew(document: Document, filling: Filling) -> None:
    filling.take(Began("another", PATHS, writer="somebody"))
    (entry,) = document.entries
    assert (entry.profile.name, entry.profile.filled()) == ("another", ())


def test_after_a_failure_the_portion_stays_and_says_so(document: Document, filling: Filling) -> None:
    filling.finish(failed=True)
    assert shown(document) is FIRST
    assert document.profile is not None
    assert document.profile.portions == {"timeline": PORTION}
    (issue,) = document.profile.issues
    assert "incomplete" in issue.text


def test_a_large_trace_shows_its_first_slices_and_then_all(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    STYLES["different"].write(path, 28_000, seed=1)
    assert path.stat().st_size > HEAVY_BYTES
    seen: list[tuple[int, str]] = []

    def note(update: Update) -> None:
        if update.profile is not None and update.profile.timeline is not None:
            slices = len(update.profile.timeline.slices.start)
            seen.append((slices, update.profile.portions.get("timeline", "")))

    document.updated.connect(note)
    loader = Loader(document, apart=True)
    with qtbot.waitSignal(loader.idle, timeout=60_000):
        loader.open([path])
    loader.close()
    (first, portion), (whole, rest) = seen[0], seen[-1]
    assert 0 < first < whole
    assert (portion, rest) == (f"the first {first:,} slices", "")
