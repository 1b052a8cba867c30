"""A page as plain text for a terminal, whose wide characters (Chinese) take two columns and may be followed by a
break."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import east_asian_width

from app.help.markdown import Block, blocks, plain

UNDERLINES = {1: "=", 2: "-"}
LEAST = 10
"""Fewest characters of a column of a table."""
GAP = "  "
CLOSING = "，。：；、！？）》」』”’…"
"""Never at the beginning of a line."""
OPENING = "（《「『“‘"
"""Never at its end."""
_WORD = re.compile(r"\s+|\S+")


def as_text(markdown: str, width: int) -> Iterator[str]:
    """The lines of a page without directives, at most ``width`` characters wide where words allow it."""
    before: Block | None = None
    for block in blocks(markdown):
        if before is not None and not (before.kind == block.kind == "item"):
            yield ""
        yield from _lines(block, width)
        before = block


def _lines(block: Block, width: int) -> Iterator[str]:
    match block.kind:
        case "heading":
            text = plain(block.text)
            yield text
            if block.level in UNDERLINES:
                yield UNDERLINES[block.level] * columns_of(text)
        case "code":
            yield from (f"    {line}" for line in block.text.split("\n"))
        case "table":
            yield from _table(block.rows, width)
        case "item":
            indent = "  " * block.level
            first = f"{indent}{block.mark} "
            yield from folded(plain(block.text), width, first, " " * columns_of(first))
        case _:
            yield from folded(plain(block.text), width)


def _table(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Columns side by side, their cells wrapped; cells are never cut."""
    count = len(rows[0])
    cells = [[plain(cell) for cell in (*row, *[""] * (count - len(row)))][:count] for row in rows]
    widths = _widths(cells, width)
    for number, row in enumerate(cells):
        yield from _row(row, widths)
        if number == 0:
            yield GAP.join("-" * size for size in widths)


def _row(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    wrapped = [folded(cell, size) or [""] for cell, size in zip(row, widths, strict=True)]
    for line in range(max(map(len, wrapped))):
        parts = [cell[line] if line < len(cell) else "" for cell in wrapped]
        padded = [part + " " * max(size - columns_of(part), 0) for part, size in zip(parts, widths, strict=True)]
        yield GAP.join(padded).rstrip()


def _widths(cells: Sequence[Sequence[str]], width: int) -> list[int]:
    """The natural widths; if they need more than ``width``, the widest columns share what the others leave."""
    natural = [max(columns_of(row[column]) for row in cells) for column in range(len(cells[0]))]
    left = width - len(GAP) * (len(natural) - 1)
    widths = list(natural)
    waiting = sorted(range(len(natural)), key=natural.__getitem__)
    while waiting:
        share = max(left // len(waiting), LEAST)
        column = waiting.pop(0)
        widths[column] = max(min(natural[column], share), 1)
        left -= widths[column]
    return widths


def columns_of(text: str) -> int:
    """How many columns of a terminal ``text`` takes: wide characters take two."""
    return sum(map(_columns_of_letter, text))


def folded(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The lines of ``text``, at most ``width`` columns wide unless a prefix alone is wider; ``first`` and ``rest``
    stand before the first line and the others. Without a word there is no line."""
    lines: list[str] = []
    line, filled = first, False
    gap = ""
    for piece in _pieces(text):
        if piece.isspace():
            gap = " "
            continue
        for part in _cut(piece, max(width - columns_of(rest), 2)):
            if filled and columns_of(line) + columns_of(gap + part) > width:
                lines.append(line)
                line, filled, gap = rest, False, ""
            line += (gap if filled else "") + part
            filled, gap = True, ""
    return [*lines, line] if filled else lines


def _pieces(text: str) -> Iterator[str]:
    """White space, words, and wide characters with the punctuation that stays with them."""
    for run in _WORD.findall(text):
        held = ""
        for letter in run:
            wide_before = bool(held) and _columns_of_letter(held[-1]) == 2
            if (
                held
                and letter not in CLOSING
                and held[-1] not in OPENING
                and (wide_before or _columns_of_letter(letter) == 2)
            ):
                yield held
                held = ""
            held += letter
        yield held


def _cut(word: str, width: int) -> Iterator[str]:
    """A word that is wider than a line, cut."""
    held = ""
    for letter in word:
        if held and columns_of(held) + _columns_of_letter(letter) > width:
            yield held
            held = ""
        held += letter
    yield held


def _columns_of_letter(letter: str) -> int:
    return 2 if east_asian_width(letter) in "WF" else 1
