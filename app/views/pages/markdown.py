"""Pages as Markdown (GitHub's), for comments on changes. Names and values come from strangers' files: nothing in them
is markup, mentions a person, or links anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from app.profile.one_line import one_line
from app.views.pages.document import Block, Line, Rows, Section, Sentence
from app.views.pages.text import plain

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
                yield "\n".join(_rows(block))
            elif isinstance(block, Section):
                yield from _section(block, level)


def _kind(block: Block) -> str:
    return "list" if isinstance(block, Line) or (isinstance(block, Sentence) and block.depth) else "block"


def _item(block: Block) -> str:
    if isinstance(block, Line):
        source = f" ({escaped(block.source)})" if block.source else ""
        return f"{'  ' * block.depth}- {escaped(block.label)}: {escaped(block.value)}{source}"
    return f"- {escaped(block.text)}" if isinstance(block, Sentence) else ""


def _rows(rows: Rows) -> Iterator[str]:
    width = len(rows.heads) or max(map(len, rows.cells), default=0)
    if width:
        yield _row(rows.heads or ("",) * width)
        yield "|".join(("", *(" ---: " if place in rows.numbers else " --- " for place in range(width)), ""))
    yield from map(_row, rows.cells)
    if rows.more:
        yield f"\n{escaped(rows.more)}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
