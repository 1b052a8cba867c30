"""Sentences with amounts in them, as the look wants these."""

from __future__ import annotations

from app.analysis.verdicts import Amount, Words
from app.widgets.display import Look
from app.widgets.units import format_value


def sentence(words: Words, look: Look, clock_hz: float | None) -> str:
    """The texts and the amounts, one after the other; an amount is not broken from its unit."""
    return "".join(
        format_value(word.value, word.unit, look, clock_hz).replace(" ", "\u00a0") if isinstance(word, Amount) else word
        for word in words
    )
