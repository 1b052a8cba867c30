"""A part of what is known of a thing: a heading with facts below it, and places to go to."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.verdicts import Pointer, Words


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
