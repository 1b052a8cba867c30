"""Sanitizes and truncates texts from files (paths, names) before they reach a widget.

Qt lays out, measures and passes to the window system whatever it gets: a name of 20 MB freezes it, or crashes it. So
every text that is not our own passes through one of these functions before a widget, a painter or font metrics see it.
Copy, export and search do not use them: they get the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import overload

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF

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


def elided(
    text: str,
    metrics: QFontMetrics | QFontMetricsF,
    room: float,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """``text`` on one line, elided to ``room`` pixels. Unless ``mode`` elides at the right, a text too long to measure
    keeps both ends."""
    if len(text) > LINE and mode != Qt.TextElideMode.ElideRight:
        text = f"{text[: LINE // 2 - 1]}…{text[-(LINE // 2) :]}"
    shown = shown_line(text)
    if isinstance(metrics, QFontMetricsF):
        return metrics.elidedText(shown, mode, room)
    return metrics.elidedText(shown, mode, int(room))


def _title_and_path(text: str) -> tuple[str, str, str]:
    """``text`` divided at its first colon, which is full-width in Chinese."""
    colon = re.search(": |：", text)
    return (text[: colon.start()], colon[0], text[colon.end() :]) if colon else (text, "", "")


def shortened(text: str, metrics: QFontMetrics, room: int) -> str:
    """``text`` elided to ``room`` pixels. Of a path the end is kept, since paths differ there; a prefix ("function 3:
    …") is kept if it leaves the path at least half of the space."""
    if "/" not in text:
        return elided(text, metrics, room)
    title, colon, path = _title_and_path(text)
    before = advance(title + colon, metrics) if "/" in path else room
    if before > room // 2:
        return end_of_path(text, metrics, room)
    return shown_line(title + colon) + end_of_path(path, metrics, room - before)


def end_of_path(path: str, metrics: QFontMetrics | QFontMetricsF, room: float) -> str:
    """``path`` elided at the left to ``room`` pixels, before a whole name if that keeps most of what fits."""
    shown = elided(path, metrics, room, Qt.TextElideMode.ElideLeft)
    slash = shown.find("/")
    return f"…{shown[slash:]}" if shown.startswith("…") and 0 < slash <= len(shown) // 2 else shown


@overload
def advance(text: str, metrics: QFontMetrics) -> int: ...


@overload
def advance(text: str, metrics: QFontMetricsF) -> float: ...


def advance(text: str, metrics: QFontMetrics | QFontMetricsF) -> float:
    """Width of ``text`` on one line in pixels, as ``shown_line`` shows it."""
    return metrics.horizontalAdvance(shown_line(text))


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    ending = tr("… ({count:,} characters)", count=len(text))
    return text[: longest - len(ending)] + ending


def _clean_lines(text: str) -> str:
    plain = text.replace("\r\n", "\n").replace("\t", "    ")
    return "\n".join(one_line(line) for line in plain.split("\n"))
