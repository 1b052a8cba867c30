"""What a reader or a check found."""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from app.language import Message, Text

Severity: TypeAlias = Literal["error", "warning", "info"]


class Issue(Struct, frozen=True):
    """A problem in a file. ``where`` names the file and the place in it (``graph.json: memory.byTile.total[1]``,
    ``a.bin: byte 96``). Both texts are a single line, whatever names they contain."""

    severity: Severity
    where: Text
    text: Text

    def __post_init__(self) -> None:
        force_setattr(self, "where", one_line(self.where))
        force_setattr(self, "text", one_line(self.text))


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
