"""Ids of a text, and some texts of many, without decoding the others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.profile.strings import Strings, taken

texts = st.text(alphabet="abµ–\ud800", max_size=4)


@given(st.lists(texts, max_size=30), texts)
def test_find_is_where_the_text_stands(table: list[str], wanted: str) -> None:
    assert Strings.of(table).find(wanted).tolist() == [place for place, text in enumerate(table) if text == wanted]


@given(st.lists(texts, max_size=12), st.data())
def test_some_texts_are_taken_in_the_order_asked_for(table: list[str], data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.integers(-1, len(table) - 1), max_size=12))
    strings = Strings.of(table)
    assert taken(strings, np.array(ids, np.int64)).tolist() == [strings.get(number) for number in ids]
