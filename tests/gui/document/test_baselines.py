"""A profile has another as its baseline, until either is closed."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.document.document import Document
from fakes.shell import ascend


def three(document: Document) -> list[int]:
    return [document.add(ascend(name), job=1, show=False) for name in "abc"]


def test_a_baseline_is_set_swapped_and_ended(qtbot: QtBot) -> None:
    document = Document()
    a, b, c = three(document)
    told: list[int | None] = []
    document.baselines.changed.connect(lambda: told.append(document.baselines.of(document.current_id)))
    document.baselines.set(a, b)
    comparison = document.baselines.comparison
    assert comparison is not None
    assert (comparison.before.name, comparison.after.name) == ("b", "a")
    assert document.baselines.comparison is comparison
    document.baselines.swap(a)
    assert document.current_id == b
    assert [document.baselines.of(entry) for entry in (a, b)] == [None, a]
    document.show(c)
    assert document.baselines.comparison is None
    document.show(b)
    document.baselines.end(b)
    assert document.baselines.comparison is None
    document.baselines.end(b)
    document.baselines.set(a, a)
    document.baselines.set(a, 99)
    assert told == [b, a, None]


def test_a_closed_profile_is_no_baseline_and_a_reloaded_one_stays(qtbot: QtBot) -> None:
    document = Document()
    a, b, _ = three(document)
    document.baselines.set(a, b)
    before = document.baselines.comparison
    document.replace(b, ascend("again"), job=2)
    after = document.baselines.comparison
    assert after is not None
    assert after is not before
    assert after.before.name == "again"
    document.close(b)
    assert document.baselines.of(a) is None
    assert document.baselines.comparison is None
