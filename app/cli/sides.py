"""A side of a comparison, or what is exported, as an argument."""

from __future__ import annotations

from app.cli.common_words import path_of
from app.store.sides import Side, side_of


def side(text: str) -> Side:
    """``FILE`` or ``FILE#PART``; a file of that whole name comes first. ArgumentTypeError for an empty name."""
    path_of(text)
    return side_of(text)
