"""The search over joined texts finds what a search text by text would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.matching import BadPattern, matching_rows, matching_texts, whole_number
from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings

letters = st.text("abAB é", max_size=6)


@given(st.lists(letters, max_size=12), st.text("abAé", min_size=1, max_size=3), st.booleans())
def test_texts(texts: list[str], wanted: str, case: bool) -> None:
    hits = matching_texts(Strings.of(texts), wanted, case=case)
    expected = [wanted in text if case else wanted.casefold() in text.casefold() for text in texts]
    assert hits.tolist() == expected


def test_a_hit_does_not_reach_over_two_texts() -> None:
    assert not matching_texts(Strings.of(["ab", "cd"]), "bc").any()
    assert matching_texts(Strings.of(["", "aab", ""]), "ab").tolist() == [False, True, False]


def test_expressions_see_each_text_alone() -> None:
    strings = Strings.of(["conv/1", "conv/22", "pool"])
    assert matching_texts(strings, r"^conv/\d$", regex=True).tolist() == [True, False, False]
    assert matching_texts(strings, "POOL", regex=True, case=True).tolist() == [False, False, False]
    with pytest.raises(BadPattern, match="invalid regular expression"):
        matching_texts(strings, "(", regex=True)


def test_rows_of_a_table() -> None:
    table = Table(
        "t",
        "T",
        (
            Column("name", "Name", Coded(np.array([0, 1, -1, 0], np.int32), Strings.of(["matMul", "relu"]))),
            Column("tile", "Tile", np.array([17, 2, 17, 3]), missing=np.array([False, False, True, False])),
            Column("note", "Note", ("x", "mat", "y", "z")),
        ),
    )
    assert matching_rows(table, "MAT").tolist() == [True, True, False, True]
    assert matching_rows(table, "MAT", case=True).tolist() == [False] * 4
    assert matching_rows(table, "17").tolist() == [True, False, False, False]
    assert matching_rows(table, "0x11").tolist() == [True, False, False, False]
    assert matching_rows(table, "").all()
    assert not matching_rows(table, "99999999999999999999999").any()


def test_whole_numbers() -> None:
    assert [whole_number(text) for text in ("1,472", "0x5C0", "-3", "12.5", "x", "")] == [
        1472,
        1472,
        -3,
        None,
        None,
        None,
    ]
