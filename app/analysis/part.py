"""A part of what is known of a thing: a heading with facts below it, and places to go to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.profile.selection import Selection


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure inside a sentence, which the screen formats."""

    value: float | int
    unit: Literal["B", "cycles", "s", "%", ""]


Words: TypeAlias = tuple[str | Amount, ...]
"""A sentence: texts and amounts, one after the other."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place that a verdict speaks of: choosing it selects it."""

    text: Words
    selection: Selection


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and what is said of it, which the screen formats; ``help`` says by which formula."""

    label: str
    words: Words
    help: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """``pointers`` stand below the facts; choosing one selects it. ``below``: facts that stand below the pointers."""

    title: str
    facts: tuple[Fact, ...]
    pointers: tuple[Pointer, ...] = ()
    below: tuple[Fact, ...] = ()
