"""Lookup results and the interface of their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct, field

from app.analysis.kinds.spec import Named
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

Mode: TypeAlias = Literal["go", "search"]
"""Go to: names and numbers of places. Search: everything, including texts and table cells."""
Pause: TypeAlias = Callable[[], None]
"""Called between pieces of work; raises to cancel."""

SOURCE = "search"
"""The origin recorded in selections made by a search."""
MOST = 200
"""The maximum number of hits listed per source."""
LONGEST = 200
"""The maximum number of characters shown of a hit."""
BEFORE = 40


class Target(Struct, frozen=True):
    """Where a hit leads. ``selection``: what is selected; ``panel``: the id of the panel that shows it ("": the panel
    of its kind); ``table``, ``row``: a row of a table (``of_baseline``: of that of the baseline); ``text``, ``line``:
    the path of a source or the name of a report text, and the line in it, from 1; ``note``: index of the user's
    note."""

    selection: Selection | None = None
    panel: str = ""
    table: str = ""
    row: int = -1
    of_baseline: bool = False
    text: str = ""
    line: int = 0
    note: int = -1


class Hit(Struct, frozen=True):
    """A search result. ``text`` and ``detail`` are shown; ``count`` things of ``kind`` have this name: ``kind``,
    ``named`` and ``text_id`` (its id in ``named.strings``) are set for names, so that one can step through them."""

    text: str
    detail: str
    target: Target
    count: int = 1
    kind: Kind | None = None
    named: Named | None = None
    text_id: int = -1

    def place(self) -> Target:
        """The target; for a name the first thing with it."""
        first = self.bearers()[:1].tolist()
        return Target(Selection(self.kind, tuple(first), SOURCE)) if first and self.kind is not None else self.target

    def bearers(self) -> I64:
        """int64: the things with this name, in stepping order; empty if it is not a name."""
        return np.empty(0, np.int64) if self.named is None else self.named.bearing_one(self.text_id)


class Answer(Struct, frozen=True):
    """The best MOST hits of a source, best first, out of ``total``. ``nearness`` of the best: 3 a match by number, 2
    the name equals the text, 1 it begins with it, 0 it contains it."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    nearness: int = 0


NOTHING = Answer()


class Source(Struct, frozen=True):
    """A source of lookup results. ``title`` is its heading; ``find`` searches for a non-empty text; ``slow``: it
    searches every table or text, so the results of other sources are shown first."""

    id: str
    title: str
    find: Callable[[Profile, str, Pause], Answer]
    modes: frozenset[Mode] = field(default_factory=lambda: frozenset({"go", "search"}))
    slow: bool = False


def gathered(hits: Iterable[Hit]) -> Answer:
    """An answer with the first MOST hits and their total number."""
    first: list[Hit] = []
    total = 0
    for hit in hits:
        total += 1
        if total <= MOST:
            first.append(hit)
    return Answer(tuple(first), total)


def shortened(text: str, wanted: str = "") -> str:
    """One line of at most LONGEST characters that shows ``wanted``."""
    line = " ".join(text[: 64 * LONGEST].split())
    if len(line) <= LONGEST:
        return line
    place = line.casefold().find(wanted.casefold()) if wanted else 0
    begin = place - BEFORE if place + len(wanted) > LONGEST else 0
    end = begin + LONGEST
    return ("…" if begin else "") + line[begin:end] + ("…" if end < len(line) else "")
