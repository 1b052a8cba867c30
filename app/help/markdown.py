"""The Markdown of the help pages as blocks: headings, paragraphs, items of lists, tables and code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["heading", "paragraph", "item", "table", "code"]

_INDENT = "    "
"""Of code without fences."""
_HEADING = re.compile(r"(#{1,4}) +(.+)")
_ITEM = re.compile(r"( *)([-*]|\d+\.) +(.+)")
_RULE = re.compile(r"\|?[ :|-]+\|[ :|-]*")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_MARK = re.compile(r"(?<!\\)(\*\*|`)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>()#+.!|~-])")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")


class Block(Struct, frozen=True):
    """``text``: the inline Markdown of a heading, paragraph or item, or the lines of code. ``level``: of a heading 1 to
    4, of an item its depth from 0. ``mark``: "•" or the number of an item. ``rows``: of a table, the header first."""

    kind: Kind
    text: str = ""
    level: int = 0
    mark: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def blocks(text: str) -> list[Block]:
    """The blocks of a page, in their order."""
    return list(_blocks(text.splitlines()))


def plain(text: str) -> str:
    """Inline Markdown without its marks: of links the text, of images what stands for them."""
    shown = _MARK.sub("", _LINK.sub(r"\1", _IMAGE.sub(r"\1", text)))
    return _ESCAPED.sub(r"\1", shown)


def escaped(text: str) -> str:
    """``text`` on one line as inline Markdown that shows exactly it."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are inline Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("```")), len(lines))
            yield Block("code", "\n".join(lines[at + 1 : end]))
            at = end + 1
        elif line.startswith(_INDENT):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith(_INDENT)), len(lines))
            yield Block("code", "\n".join(own.removeprefix(_INDENT) for own in lines[at:end]))
            at = end
        elif heading := _HEADING.fullmatch(line):
            yield Block("heading", heading[2].strip(), len(heading[1]))
            at += 1
        elif "|" in line and at + 1 < len(lines) and _RULE.fullmatch(lines[at + 1].strip()):
            end = next((n for n in range(at, len(lines)) if "|" not in lines[n]), len(lines))
            yield Block("table", rows=tuple(_cells(row) for row in (line, *lines[at + 2 : end])))
            at = end
        else:
            end = _end_of_paragraph(lines, at)
            yield _paragraph(lines[at:end])
            at = end


def _end_of_paragraph(lines: Sequence[str], begin: int) -> int:
    """The first line behind ``begin`` that begins another block."""
    for at in range(begin + 1, len(lines)):
        line = lines[at]
        if not line.strip() or line.startswith("```") or _HEADING.fullmatch(line) or _ITEM.fullmatch(line):
            return at
    return len(lines)


def _paragraph(lines: Sequence[str]) -> Block:
    item = _ITEM.fullmatch(lines[0])
    if item is None:
        return Block("paragraph", " ".join(line.strip() for line in lines))
    mark = item[2] if item[2][0].isdigit() else "•"
    text = " ".join((item[3].strip(), *(line.strip() for line in lines[1:])))
    return Block("item", text, len(item[1]) // 2, mark)


def _cells(line: str) -> tuple[str, ...]:
    cells = re.split(r"(?<!\\)\|", line.strip())
    return tuple(cell.strip() for cell in cells[bool(not cells[0].strip()) : len(cells) - (not cells[-1].strip())])
