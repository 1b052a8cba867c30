"""A section about a thing: a heading, facts, and links to related things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.profile.selection import Selection


@dataclass(frozen=True, slots=True)
class Amount:
    """A number inside a sentence, formatted by the view."""

    value: float | int
    unit: Literal["B", "cycles", "s", "%", ""]


Words: TypeAlias = tuple[str | Amount, ...]
"""A sentence: a sequence of texts and amounts."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A link in a verdict: activating it selects ``selection``."""

    text: Words
    selection: Selection


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and its text, formatted by the view; ``help`` gives the formula."""

    label: str
    words: Words
    help: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A section. ``pointers`` are shown after ``facts`` and select a thing; ``below``: facts after the pointers."""

    title: str
    facts: tuple[Fact, ...]
    pointers: tuple[Pointer, ...] = ()
    below: tuple[Fact, ...] = ()
