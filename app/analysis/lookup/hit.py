"""What a look-up answers with, and what a source of answers is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from app.analysis.kinds.spec import Named
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

Mode: TypeAlias = Literal["go", "search"]
"""Go to: names and numbers of places. Search: everything, texts and cells of tables too."""
Pause: TypeAlias = Callable[[], None]
"""Called between pieces of work; raises when the answer is no longer wanted."""

SOURCE = "search"
"""Who wrote the selection."""
MOST = 200
"""Hits of one source that are listed."""
LONGEST = 200
"""Characters of a hit that are shown."""
BEFORE = 40


@dataclass(frozen=True, slots=True)
class Target:
    """Where a hit leads. ``selection``: what is selected; ``panel``: the id of the panel that shows it ("": the one
    whose kind it is); ``table``, ``row``: a row of a table; ``text``, ``line``: the path of a source or the name of a
    report text, and the line in it, counted from 1; ``note``: which of the person's notes."""

    selection: Selection | None = None
    panel: str = ""
    table: str = ""
    row: int = -1
    text: str = ""
    line: int = 0
    note: int = -1


@dataclass(frozen=True, slots=True)
class Hit:
    """``text`` and ``detail`` are what is read; ``count`` things of ``kind`` bear this name: ``kind``, ``named`` and
    ``text_id`` (its id in ``named.strings``) are set for names, so that one can step through them."""

    text: str
    detail: str
    target: Target
    count: int = 1
    kind: Kind | None = None
    named: Named | None = None
    text_id: int = -1

    def place(self) -> Target:
        """The target; of a name the first thing that bears it."""
        first = self.bearers()[:1].tolist()
        return Target(Selection(self.kind, tuple(first), SOURCE)) if first and self.kind is not None else self.target

    def bearers(self) -> I64:
        """int64: the things that bear this name, in stepping order; none where it is no name."""
        return np.empty(0, np.int64) if self.named is None else self.named.bearing_one(self.text_id)


@dataclass(frozen=True, slots=True)
class Answer:
    """The first MOST hits of a source, the best first, of ``total``. ``nearness`` of the best: 3 it was meant by its
    number, 2 its name is the text, 1 its name begins with it, 0 it contains it."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    nearness: int = 0


NOTHING = Answer()


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of thing that can be looked up. ``title`` is its heading; ``find`` answers for a text that is not
    empty; ``slow``: it looks at every table or text, so others do not wait for it."""

    id: str
    title: str
    find: Callable[[Profile, str, Pause], Answer]
    modes: frozenset[Mode] = field(default_factory=lambda: frozenset({"go", "search"}))
    slow: bool = False


def gathered(hits: Iterable[Hit]) -> Answer:
    """The first hits of a long row of them, and how many there are."""
    first: list[Hit] = []
    total = 0
    for hit in hits:
        total += 1
        if total <= MOST:
            first.append(hit)
    return Answer(tuple(first), total)


def shortened(text: str, wanted: str = "") -> str:
    """One line of at most LONGEST characters, in which ``wanted`` can be seen."""
    line = " ".join(text[: 64 * LONGEST].split())
    if len(line) <= LONGEST:
        return line
    place = line.casefold().find(wanted.casefold()) if wanted else 0
    begin = place - BEFORE if place + len(wanted) > LONGEST else 0
    end = begin + LONGEST
    return ("…" if begin else "") + line[begin:end] + ("…" if end < len(line) else "")
