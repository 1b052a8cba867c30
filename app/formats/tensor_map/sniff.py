"""Whether a file is a tensor map."""

from __future__ import annotations

import re
from pathlib import Path

from app.formats.json.text import head_text

_KEY = re.compile(rb'"mappings?"\s*:\s*(?:\{|null)')
_LISTS = re.compile(rb'\{\s*"mappings?"\s*:\s*\{\s*"(?:[^"\\]|\\.){0,4096}"\s*:\s*\[\s*[\[{]')


def sniff(head: bytes, path: Path) -> int:
    """3 for its key together with a matching name, or for a map from names to lists of lists (other programs also use
    the key, but for objects); 1 for the name alone."""
    text = head_text(head)
    if not text.startswith(b"{"):
        return 0
    if "tensor_map" in path.name.lower():
        return 3 if _KEY.search(text) else 1
    return 3 if _LISTS.match(text) else 0
