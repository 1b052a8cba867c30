"""A page without its form: sections of sentences, labelled values and rows. `text.py` makes lines of it,
`resources/report` HTML, `widgets/sheet.py` labels of a panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from app.views.theme import TextColour

if TYPE_CHECKING:
    from app.profile.selection import Selection  # imports numpy, which the first window does not need


class Line(Struct, frozen=True):
    """A labelled value; ``help``: its tool tip; ``depth`` 1: a part of the line above; ``selection``: the thing that it
    is about, ``link``: the text of a link to that; ``source``: the table and row in which it stands; ``compared``: the
    value of the baseline, the difference, and that in percent, which stand in columns beside ``value``."""

    label: str
    value: str
    help: str = ""
    depth: int = 0
    selection: Selection | None = None
    link: str = ""
    source: str = ""
    compared: tuple[str, str, str] | None = None


class Sentence(Struct, frozen=True):
    """``depth`` 1: a detail of the sentence above; ``selection``, ``help``: as of a line."""

    text: str
    colour: TextColour = "text"
    strong: bool = False
    depth: int = 0
    selection: Selection | None = None
    help: str = ""


class Rows(Struct, frozen=True):
    """A small table. ``numbers``: the columns that are aligned at the right; ``more``: what is left out."""

    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    more: str = ""


class Section(Struct, frozen=True):
    """A title over ``blocks``. ``mark``: a sign and a word before the title, for which ``colour`` stands, too;
    ``remark``: what follows it; ``id``: the name of its rule; ``link``: the text of a link to it."""

    title: str
    blocks: tuple[Block, ...] = ()
    mark: tuple[str, str] = ("", "")
    colour: TextColour = "text"
    remark: str = ""
    id: str = ""
    link: str = ""


Block: TypeAlias = Line | Sentence | Rows | Section
