"""What a reader or a check found."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.language import Message, Text

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem in a file. ``where`` names the file and the place in it (``graph.json: memory.byTile.total[1]``,
    ``a.bin: byte 96``). Both texts are a single line, whatever names they contain."""

    severity: Severity
    where: Text
    text: Text

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", one_line(self.where))
        object.__setattr__(self, "text", one_line(self.text))


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
