"""Sentences with amounts, formatted for the current look, or in the default units."""

from __future__ import annotations

from app.analysis.part import Amount, Words
from app.views.look import Look
from app.views.units import format_value


def sentence(words: Words, look: Look | None = None, clock_hz: float | None = None, *, unbroken: bool = False) -> str:
    """Texts and formatted amounts, joined; ``unbroken``: with no-break spaces inside amounts, so that no line ends
    between a number and its unit."""
    parts = []
    for word in words:
        shown = format_value(word.value, word.unit, look, clock_hz) if isinstance(word, Amount) else word
        parts.append(shown.replace(" ", "\u00a0") if unbroken and isinstance(word, Amount) else shown)
    return "".join(parts)
