"""Sanitizes and truncates texts from files (paths, names) before they are shown."""

from __future__ import annotations

from collections.abc import Sequence

from app.language import tr
from app.profile.one_line import one_line

LINE = 400
"""Most characters of a text on one line: a cell, a name on a canvas, a list item."""
CAPTION = 120
"""Most characters of a tab, a menu item, a button, a window title."""
PARAGRAPH, PARAGRAPH_LINES = 4_000, 60
"""Most characters and lines of a label or a tool tip."""
NAMES = 8
"""Most files of a profile that are named; a report has hundreds."""
TOGETHER = 256
"""Number of texts that are checked together."""
PAGE, PAGE_LINE = 2_000_000, 65_536
"""Most characters of a text field, and of one line in it."""
IDEOGRAPHS = "\u2e80"
"""The first of the characters that no key types, and whose lines are higher than those of Latin letters."""


def has_ideographs(text: str) -> bool:
    return max(text, default="") >= IDEOGRAPHS


def shown_line(text: str, longest: int = LINE) -> str:
    """``text`` on one line of at most ``longest`` characters. Line breaks, control characters and bidirectional
    controls are escaped; a truncated text ends with its full length."""
    if len(text) <= longest and text.isprintable():
        return text
    shown = one_line(_cut(text, longest))
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def shown_lines(texts: Sequence[str]) -> list[str]:
    """``shown_line`` of each text, fast for very many: texts that need no change are checked in batches."""
    shown: list[str] = []
    for first in range(0, len(texts), TOGETHER):
        some = texts[first : first + TOGETHER]
        plain = max(map(len, some)) <= LINE and "".join(some).isprintable()
        shown.extend(some if plain else map(shown_line, some))
    return shown


def first_names(names: Sequence[str], most: int = NAMES) -> list[str]:
    """The first ``most`` names, then how many more there are; all of them if only one more would be left out."""
    if len(names) <= most + 1:
        return list(names)
    return [*names[:most], tr("and {count:,} more", count=len(names) - most)]


def caption(text: str, longest: int = CAPTION) -> str:
    """``text`` on one line for a tab, a menu item or a button, with ampersands escaped (they would mark a mnemonic)."""
    return shown_line(text, longest).replace("&", "&&")


def paragraph(text: str) -> str:
    """``text`` truncated to PARAGRAPH characters and PARAGRAPH_LINES lines; line breaks are kept."""
    if len(text) <= PARAGRAPH and text.isprintable():
        return text
    shown = _clean_lines(_cut(text, PARAGRAPH))
    lines = shown.split("\n", PARAGRAPH_LINES)
    if len(lines) > PARAGRAPH_LINES:
        count = text.count("\n") + 1
        shown = "\n".join([*lines[: PARAGRAPH_LINES - 1], tr("… ({count:,} lines)", count=count)])
    return shown if len(shown) <= PARAGRAPH else f"{shown[: PARAGRAPH - 1]}…"


def page(text: str) -> str:
    """``text`` for a scrolling text field, truncated to PAGE characters and PAGE_LINE per line; line breaks are
    kept."""
    shown = _clean_lines("\n".join(_cut(line, PAGE_LINE) for line in _cut(text, PAGE).split("\n")))
    return shown if len(shown) <= PAGE else f"{shown[: PAGE - 1]}…"


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    ending = tr("… ({count:,} characters)", count=len(text))
    return text[: longest - len(ending)] + ending


def _clean_lines(text: str) -> str:
    plain = text.replace("\r\n", "\n").replace("\t", "    ")
    return "\n".join(one_line(line) for line in plain.split("\n"))
