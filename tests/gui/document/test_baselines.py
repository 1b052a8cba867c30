"""A profile has another as its baseline, until either is closed."""

from __future__ import annotations

import gettext
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app import language
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matching import Pair, pair_of
from app.analysis.table import Column, Table
from app.document.baselines import pairs_from_json
from app.document.document import Document
from app.language import tr
from app.profile.file_state import FileState
from app.store.file_state import read_state, write_state
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


def test_pairs_made_by_hand_are_swapped_forgotten_and_kept_with_the_file(qtbot: QtBot) -> None:
    document = Document()
    a, b, _ = three(document)
    document.baselines.set(a, b)
    first = compared(document)
    pairs = (Pair("slices", 0, 3, "load", "matmul"), Pair("slices", 1, None))
    document.baselines.set_pairs(a, pairs)
    again = compared(document)
    assert again is not None
    assert again is not first
    assert again.pairs == pairs
    saved = document.states.of(a)
    document.baselines.swap(a)
    assert document.baselines.pairs(b) == (Pair("slices", 3, 0, "matmul", "load"), Pair("slices", None, 1))
    other = Document()
    ids = [other.add(ascend(name), job=1, show=False) for name in "ab"]
    other.states.restore(ids[0], saved)
    for entry in ids:
        other.finish(entry)
    assert other.baselines.pairs(ids[0]) == pairs
    other.baselines.set_pairs(ids[0], ())
    assert other.states.view(ids[0], "baseline_pairs") == {"paths": [str(Path("/data/b.bin").absolute())], "pairs": []}
    early = Document()
    late = [early.add(ascend(name), job=1, show=False) for name in "ab"]
    early.finish(late[0])
    early.finish(late[1])
    early.baselines.set(*late)
    assert early.baselines.pairs(late[0]) == ()
    early.states.restore(late[0], saved)  # what a person did earlier arrives after the comparison began
    assert early.baselines.pairs(late[0]) == pairs


class German(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return {"Number": "Nummer"}.get(message, message)


def test_saved_pairs_are_the_same_rows_in_another_language(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def table() -> Table:
        return Table("t", "T", (Column("n", tr("Number"), np.arange(3), role="key"),))

    document = Document()
    a, b, _ = three(document)
    document.baselines.set(a, b)
    document.baselines.set_pairs(a, (pair_of("t", (table(), 1), (table(), 2)),))
    write_state(tmp_path, "ab", document.states.of(a))
    (pair,) = pairs_from_json(read_state(tmp_path, "ab").views["baseline_pairs"])
    assert (pair.label_before, pair.label_after) == ("Number 1", "Number 2")
    monkeypatch.setattr(language, "_catalogue", German())
    assert table().columns[0].title == "Nummer"
    assert pair.fits(table(), table())


def test_pairs_in_a_saved_state_are_not_trusted() -> None:
    good = ["slices", 0, 3, "load", ""]
    bad = [7, ["slices", 0, 3], ["slices", True, 1, "", ""], ["slices", -1, 1, "", ""], [1, 0, 3, "", ""]]
    none: list[object] = ["slices", None, None, "", ""]
    assert pairs_from_json({"pairs": [good, *bad, none]}) == (Pair("slices", 0, 3, "load"),)
    assert pairs_from_json({"pairs": 7}) == pairs_from_json({}) == ()


def test_what_is_ignored_in_names_matches_again(qtbot: QtBot) -> None:
    document = Document()
    a, b, _ = three(document)
    changes: list[None] = []
    document.baselines.changed.connect(lambda: changes.append(None))
    document.baselines.set_names("exact")
    assert not changes
    document.baselines.set(a, b)
    document.baselines.set_names("numbers")
    comparison = compared(document)
    assert comparison is not None
    assert comparison.names == "numbers"
    assert len(changes) == 2


def test_three_profiles_two_with_the_same_baseline(qtbot: QtBot) -> None:
    document = Document()
    a, b, c = three(document)
    document.baselines.set(a, c)
    first = compared(document)
    document.baselines.set(b, c)
    document.show(b)
    second = compared(document)
    assert first is not None
    assert second is not None
    assert (first.before, second.before) == (second.before, first.before)
    document.show(a)
    assert compared(document) is first
    document.show(c)
    assert compared(document) is None
    document.baselines.set(c, a)  # a circle is no harm
    third = compared(document)
    assert third is not None
    assert third.before is first.after
    document.close(c)
    assert [document.baselines.of(entry) for entry in (a, b)] == [None, None]
