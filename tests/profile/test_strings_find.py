"""Ids of a text, without decoding the others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.profile.strings import Strings

texts = st.text(alphabet="abµ–\ud800", max_size=4)


@given(st.lists(texts, max_size=30), texts)
def test_find_is_where_the_text_stands(table: list[str], wanted: str) -> None:
    assert Strings.of(table).find(wanted).tolist() == [place for place, text in enumerate(table) if text == wanted]
