"""Names of files made of texts of strangers: valid on every system, Windows included."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 100
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)
"""Windows gives these to devices, whatever follows the first dot."""


def safe_name(text: str, otherwise: str = "unnamed") -> str:
    """``text`` with ``_`` for what is no letter, digit, ``-``, ``_`` or ``.``; ``otherwise`` if nothing is left."""
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in text)
    plain = plain[:LONGEST].strip(".") or otherwise
    return f"_{plain}" if _DEVICES.match(plain) else plain


class SafeNames:
    """Names in one folder: no two are the same, also where systems ignore case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def name(self, text: str, suffix: str = "") -> str:
        """A new name with ``suffix`` for ``text``."""
        plain = safe_name(text)
        made, number = f"{plain}{suffix}", 2
        while made.casefold() in self._taken:
            made, number = f"{plain}-{number}{suffix}", number + 1
        self._taken.add(made.casefold())
        return made
