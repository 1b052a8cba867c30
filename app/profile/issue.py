"""What a reader or a check found."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from app.language import Text, plural, tr
from app.profile.one_line import one_line

Severity: TypeAlias = Literal["error", "warning", "info"]
_WORDS: Final = {
    "error": plural("error", "errors", count=1),
    "warning": plural("warning", "warnings", count=1),
    "info": tr("info"),
}


def severity_word(severity: str) -> str:
    """What a severity is called in the language of this process; other texts are returned as they are."""
    return _WORDS.get(severity, severity)


class Issue(Struct, frozen=True):
    """A problem in a file. ``where`` names the file and the place in it (``graph.json: memory.byTile.total[1]``,
    ``a.bin: byte 96``). Both texts are a single line, whatever names they contain."""

    severity: Severity
    where: Text
    text: Text

    def __post_init__(self) -> None:
        force_setattr(self, "where", one_line(self.where))
        force_setattr(self, "text", one_line(self.text))
