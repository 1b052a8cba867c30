"""The pages of the help, the order in which they are listed, and the search over all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from msgspec import Struct

from app.help.markdown import Block, blocks, plain
from app.help.tours import TOURS
from app.language import tr
from app.panels.registry import PANELS
from app.preferred_language import VARIABLE
from app.resources import resource

ENGLISH = "en"
INDEX = "index"
PYTHON = "api"
"""The reference of ``import tilesight``, which is generated and the same in all languages."""
KEYS, COMMAND_LINE, RULES, MATCHING = "keys", "command-line", "rules", "matching"
PROGRAMS = "programs"
_LINK = re.compile(r"\]\(([^)\s]+)\)")
AROUND = 60
"""Characters of context on either side of a hit."""


class Page(Struct, frozen=True):
    """A page: ``topic`` names it in links and for ``tilesight help``, ``text`` is its Markdown as it is stored, with
    directives."""

    topic: str
    title: str
    text: str

    @property
    def links(self) -> tuple[str, ...]:
        """Where its links lead: ``TOPIC.md``, ``panel:ID``, ``command:ID``, ``sample:ID`` or ``select:KIND/NAME``
        (the things of this name, or with this number)."""
        return tuple(_LINK.findall(self.text))


class Chapter(Struct, frozen=True):
    """Pages that are listed together."""

    title: str
    topics: tuple[str, ...]


CHAPTERS: tuple[Chapter, ...] = (
    Chapter(
        tr("First steps"),
        (INDEX, *(tour.topic for tour in TOURS), "install"),
    ),
    Chapter(tr("Panels"), tuple(spec.id for spec in PANELS)),
    Chapter(tr("In all panels"), ("selection", "comparing", MATCHING, "reasoning", RULES, "links", "access", KEYS)),
    Chapter(
        tr("Files"),
        (
            "format-poplar",
            "format-ascend",
            "format-report",
            "format-capture",
            "format-pypto",
            "format-tenstorrent",
            "format-trace",
            "format-popef",
            "format-tensorflow",
            "files",
        ),
    ),
    Chapter(tr("Command line and Python"), (COMMAND_LINE, PYTHON, PROGRAMS)),
)


def topics() -> tuple[str, ...]:
    """The topics of all pages, in their order."""
    return tuple(topic for chapter in CHAPTERS for topic in chapter.topics)


@cache
def page(topic: str) -> Page:
    """The page in the language of this process, in English if it is not translated. KeyError for an unknown topic."""
    if topic not in topics():
        raise KeyError(topic)
    text = _path(topic).read_text(encoding="utf-8")
    title = next(line[2:].strip() for line in text.splitlines() if line.startswith("# "))
    return Page(topic, title, text)


def _path(topic: str) -> Path:
    if topic == PYTHON:
        return resource("help", f"{topic}.md")
    language = os.environ.get(VARIABLE, "")
    translated = resource("help", language, f"{topic}.md")
    if re.fullmatch(r"[A-Za-z_]{2,12}", language) and translated.is_file():
        return translated
    return resource("help", ENGLISH, f"{topic}.md")


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
