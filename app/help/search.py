"""Search over all pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from app.help.markdown import Block, blocks, plain

AROUND = 60
"""Characters of context on either side of a hit."""


class PageHits(Struct, frozen=True):
    """A page with hits: how many, and the text around the first, split into before, hit and after."""

    topic: str
    count: int
    before: str
    hit: str
    after: str


class Searchable(Struct, frozen=True):
    """The text of a page as it is searched, by block; that of its title first."""

    topic: str
    texts: tuple[str, ...]


def searchable(topic: str, markdown: str) -> Searchable:
    """``markdown``: the page without directives."""
    return Searchable(topic, tuple(filter(None, (_text(block) for block in blocks(markdown)))))


def pattern(query: str) -> re.Pattern[str] | None:
    """Matches what is searched for: the words one after another, in upper or lower case; None without a word."""
    words = query.split()
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None


def search(pages: Iterable[Searchable], query: str) -> list[PageHits]:
    """The pages with hits: those with a hit in the title first, then in their order."""
    wanted = pattern(query)
    if wanted is None:
        return []
    results = [(result, bool(wanted.search(one.texts[0]))) for one in pages if (result := _hits(one, wanted))]
    return [result for result, _ in sorted(results, key=lambda pair: not pair[1])]


def _hits(one: Searchable, wanted: re.Pattern[str]) -> PageHits | None:
    hits = [(text, match) for text in one.texts for match in wanted.finditer(text)]
    if not hits:
        return None
    text, match = next((hit for hit in hits if hit[0] is not one.texts[0]), hits[0])
    before, after = _shortened(text[: match.start()][::-1])[::-1], _shortened(text[match.end() :])
    return PageHits(one.topic, len(hits), before, match[0], after)


def _shortened(text: str) -> str:
    """The beginning of ``text``, to the end of a word."""
    return text if len(text) <= AROUND else f"{text[:AROUND].rpartition(' ')[0]} …"


def _text(block: Block) -> str:
    if block.kind == "table":
        return "   ".join(plain(cell) for row in block.rows for cell in row if cell)
    return block.text if block.kind == "code" else plain(block.text)
