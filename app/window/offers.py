"""The lines that the search field lists for the typed text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from app.analysis.view_links.text import BadLink, looks_like_link, parse
from app.language import tr
from app.window.palette_entries import KINDS, Entry, commands

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Answer, Hit, Mode, Source
    from app.window.command import CommandContext
    from app.window.lookup import Lookup

COMMAND_SIGN, GO_SIGN = ">", "@"
COMMANDS_BESIDE_HITS = 5
FEW = 6
"""Hits of a kind that are listed before the user asks for more."""
GO_HINT = tr("A lane, program, tensor, function, source file, file.cpp:123, tile 17 or 0x1a40")


class Offer(Struct, frozen=True):
    """One line of the list; ``detail`` is muted on the right. ``hit`` is set for items of the profile, ``more`` (id of
    a source) for the line that lists more of a kind; a ``heading`` cannot be chosen."""

    text: str
    detail: str = ""
    run: Callable[[], object] = lambda: None
    enabled: bool = True
    hit: Hit | None = None
    more: str = ""
    heading: bool = False

    def same(self, other: Offer) -> bool:
        """Whether ``other`` is the same line, possibly of an older list."""
        return (self.text, self.detail, self.more) == (other.text, other.detail, other.more)


NO_MATCHES = Offer(tr("No matches"), enabled=False)


class TypedQuery(Struct, frozen=True):
    """The typed text, parsed. ``mode`` None: commands, panels, tables and files instead of items of the profile."""

    mode: Mode | None
    text: str


def parse_query(text: str, *, any_open: bool) -> TypedQuery:
    """Parses the typed text: after ">" the palette (always while nothing is open, and for a link), after "@" a place to
    go to."""
    text = text.strip()
    if text.startswith(COMMAND_SIGN) or not any_open or looks_like_link(text):
        return TypedQuery(None, text.removeprefix(COMMAND_SIGN).strip())
    return TypedQuery("go", text[1:].strip()) if text.startswith(GO_SIGN) else TypedQuery("search", text)


def palette_offers(typed: str, context: CommandContext) -> list[Offer]:
    """Returns the palette's entries that match; for a link, the line that opens it."""
    if looks_like_link(typed):
        return [_link_offer(typed, context)]
    offers = ranked(typed, (entry for kind in KINDS for entry in kind(context)))
    return offers or [NO_MATCHES]


def _link_offer(typed: str, context: CommandContext) -> Offer:
    from app.window.link_dialog import short

    try:
        link = parse(typed)
    except BadLink as error:
        return Offer(str(error), enabled=False)
    return Offer(tr("Open link to {path}", path=short(link)), link.panel, partial(context.links.ask_and_follow, link))


def ranked(typed: str, entries: Iterable[Entry]) -> list[Offer]:
    """Returns the matching entries, best first; disabled ones come last."""
    fitting = []
    for place, entry in enumerate(entries):
        points = entry.fit(typed)
        if points is not None:
            fitting.append((not entry.enabled, -points, place, entry))
    fitting.sort(key=lambda one: one[:3])
    return [Offer(entry.text, entry.detail, entry.run, entry.enabled) for *_, entry in fitting]


def hit_offers(lookup: Lookup, mode: Mode, only: str) -> list[Offer]:
    """Returns the hits so far, each kind under its heading; with ``only`` (id of a source) all hits of that source."""
    offers: list[Offer] = []
    groups = lookup.groups()
    if mode == "go":  # Enter takes the first line, so the kind with the nearest name comes first
        groups.sort(key=lambda group: -group[1].nearness)
    for source, answer in groups:
        if not only or source.id == only:
            offers += _group(source, answer, whole=bool(only))
    if lookup.failure:
        offers.append(Offer(tr("The search failed: {failure}", failure=lookup.failure), enabled=False))
    if lookup.busy:
        offers.append(Offer(tr("Searching…"), enabled=False))
    return offers or [NO_MATCHES]


def command_offers(typed: str, context: CommandContext) -> list[Offer]:
    """Returns a few commands whose text contains ``typed``, to be listed below the hits."""
    fitting = [entry for entry in commands(context) if typed.casefold() in entry.text.casefold()]
    offers = ranked(typed, fitting)[:COMMANDS_BESIDE_HITS]
    return [Offer(tr("Commands"), heading=True, enabled=False), *offers] if offers else []


def _group(source: Source, answer: Answer, *, whole: bool) -> list[Offer]:
    hits = answer.hits if whole else answer.hits[:FEW]
    counted = (
        f"{answer.total:,}"
        if len(hits) == answer.total
        else tr("first {count:,} of {total:,}", count=len(hits), total=answer.total)
    )
    lines = [Offer(source.title, counted, enabled=False, heading=True)]
    lines += [Offer(hit.text, hit.detail, hit=hit) for hit in hits]
    if len(hits) < len(answer.hits):
        every = len(answer.hits) == answer.total
        count = len(answer.hits)
        text = tr("Show all {count:,}", count=count) if every else tr("Show the first {count:,}", count=count)
        lines.append(Offer(text, source.title, more=source.id))
    return lines
