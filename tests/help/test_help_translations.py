"""Help pages in other languages than English: the same pages, links, directives and headings, and no English left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.help.pages import ENGLISH
from app.resources import resource

LINK = re.compile(r"\]\(([^)\s]+)\)")
DIRECTIVE = re.compile(r"\{\{[^}]*\}\}")
LEVEL = re.compile(r"^(#+) ", re.MULTILINE)
CODE = re.compile(r"`[^`]+`")
SENTENCE = re.compile(r"(?:[A-Za-z]{2,}[,;]? ){7,}")
"""Eight words of the Latin alphabet in a row: longer than any name."""
TRANSLATED = tuple(
    sorted(path for path in resource("help").glob("*/*.md") if path.parent.name not in (ENGLISH, "examples"))
)


def english(path: Path) -> str:
    return resource("help", ENGLISH, path.name).read_text("utf-8")


def test_every_page_is_there_in_every_language() -> None:
    names = {path.name for path in resource("help", ENGLISH).glob("*.md")}
    for folder in {path.parent for path in TRANSLATED}:
        assert {path.name for path in folder.glob("*.md")} == names, folder.name


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_has_what_the_english_one_has(path: Path) -> None:
    text, original = path.read_text("utf-8"), english(path)
    assert LEVEL.findall(text) == LEVEL.findall(original)
    for pattern in (LINK, DIRECTIVE):
        assert sorted(pattern.findall(text)) == sorted(pattern.findall(original))
    plain = DIRECTIVE.sub("", LINK.sub("]", CODE.sub("", re.sub(r"```.*?```", "", text, flags=re.DOTALL))))
    assert SENTENCE.findall(plain) == []
