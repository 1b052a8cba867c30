"""Sentences with amounts as plain text, in the default units."""

from __future__ import annotations

from app.analysis.part import Amount, Words
from app.views.units import format_value


def plain_sentence(words: Words, clock_hz: float | None = None) -> str:
    """Texts and formatted amounts, joined."""
    return "".join(
        format_value(word.value, word.unit, None, clock_hz) if isinstance(word, Amount) else word for word in words
    )
