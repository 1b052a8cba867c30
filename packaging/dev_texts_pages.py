"""Texts for people in templates of pages: finds those that are marked, and those that should be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

from dev_texts import MARKS, Text, check, for_people

FOLDER = Path("resources", "report")
NAMES = frozenset(("SHA-256", "Tilesight"))
"""The same in every language."""
_TAG = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<!DOCTYPE html>|<[^<>]*>|&\w+;", re.DOTALL)
_SPOKEN = re.compile(r'\b(?:alt|title|placeholder|aria-label)="([^"]*)"')


def pages(root: Path) -> list[Path]:
    return sorted((root / FOLDER).glob("*.html"))


def marked(path: Path, root: Path) -> Iterator[Text]:
    """The marked texts of a template. ValueError for one that cannot be extracted or filled."""
    name = path.relative_to(root).as_posix()
    for call in _tree(path).find_all(nodes.Call):
        if not isinstance(call.node, nodes.Name) or call.node.name not in MARKS:
            continue
        where = f"{name}:{call.lineno}"
        texts = [own.value for own in call.args if isinstance(own, nodes.Const) and isinstance(own.value, str)]
        if len(texts) != MARKS[call.node.name] or len(texts) != len(call.args):
            raise ValueError(f"{where}: {call.node.name} takes literals alone")
        check(where, texts, {keyword.key for keyword in call.kwargs}, call.node.name)
        yield Text(texts[0], texts[1] if len(texts) > 1 else "", name, call.lineno)


def unmarked(path: Path, root: Path) -> Iterator[str]:
    """Places of a template with words that no marker stands around."""
    name = path.relative_to(root).as_posix()
    # pieces between expressions are joined, so that a tag with an expression in it is still one tag
    whole = "".join(_pieces(_tree(path)))
    for text in (*_SPOKEN.findall(whole), *_TAG.split(whole)):
        plain = text.replace("\0", " ").strip()
        if plain and plain not in NAMES and (for_people(plain) or re.search("[A-Za-z]{2}", plain)):
            yield f"{name}: {plain[:100]}"


def _pieces(tree: nodes.Template) -> Iterator[str]:
    for output in tree.find_all(nodes.Output):
        for part in output.nodes:
            yield part.data if isinstance(part, nodes.TemplateData) else "\0"


def _tree(path: Path) -> nodes.Template:
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).parse(path.read_text(encoding="utf-8"))
