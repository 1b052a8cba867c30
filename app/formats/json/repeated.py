"""Whether an object in a JSON text has a duplicate key; decoders silently use the last one."""

from __future__ import annotations

import re
from typing import Any, Final

MOST_BYTES: Final = 1 << 20
"""Longer texts are not checked, because counting their keys would take seconds."""
_NESTED: Final = (dict, list)
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"([ \t\r\n]*+:)?', re.DOTALL)


def has_repeated_key(text: bytes, value: Any) -> bool:
    """Whether ``value``, decoded from ``text``, has fewer keys than the text. For most texts a count of colons is
    enough."""
    colons = text.count(b":")
    if not colons or len(text) > MOST_BYTES:
        return False
    keys = _keys(value, colons)
    return colons > keys and sum(match[1] is not None for match in _TEXT.finditer(text)) > keys


def _keys(value: Any, enough: int) -> int:
    """The number of keys; counting stops when it reaches ``enough``."""
    count = 0
    stack = [value] if type(value) in _NESTED else []
    while stack and count < enough:
        part = stack.pop()
        if type(part) is dict:
            count += len(part)
            part = part.values()
        stack.extend([below for below in part if type(below) in _NESTED])
    return count
