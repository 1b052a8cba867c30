"""A profile has another as its baseline, until either is closed."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.analysis.compare.comparison import Comparison
from app.document.document import Document
from app.profile.file_state import FileState
from fakes.shell import ascend


def three(document: Document) -> list[int]:
    return [document.add(ascend(name), job=1, show=False) for name in "abc"]


def compared(document: Document) -> Comparison | None:
    return document.baselines.comparison


def test_a_baseline_is_set_swapped_and_ended(qtbot: QtBot) -> None:
    document = Document()
    a, b, c = three(document)
    told: list[int | None] = []
    document.baselines.changed.connect(lambda: told.append(document.baselines.of(document.current_id)))
    document.baselines.set(a, b)
    comparison = compared(document)
    assert comparison is not None
    assert (comparison.before.name, comparison.after.name) == ("b", "a")
    assert compared(document) is comparison
    document.baselines.swap(a)
    assert document.current_id == b
    assert [document.baselines.of(entry) for entry in (a, b)] == [None, a]
    document.show(c)
    assert compared(document) is None
    document.show(b)
    document.baselines.end(b)
    assert compared(document) is None
    document.baselines.end(b)
    document.baselines.set(a, a)
    document.baselines.set(a, 99)
    assert told == [b, a, None]


def test_a_closed_profile_is_no_baseline_and_a_reloaded_one_stays(qtbot: QtBot) -> None:
    document = Document()
    a, b, _ = three(document)
    document.baselines.set(a, b)
    before = compared(document)
    document.replace(b, ascend("again"), job=2)
    after = compared(document)
    assert after is not None
    assert after is not before
    assert after.before.name == "again"
    document.close(b)
    assert document.baselines.of(a) is None
    assert compared(document) is None


def test_what_was_compared_is_compared_again_when_both_files_are_open(qtbot: QtBot) -> None:
    document = Document()
    a, b, _ = three(document)
    document.baselines.set(a, b)
    saved = document.states.of(a)
    again = Document()
    first, second = (again.add(ascend(name), job=1, show=False) for name in "ab")
    again.finish(first)
    again.states.restore(first, saved)
    assert again.baselines.of(first) is None  # the baseline is still being read
    again.finish(second)
    assert again.baselines.of(first) == second
    again.baselines.end(first)
    assert again.states.view(first, "baseline") == {"paths": []}
    again.entries_changed.emit()
    assert again.baselines.of(first) is None
    again.states.restore(second, FileState(views={"baseline": {"paths": [7]}}))
    assert again.baselines.of(second) is None
