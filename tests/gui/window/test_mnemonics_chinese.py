"""Mnemonics of Chinese texts: a letter that a key types."""

from __future__ import annotations

from app.window.mnemonics import marked, plain


def test_a_chinese_entry_gets_a_latin_letter_in_brackets() -> None:
    texts = ["打开文件…", "关于 Bilder", "复制\tCtrl+C"]
    shown = marked(texts)
    assert shown == ["打开文件(&A)…", "关于 &Bilder", "复制(&C)\tCtrl+C"]
    assert marked(shown) == shown
    assert [plain(text) for text in marked(["Open", "Off"])] == ["Open", "Off"]
