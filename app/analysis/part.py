"""A section about a thing: a heading, facts, and links to related things."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from app.language import Message, followed, pieces
from app.profile.selection import Selection


class Amount(Struct, frozen=True):
    """A number inside a sentence, formatted by the view."""

    value: float | int
    unit: Literal["B", "cycles", "s", "%", ""]


Words: TypeAlias = tuple[str | Amount, ...]
"""A sentence: a sequence of texts and amounts."""


def sentence(text: Message) -> Words:
    """``text`` with the amounts (and words with amounts) among its arguments, each where this language puts it."""
    words: list[str | Amount] = []
    last: object = ""
    for piece in pieces(text):
        for word in piece if isinstance(piece, tuple) else (piece,):
            if isinstance(word, Amount):
                words.append(word)
            elif words and isinstance(words[-1], str):
                ours = isinstance(word, Message) or isinstance(last, Message)  # one of two that meet is from the text
                words[-1] = followed(words[-1], str(word), ours=ours)
            else:
                words.append(str(word))
            last = word
    return tuple(words)


def joined_words(sentences: Iterable[Words]) -> Words:
    """Sentences one after the other."""
    words: list[str | Amount] = []
    for own in sentences:
        if words and own:
            words.append(" ")
        words += own
    return tuple(words)


class Pointer(Struct, frozen=True):
    """A link in a verdict: activating it selects ``selection``."""

    text: Words
    selection: Selection


class Fact(Struct, frozen=True):
    """A label and its text, formatted by the view; ``help`` gives the formula."""

    label: str
    words: Words
    help: str = ""


class PartRow(Struct, frozen=True):
    """A row of a small table: a name, which selects ``selection`` if that is given, and figures in columns; ``panel``,
    ``table``: ids of the panel and of its table that the name leads to."""

    name: str
    cells: tuple[Words, ...]
    selection: Selection | None = None
    panel: str = ""
    table: str = ""
    help: str = ""


class Part(Struct, frozen=True):
    """A section. ``pointers`` are shown after ``facts`` and select a thing; ``below``: facts after the pointers;
    ``rows``: a small table after these."""

    title: str
    facts: tuple[Fact, ...]
    pointers: tuple[Pointer, ...] = ()
    below: tuple[Fact, ...] = ()
    rows: tuple[PartRow, ...] = ()
