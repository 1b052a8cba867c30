"""How certain it is that a file is an on-chip memory plan."""

from __future__ import annotations

from pathlib import Path

from app.formats.json.text import head_text

_NAMES = ("memory_info.json", "memory_info_aic.json", "memory_info_aiv.json")


def sniff(head: bytes, path: Path) -> int:
    """3 for the keys that only such files have, 1 for an object in a file of that name."""
    text = head_text(head)
    if not text.startswith(b"{"):
        return 0
    if b'"memory_info_array"' in text or (b'"KernelName"' in text and b'"Record"' in text):
        return 3
    return int(path.name in _NAMES)
