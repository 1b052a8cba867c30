"""Sanitizes and truncates texts from files (paths, names) before they reach a widget.

Qt lays out, measures and passes to the window system whatever it gets: a name of 20 MB freezes it, or crashes it. So
every text that is not our own passes through one of these functions before a widget, a painter or font metrics see it.
Copy, export and search do not use them: they get the whole text.
"""

from __future__ import annotations

import re
from typing import overload

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF

from app.views.texts import LINE, shown_line


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
    …") is kept if it leaves the path at least half of the space. A list is no path."""
    if "/" not in text or ", " in text:
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
