"""One of the first sentences about a profile, and what follows below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from app.analysis.part import Pointer, Words
from app.profile.selection import Selection

State: TypeAlias = Literal["good", "bad", "doubtful", "plain"]
About: TypeAlias = Literal["", "time", "memory", "run", "operator", "model", "events", "capture"]


class Detail(Struct, frozen=True):
    """A line of an answer; ``selection``: its evidence; ``short``: what decides of it, in a few words (empty: nothing
    does)."""

    words: Words
    selection: Selection | None = None
    short: Words = ()


Lines: TypeAlias = Mapping[About, tuple[Detail, ...]]
"""The lines below each verdict, by what it is about."""


class Verdict(Struct, frozen=True):
    """One sentence, the facts behind it, and where to look. ``about``: which ``lines`` belong below it; ``lacks``:
    whether it says that the files lack something, which may still be read; ``short``, ``selection``: as of a line."""

    state: State
    text: Words
    detail: tuple[Words, ...] = ()
    pointers: tuple[Pointer, ...] = ()
    about: About = ""
    lines: tuple[Detail, ...] = ()
    lacks: bool = False
    short: Words = ()
    selection: Selection | None = None
