"""How well a few typed letters fit a text."""

from __future__ import annotations


def score(typed: str, text: str) -> float | None:
    """Higher is better; None when the letters of ``typed`` do not all come in ``text`` in their order. Words
    that are typed as they are written, beginnings of words and letters side by side count more."""
    wanted = typed.casefold().replace(" ", "")
    low = text.casefold()
    if not wanted:
        return 0.0
    whole = low.find(typed.casefold().strip())
    if whole >= 0:
        return 100.0 + (20.0 if _begins_word(low, whole) else 0.0) - whole * 0.1 - len(low) * 0.01
    total, place, previous = 0.0, -1, -2
    for letter in wanted:
        place = low.find(letter, place + 1)
        if place < 0:
            return None
        total += 3.0 if _begins_word(low, place) else 2.0 if place == previous + 1 else 0.5
        previous = place
    return total - len(low) * 0.01


def _begins_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()
