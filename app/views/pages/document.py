"""A page without its form: sections of sentences, labelled values and rows; as text in columns for a terminal, where
East Asian characters take two columns, and as Markdown (GitHub's). `resources/report` makes HTML of it, and
`widgets/sheet.py` labels. Names and values come from strangers' files: nothing in Markdown is markup, mentions a
person, or links anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import combining, east_asian_width

from msgspec import Struct

from app.language import joined
from app.profile.one_line import one_line
from app.views.look import TextColour

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Target
    from app.profile.selection import Selection


class Line(Struct, frozen=True):
    """A labelled value; ``help``: its tool tip; ``depth`` 1: a part of the line above; ``selection``: the thing that it
    is about, ``target``: a row of a table instead, ``link``: the text of a link to that; ``source``: the table and row
    in which it stands; ``compared``: the value of the baseline, the difference, and that in percent, which stand in
    columns beside ``value``."""

    label: str
    value: str
    help: str = ""
    depth: int = 0
    selection: Selection | None = None
    link: str = ""
    source: str = ""
    compared: tuple[str, str, str] | None = None
    target: Target | None = None


class Sentence(Struct, frozen=True):
    """``depth`` 1: a detail of the sentence above; ``selection``, ``help``: as of a line."""

    text: str
    colour: TextColour = "text"
    strong: bool = False
    depth: int = 0
    selection: Selection | None = None
    help: str = ""


class Rows(Struct, frozen=True):
    """A small table. ``numbers``: the columns that are aligned at the right; ``more``: what is left out."""

    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    more: str = ""


class Section(Struct, frozen=True):
    """A title over ``blocks``. ``mark``: a sign and a word before the title, for which ``colour`` stands, too;
    ``remark``: what follows it; ``id``: the name of its rule; ``link``: the text of a link to it."""

    title: str
    blocks: tuple[Block, ...] = ()
    mark: tuple[str, str] = ("", "")
    colour: TextColour = "text"
    remark: str = ""
    id: str = ""
    link: str = ""


Block: TypeAlias = Line | Sentence | Rows | Section


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


DEEPEST: Final = 6
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&$#])")
_LEADING: Final = re.compile(r"\A([-+=])")
_NUMBERED: Final = re.compile(r"\A(\d+)([.)])(?=\s|\Z)")
_ACTIVE: Final = re.compile(r"(?<=@)(?=\w)|(?<=#)(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=GH)(?=-\d)", re.IGNORECASE)
"""Where GitHub would begin a mention or a link, even of escaped characters."""
_NOTHING: Final = "<!-- -->"


def page_markdown(section: Section) -> str:
    """A heading and its contents, with an empty line between blocks."""
    return "\n\n".join(_section(section, 1)) + "\n"


def escaped(text: str) -> str:
    """``text`` on one line as Markdown that shows exactly it."""
    shown = _SPECIAL.sub(r"\\\1", one_line(plain(text)).strip())
    shown = _LEADING.sub(r"\\\1", _NUMBERED.sub(r"\1\\\2", shown))
    return _ACTIVE.sub(_NOTHING, shown)


def _section(section: Section, level: int) -> Iterator[str]:
    mark = f"{escaped(section.mark[1])}: " if section.mark[1] else ""
    name = f" ({escaped(section.id)})" if section.id else ""
    yield f"{'#' * min(level, DEEPEST)} {mark}{escaped(section.title)}{name}"
    yield from _blocks(section.blocks, level + 1)


def _blocks(blocks: Iterable[Block], level: int) -> Iterator[str]:
    for kind, group in groupby(blocks, _kind):
        if kind == "list":
            yield "\n".join(_item(block) for block in group)
            continue
        for block in group:
            if isinstance(block, Sentence):
                yield f"**{escaped(block.text)}**" if block.strong and block.text else escaped(block.text)
            elif isinstance(block, Rows):
                yield "\n".join(_rows_in_markdown(block))
            elif isinstance(block, Section):
                yield from _section(block, level)


def _kind(block: Block) -> str:
    return "list" if isinstance(block, Line) or (isinstance(block, Sentence) and block.depth) else "block"


def _item(block: Block) -> str:
    if isinstance(block, Line):
        source = f" ({escaped(block.source)})" if block.source else ""
        return f"{'  ' * block.depth}- {escaped(block.label)}: {escaped(block.value)}{source}"
    return f"- {escaped(block.text)}" if isinstance(block, Sentence) else ""


def _rows_in_markdown(rows: Rows) -> Iterator[str]:
    width = len(rows.heads) or max(map(len, rows.cells), default=0)
    if width:
        yield _row(rows.heads or ("",) * width)
        yield "|".join(("", *(" ---: " if place in rows.numbers else " --- " for place in range(width)), ""))
    yield from map(_row, rows.cells)
    if rows.more:
        yield f"\n{escaped(rows.more)}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
