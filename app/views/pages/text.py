"""Pages as text in columns, for a terminal. East Asian characters take two columns there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final
from unicodedata import combining, east_asian_width

from app.language import joined
from app.views.pages.document import Block, Line, Rows, Section, Sentence

INDENT: Final = "  "
NO_BREAK: Final = "\u00a0"
_WIDE = frozenset("WF")


def page_lines(section: Section) -> Iterator[str]:
    """A title at the left, its contents below; an empty line before each section."""
    yield _title(section)
    yield from block_lines(section.blocks)


def block_lines(blocks: Iterable[Block], indent: str = INDENT) -> Iterator[str]:
    """Blocks below each other; labelled values that follow each other share their columns."""
    for kind, group in groupby(blocks, type):
        if kind is Line:
            yield from _facts([block for block in group if isinstance(block, Line)], indent)
            continue
        for block in group:
            if isinstance(block, Sentence):
                yield f"{indent}{INDENT * block.depth}{plain(block.text)}"
            elif isinstance(block, Rows):
                yield from _rows(block, indent)
            elif isinstance(block, Section):
                yield ""
                yield indent + _title(block)
                yield from block_lines(block.blocks, indent + INDENT)


def _title(section: Section) -> str:
    name = f"  [{section.id}]" if section.id else ""
    return plain(joined(": ", [part for part in (section.mark[1], section.title) if part]) + name)


def _facts(lines: Sequence[Line], indent: str) -> Iterator[str]:
    labels = [INDENT * line.depth + plain(line.label) for line in lines]
    first = max(map(width, labels))
    for label, line in zip(labels, lines, strict=True):
        source = f"  ({line.source})" if line.source else ""
        yield f"{indent}{left(label, first)}  {plain(line.value)}{source}".rstrip()


def _rows(rows: Rows, indent: str) -> Iterator[str]:
    cells = [rows.heads, *rows.cells] if rows.heads else rows.cells
    yield from (indent + line for line in aligned(cells, rows.numbers))
    if rows.more:
        yield indent + rows.more


def aligned(rows: Sequence[Sequence[str]], numbers: frozenset[int] = frozenset()) -> Iterator[str]:
    """Rows of equal length in columns; ``numbers``: those at the right."""
    shown = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = enumerate(zip(row, widths, strict=True))
        yield "  ".join((right if place in numbers else left)(cell, size) for place, (cell, size) in cells).rstrip()


def plain(text: str) -> str:
    """``text`` with spaces that a terminal can break at."""
    return text.replace(NO_BREAK, " ")


def width(text: str) -> int:
    """The columns that ``text`` takes."""
    if text.isascii():
        return len(text)
    return sum(1 + (east_asian_width(letter) in _WIDE) - bool(combining(letter)) for letter in text)


def left(text: str, columns: int) -> str:
    """``text``, filled with spaces to that many columns."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """``text`` at the right of that many columns."""
    return " " * (columns - width(text)) + text
