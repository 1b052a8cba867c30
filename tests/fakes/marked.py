"""What is left of a text in the language for tests."""

from __future__ import annotations

import re


def without_marked(text: str) -> str:
    """``text`` without its marked parts, which may lie within each other."""
    while text != (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "", text)):
        text = shorter
    return text
