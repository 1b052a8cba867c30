"""The border where texts of files, paths and names enter widgets: what is shown is cut and cleaned here, once.

Qt lays out, measures and hands to the window system whatever it is given: a name of 20 MB freezes it, or ends it. So
every text that is not our own passes one of these functions before a widget, a painter or a font's metrics sees it.
Copy, export and search never do: they have the whole text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF

from app.language import tr
from app.profile.issue import one_line

LINE = 400
"""Characters of a text on one line: a cell, a name on a canvas, an item of a list."""
CAPTION = 120
"""Characters of a tab, a menu item, a button, a window's title."""
PARAGRAPH, PARAGRAPH_LINES = 4_000, 60
"""Characters and lines of a label or a tool tip."""
TOGETHER = 256
"""Texts that are looked at in one go."""
PAGE, PAGE_LINE = 2_000_000, 65_536
"""Characters of a whole text field, and of one line in it."""


def shown_line(text: str, longest: int = LINE) -> str:
    """``text`` on one line of at most ``longest`` characters. Line breaks, control characters and those that turn the
    direction of what stands beside them become escapes; a text that is cut says how long it is."""
    if len(text) <= longest and text.isprintable():
        return text
    shown = one_line(_cut(text, longest))
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def shown_lines(texts: Sequence[str]) -> list[str]:
    """``shown_line`` of each of very many texts: those that need no change are looked at together."""
    shown: list[str] = []
    for first in range(0, len(texts), TOGETHER):
        some = texts[first : first + TOGETHER]
        plain = max(map(len, some)) <= LINE and "".join(some).isprintable()
        shown.extend(some if plain else map(shown_line, some))
    return shown


def caption(text: str, longest: int = CAPTION) -> str:
    """One line for a tab, a menu item or a button, where an ampersand would mark a key."""
    return shown_line(text, longest).replace("&", "&&")


def paragraph(text: str) -> str:
    """At most PARAGRAPH characters and PARAGRAPH_LINES lines; line breaks stay."""
    if len(text) <= PARAGRAPH and text.isprintable():
        return text
    shown = _clean_lines(_cut(text, PARAGRAPH))
    lines = shown.split("\n", PARAGRAPH_LINES)
    if len(lines) > PARAGRAPH_LINES:
        count = text.count("\n") + 1
        shown = "\n".join([*lines[: PARAGRAPH_LINES - 1], tr("… ({count:,} lines)", count=count)])
    return shown if len(shown) <= PARAGRAPH else f"{shown[: PARAGRAPH - 1]}…"


def page(text: str) -> str:
    """For a text field that scrolls: at most PAGE characters, PAGE_LINE in a line; line breaks stay."""
    shown = _clean_lines("\n".join(_cut(line, PAGE_LINE) for line in _cut(text, PAGE).split("\n")))
    return shown if len(shown) <= PAGE else f"{shown[: PAGE - 1]}…"


def elided(
    text: str,
    metrics: QFontMetrics | QFontMetricsF,
    room: float,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """``text`` on one line of ``room`` pixels. Of a text that is too long to be measured both ends stay where ``mode``
    keeps the end."""
    if len(text) > LINE and mode != Qt.TextElideMode.ElideRight:
        text = f"{text[: LINE // 2 - 1]}…{text[-(LINE // 2) :]}"
    shown = shown_line(text)
    if isinstance(metrics, QFontMetricsF):
        return metrics.elidedText(shown, mode, room)
    return metrics.elidedText(shown, mode, int(room))


def shortened(text: str, metrics: QFontMetrics, room: int) -> str:
    """``text`` in ``room`` pixels. Paths differ at the end, so that is what is seen of one; what stands before it
    ("function 3: …") stays where it leaves the path at least half of the room."""
    if "/" not in text:
        return elided(text, metrics, room)
    title, colon, path = text.partition(": ")
    before = advance(title + colon, metrics) if "/" in path else room
    if before > room // 2:
        return elided(text, metrics, room, Qt.TextElideMode.ElideLeft)
    return shown_line(title + colon) + elided(path, metrics, room - before, Qt.TextElideMode.ElideLeft)


@overload
def advance(text: str, metrics: QFontMetrics) -> int: ...


@overload
def advance(text: str, metrics: QFontMetricsF) -> float: ...


def advance(text: str, metrics: QFontMetrics | QFontMetricsF) -> float:
    """Pixels that ``text`` takes on one line, as ``shown_line`` shows it."""
    return metrics.horizontalAdvance(shown_line(text))


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    told = tr("… ({count:,} characters)", count=len(text))
    return text[: longest - len(told)] + told


def _clean_lines(text: str) -> str:
    plain = text.replace("\r\n", "\n").replace("\t", "    ")
    return "\n".join(one_line(line) for line in plain.split("\n"))
