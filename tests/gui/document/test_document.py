"""Open profiles, the shown one, selection and ranges."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.document.document import Document, Update
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.profile.selection import Ranges, Selection, TileRange, TimeRange
from fakes.shell import ascend


def profile(name: str) -> Profile:
    return Profile(name=name, origin=Origin("poplar", (Path(f"{name}.json"),)))


def updates(document: Document) -> list[Update]:
    seen: list[Update] = []
    document.updated.connect(seen.append)
    return seen


def test_the_first_profile_is_shown_at_once(qtbot: QtBot) -> None:
    document = Document()
    seen = updates(document)
    document.add(profile("a"), job=1)
    assert [(u.profile.name if u.profile else None, u.whole) for u in seen] == [("a", True)]


def test_files_that_are_read_sooner_stand_behind_those_before_them(qtbot: QtBot) -> None:
    document = Document()
    for job in (2, 4, 1, 3, 1):
        document.add(profile(f"of {job}"), job)
    assert [entry.job for entry in document.entries] == [1, 1, 2, 3, 4]
    document.replace(document.entries[0].id, profile("reloaded"), 6)
    document.add(profile("new"), 5)
    assert [entry.job for entry in document.entries] == [6, 1, 2, 3, 4, 5]


def test_growing_a_profile_in_the_background_says_nothing(qtbot: QtBot) -> None:
    document = Document()
    document.add(profile("a"), job=1)
    other = document.add(profile("b"), job=2, show=False)
    seen = updates(document)
    document.grow(other, profile("b").with_issue(Issue("info", "b", "x")), frozenset({"issues"}))
    assert seen == []
    document.show(other)
    assert seen[-1].profile is not None
    assert len(seen[-1].profile.issues) == 1


def test_each_profile_remembers_its_selection(qtbot: QtBot) -> None:
    document = Document()
    first = document.add(profile("a"), job=1)
    document.selection.set(Selection("tile", (3,)))
    document.add(profile("b"), job=2)
    assert document.selection.value is None
    document.show(first)
    assert document.selection.value == Selection("tile", (3,))


def test_each_profile_remembers_its_ranges_and_their_history(qtbot: QtBot) -> None:
    document = Document()
    first = document.add(profile("a"), job=1)
    stretches = [Ranges(time=TimeRange(0.0, end)) for end in (1.0, 2.0, 3.0)]
    for stretch in stretches:
        document.ranges.set(stretch)
    document.edits.undo()
    second = document.add(profile("b"), job=2)
    assert document.ranges.value == Ranges()
    assert document.edits.to_undo is None
    tiles = Ranges(tiles=TileRange((4, 5)))
    document.ranges.set(tiles)
    document.show(first)
    assert document.ranges.value == stretches[1]
    document.edits.redo()
    assert document.ranges.value == stretches[2]
    document.show(second)
    assert document.ranges.value == tiles
    document.close(second)
    assert document.ranges.value == stretches[2]


def test_closing_the_shown_one_shows_its_neighbour(qtbot: QtBot) -> None:
    document = Document()
    ids = [document.add(profile(name), job=n) for n, name in enumerate("abc")]
    document.show(ids[1])
    document.close(ids[1])
    assert document.profile is not None
    assert document.profile.name == "c"
    document.close(ids[2])
    document.close(ids[0])
    assert document.entries == ()
    assert document.profile is None


def test_a_late_section_for_a_closed_profile_is_dropped(qtbot: QtBot) -> None:
    document = Document()
    entry = document.add(profile("a"), job=1)
    document.close(entry)
    document.grow(entry, profile("late"), frozenset({"timeline"}))
    assert document.entries == ()


def selected(document: Document) -> Selection | None:
    return document.selection.value


def test_reload_keeps_what_is_still_there_selected(qtbot: QtBot) -> None:
    document = Document()
    entry, other = document.add(ascend("a"), job=1), document.add(ascend("b"), job=2)
    document.selection.set(Selection("slice", (3,)))
    document.show(entry)
    document.selection.set(Selection("slice", (2,)))
    document.replace(entry, ascend("a again"), job=3)
    assert document.profile is not None
    assert document.profile.name == "a again"
    assert selected(document) == Selection("slice", (2,))
    document.replace(other, profile("b without a timeline"), job=4)
    document.show(other)
    assert selected(document) is None
    document.show(entry)
    assert selected(document) == Selection("slice", (2,))
    document.replace(entry, profile("a without a timeline"), job=5)
    assert selected(document) is None


def test_ranges_undo_and_redo(qtbot: QtBot) -> None:
    document = Document()
    ranges = document.ranges
    first = Ranges(time=TimeRange(1.0, 2.0))
    second = Ranges(time=TimeRange(1.0, 2.0), tiles=TileRange((4, 5)))
    ranges.set(first)
    ranges.set(second)
    document.edits.undo()
    assert ranges.value == first
    document.edits.redo()
    assert ranges.value == second
    document.edits.undo()
    document.edits.undo()
    assert ranges.value == Ranges()
    assert document.edits.to_undo is None
    ranges.set(first)
    assert document.edits.to_redo is None


def test_the_same_selection_is_told_once(qtbot: QtBot) -> None:
    document = Document()
    seen: list[object] = []
    document.selection.changed.connect(seen.append)
    document.selection.set(Selection("tile", (1, 2)))
    document.selection.set(Selection("tile", (1, 2)))
    document.selection.clear()
    assert seen == [Selection("tile", (1, 2)), None]
