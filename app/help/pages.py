"""The pages of the help, and the order in which they are listed."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

from msgspec import Struct

from app.language import tr
from app.panels.registry import PANELS
from app.preferred_language import VARIABLE
from app.resources import resource

ENGLISH = "en"
INDEX = "index"
PYTHON = "api"
"""The reference of ``import tilesight``, which is generated and the same in all languages."""
KEYS, COMMAND_LINE, RULES, MATCHING = "keys", "command-line", "rules", "matching"
_LINK = re.compile(r"\]\(([^)\s]+)\)")


class Page(Struct, frozen=True):
    """A page: ``topic`` names it in links and for ``tilesight help``, ``text`` is its Markdown as it is stored, with
    directives."""

    topic: str
    title: str
    text: str

    @property
    def links(self) -> tuple[str, ...]:
        """Where its links lead: ``TOPIC.md``, ``panel:ID``, ``command:ID`` or ``sample:ID``."""
        return tuple(_LINK.findall(self.text))


class Chapter(Struct, frozen=True):
    """Pages that are listed together."""

    title: str
    topics: tuple[str, ...]


CHAPTERS: tuple[Chapter, ...] = (
    Chapter(
        tr("First steps"),
        (INDEX, "tour-poplar", "tour-ascend", "tour-report", "tour-popef", "tour-tensorflow", "install"),
    ),
    Chapter(tr("Panels"), tuple(spec.id for spec in PANELS)),
    Chapter(tr("In all panels"), ("selection", "comparing", MATCHING, RULES, "links", "access", KEYS)),
    Chapter(
        tr("Files"),
        (
            "format-poplar",
            "format-ascend",
            "format-report",
            "format-trace",
            "format-popef",
            "format-tensorflow",
            "files",
        ),
    ),
    Chapter(tr("Command line and Python"), (COMMAND_LINE, PYTHON)),
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
