"""Lines for a terminal: English breaks at spaces, Chinese anywhere but before closing punctuation."""

from __future__ import annotations

from textwrap import wrap

from hypothesis import given
from hypothesis import strategies as st

from app.help.plain_text import CLOSING, columns_of, folded

WORDS = st.lists(st.text("abc.", min_size=1, max_size=30), max_size=20)


@given(WORDS, st.integers(5, 40))
def test_plain_words_are_wrapped_as_the_library_does(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = folded(text, width)
    assert all(len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    if all(len(word) <= width for word in words):
        assert lines == wrap(text, width)


@given(st.text("中文，。a 1（", max_size=60), st.integers(8, 30))
def test_wide_characters_take_two_columns_and_nothing_is_lost(text: str, width: int) -> None:
    lines = folded(text, width, "• ", "  ")
    assert "".join(lines).replace("•", "").replace(" ", "") == text.replace(" ", "")
    assert all(columns_of(line) <= width for line in lines)


def test_punctuation_stays_with_its_word() -> None:
    lines = folded("泳道是一行片段，重叠的片段上下排列。放大（W）可看到各片段。", 12)
    assert not any(line[0] in CLOSING for line in lines)
    assert not any(line[-1] == "（" for line in lines)
