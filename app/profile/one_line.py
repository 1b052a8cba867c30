"""Texts of strangers on a single line. Imports no msgspec: `--version` needs it."""

from __future__ import annotations

import unicodedata

from app.language import Message


def one_line(text: str) -> str:
    """``text`` with invisible characters (line ends, control characters, changes of direction, lone surrogates) as
    escapes, so that untrusted names and keys cannot break a message into lines. A Message remains one."""
    if text.isprintable():
        return text
    if isinstance(text, Message):
        return text.with_texts(one_line)
    return "".join(c if c.isprintable() or unicodedata.category(c) == "Zs" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
