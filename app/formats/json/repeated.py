"""Whether an object in a JSON text has a key twice: decoders keep the last one in silence."""

from __future__ import annotations

import re
from typing import Any, Final

MOST_BYTES: Final = 1 << 20
"""Longer texts are not looked through: their keys would be counted for seconds."""
_NESTED: Final = (dict, list)
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"([ \t\r\n]*+:)?', re.DOTALL)


def has_repeated_key(text: bytes, value: Any) -> bool:
    """Whether ``value``, decoded from ``text``, has fewer keys than the text. Few texts need more than a count of
    their colons."""
    colons = text.count(b":")
    if not colons or len(text) > MOST_BYTES:
        return False
    keys = _keys(value, colons)
    return colons > keys and sum(match[1] is not None for match in _TEXT.finditer(text)) > keys


def _keys(value: Any, enough: int) -> int:
    """How many keys there are; of so many that they are ``enough``, at least those."""
    count = 0
    stack = [value] if type(value) in _NESTED else []
    while stack and count < enough:
        part = stack.pop()
        if type(part) is dict:
            count += len(part)
            part = part.values()
        stack.extend([below for below in part if type(below) in _NESTED])
    return count
