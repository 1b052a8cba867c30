"""The distinct texts of a table are those of a dictionary, even where all have one hash."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import numbering
from app.formats.numbering import distinct_texts as distinct
from app.profile.strings import Strings, all_of

SHORT = ["", "a", "b", "é", "step/7", "step/70", "abcdefgh", "abcdefghi", "\0", "abcdefgh\0"]
PARTS = [*SHORT, "x" * 520, "x" * 511 + "y"]
texts = st.lists(st.lists(st.sampled_from(PARTS), max_size=3).map("".join), max_size=20)


@settings(max_examples=150, deadline=None)
@given(texts)
def test_in_order_of_first_appearance(rows: list[str]) -> None:
    strings, ids = distinct(Strings.of(rows))
    expected = list(dict.fromkeys(rows))
    assert strings.tolist() == expected
    assert ids.tolist() == [expected.index(row) for row in rows]


def test_texts_with_one_hash_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbering, "hashes_of", lambda _words, begins, _sizes: np.zeros(len(begins), np.uint64))
    rows = ["b", "a", "b", "aa", "a", ""]
    strings, ids = distinct(Strings.of(rows))
    assert strings.tolist() == ["b", "a", "aa", ""]
    assert ids.tolist() == [0, 1, 0, 2, 1, 3]


@given(st.lists(texts, max_size=4))
def test_tables_one_after_another(tables: list[list[str]]) -> None:
    assert all_of([Strings.of(rows) for rows in tables]).tolist() == [row for rows in tables for row in rows]
