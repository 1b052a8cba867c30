"""Notes that two windows changed are merged by note."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.profile.file_state import TimeNote, identified, merged_notes

ONE = TimeNote(1, 1, "one", 0, "a", 10.0)
TWO = TimeNote(2, 3, "two", 1, "b", 11.0)
BASE = (ONE, TWO)


def texts(notes: tuple[TimeNote, ...]) -> list[str]:
    return [note.text for note in notes]


def test_what_one_side_adds_changes_or_removes_is_kept() -> None:
    new, other = TimeNote(5, 5, "new", 0, "c"), TimeNote(6, 6, "other", 0, "d")
    renamed = replace(ONE, text="first", changed=20.0)
    assert texts(merged_notes(BASE, (*BASE, new), (*BASE, other))) == ["one", "two", "other", "new"]
    assert texts(merged_notes(BASE, (renamed, TWO), BASE)) == ["first", "two"]
    assert texts(merged_notes(BASE, BASE, (renamed, TWO))) == ["first", "two"]
    assert texts(merged_notes(BASE, (TWO,), BASE)) == ["two"]
    assert texts(merged_notes(BASE, BASE, (TWO,))) == ["two"]
    assert texts(merged_notes(BASE, (TWO,), (ONE,))) == []
    assert merged_notes(BASE, BASE, BASE) == BASE


def test_a_note_that_one_side_changed_is_not_removed_by_the_other() -> None:
    renamed = replace(ONE, text="first", changed=20.0)
    assert texts(merged_notes(BASE, (TWO,), (renamed, TWO))) == ["first", "two"]
    assert texts(merged_notes(BASE, (renamed, TWO), (TWO,))) == ["two", "first"]


def test_the_later_change_counts_and_the_other_text_remains() -> None:
    early, late = replace(ONE, text="early", changed=20.0), replace(ONE, text="late", changed=30.0)
    for mine, theirs in ((early, late), (late, early)):
        merged = merged_notes(BASE, (mine, TWO), (theirs, TWO))
        assert texts(merged) == ["late", "early", "two"]
        assert merged[0].id == "a"
        assert len({note.id for note in merged}) == 3
        # the other window merges the result with its own side: nothing is doubled
        assert merged_notes((mine, TWO), (mine, TWO), merged) == merged
        assert merged_notes((theirs, TWO), (theirs, TWO), merged) == merged


def test_different_fields_of_one_note_are_both_changed() -> None:
    renamed, coloured = replace(ONE, text="first", changed=20.0), replace(ONE, colour=4, changed=30.0)
    assert merged_notes(BASE, (renamed,), (coloured,)) == (TimeNote(1, 1, "first", 4),)
    assert merged_notes(BASE, (coloured,), (renamed,)) == (TimeNote(1, 1, "first", 4),)


def test_notes_without_ids_are_the_same_in_every_window() -> None:
    plain = [TimeNote(1, 1, "same"), TimeNote(1, 1, "same"), TimeNote(2, 2, "other")]
    first, second = identified(plain), identified(plain)
    assert [note.id for note in first] == [note.id for note in second]
    assert len({note.id for note in first}) == 3
    assert texts(merged_notes(first, first[1:], second)) == ["same", "other"]


notes = st.lists(
    st.builds(
        TimeNote,
        st.just(1.0),
        st.just(1.0),
        st.sampled_from("pqrs"),
        st.integers(0, 1),
        st.sampled_from("abcd"),
        st.sampled_from([1.0, 2.0]),
    ),
    max_size=4,
    unique_by=lambda note: note.id,
).map(tuple)


@given(notes, notes, notes)
def test_no_text_that_anybody_wrote_is_lost(
    base: tuple[TimeNote, ...], mine: tuple[TimeNote, ...], theirs: tuple[TimeNote, ...]
) -> None:
    merged = merged_notes(base, mine, theirs)
    assert len({note.id for note in merged}) == len(merged)
    known = {note.id: note for note in base}
    for side in (mine, theirs):
        written = {note.text for note in side if note.id not in known or known[note.id].text != note.text}
        assert written <= set(texts(merged))
    both = {note.id for note in mine} & {note.id for note in theirs}
    assert both <= {note.id for note in merged}
    settled = merged_notes(mine, mine, merged)
    assert {(note.id, note.text, note.colour) for note in settled} == {
        (note.id, note.text, note.colour) for note in merged
    }
