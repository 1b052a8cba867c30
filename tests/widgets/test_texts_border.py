"""What is shown of the texts of strangers: cut, cleaned, and never markup."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF
from pytestqt.qtbot import QtBot

from app.views.markup import coloured, grid, heading, plain, sentence, strong
from app.views.texts import (
    CAPTION,
    LINE,
    PAGE,
    PAGE_LINE,
    PARAGRAPH,
    PARAGRAPH_LINES,
    caption,
    first_names,
    page,
    paragraph,
    shown_line,
)
from app.widgets.texts import WIDEST, Label, MarkupLabel, advance, elided
from app.widgets.tips import LONGEST_WORD, tip

WORDS = "word " * 10_000
POISON = '<img src="/dev/zero">&lt;b&gt;'


def test_a_short_text_stays_as_it_is() -> None:
    for text in ("", "conv/3x3 (µs) · α", "two  spaces"):
        assert shown_line(text) == paragraph(text) == page(text) == text


def test_a_long_line_says_how_long_it_is() -> None:
    shown = shown_line("x" * 20_000_000)
    assert len(shown) == LINE
    assert shown.endswith("x… (20,000,000 characters)")


def test_what_cannot_be_seen_is_written_out() -> None:
    assert shown_line("a\nb\tc\x1b[31md\u202ee\ud800") == r"a\nb\tc\x1b[31md\u202ee\ud800"
    assert len(shown_line("\u202e" * LINE)) == LINE
    assert paragraph("a\r\nb\tc\u202e\x00") == "a\nb    c\\u202e\\x00"


def test_captions_mark_no_keys() -> None:
    assert caption("a & b") == "a && b"
    assert len(caption("x" * 1_000)) == CAPTION


def test_paragraphs_have_bounds() -> None:
    assert len(paragraph("x" * 1_000_000)) == PARAGRAPH
    assert len(paragraph("\x00" * PARAGRAPH)) == PARAGRAPH
    many = paragraph("\n".join("abcdefghij") * 20)
    assert many.count("\n") == PARAGRAPH_LINES - 1
    assert many.endswith("… (181 lines)")


def test_pages_have_bounds() -> None:
    shown = page("x" * 1_000_000 + "\nend")
    assert [len(line) for line in shown.split("\n")] == [PAGE_LINE, 3]
    assert len(page("line\n" * 1_000_000)) == PAGE


@pytest.mark.parametrize("metrics", [QFontMetrics, QFontMetricsF])
def test_long_texts_are_cut_before_they_are_measured(
    qtbot: QtBot, metrics: type[QFontMetrics] | type[QFontMetricsF]
) -> None:
    measured = metrics(QFont())
    text = "/first" + "x" * 1_000_000 + "/last"
    assert elided(text, measured, 100).startswith("/f")
    assert elided(text, measured, 100, Qt.TextElideMode.ElideLeft).endswith("/last")
    assert elided("short", measured, 1_000) == "short"
    assert advance(text, measured) == measured.horizontalAdvance(shown_line(text))


def test_tool_tips_are_never_markup_of_strangers() -> None:
    assert tip("") == ""
    assert tip("plain") == "plain"
    assert "<img" not in tip(POISON)
    assert "&amp;lt;b" in tip(POISON)
    assert len(tip("<" * 1_000_000)) < 10 * PARAGRAPH


def test_long_words_of_tool_tips_may_break() -> None:
    assert max(map(len, tip("x" * 1_000).split("\u200b"))) < LONGEST_WORD + 60


def test_labels_show_text(qtbot: QtBot) -> None:
    for label in (Label(POISON), Label()):
        qtbot.addWidget(label)
        label.setText(POISON)
        assert label.text() == POISON
        assert label.textFormat() == Qt.TextFormat.PlainText
        label.setText("x" * 1_000_000)
        assert len(label.text()) == PARAGRAPH
        assert max(label.sizeHint().width(), label.minimumSizeHint().width()) <= WIDEST


def test_markup_escapes_its_texts(qtbot: QtBot) -> None:
    label = MarkupLabel()
    qtbot.addWidget(label)
    for make in (plain, strong, heading, sentence):
        assert "<img" not in make(POISON).html
        assert len(make(WORDS).html) < 2 * LINE
    made = grid([[plain(POISON), coloured(POISON, "red")]])
    label.show_markup(made)
    assert label.text() == made.html
    assert "<img" not in made.html
    label.setText(POISON)
    assert "<img" not in label.text()


def test_of_many_names_the_first_are_shown_and_the_others_counted() -> None:
    names = [f"{number}.csv" for number in range(12)]
    assert first_names(names[:9]) == names[:9]
    assert first_names(names) == [*names[:8], "and 4 more"]
