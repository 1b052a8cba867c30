"""Recognises trace files by their first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from app.formats.json.text import head_text

_ARRAY = re.compile(rb'"traceEvents"\s*:\s*\[')
_EVENT = re.compile(rb'"ph"\s*:\s*"')
_PLACE = re.compile(rb'"(?:ts|pid)"\s*:')


def sniff(head: bytes, _path: Path) -> int:
    """3 for ``traceEvents`` or an operator's profilingType, 2 for displayTimeUnit or a bare array of events, else 0."""
    text = head_text(head)
    if text.startswith(b"{"):
        if _ARRAY.search(text) or b'"profilingType"' in text.partition(b"[")[0]:
            return 3
        return 2 if b'"displayTimeUnit"' in text else 0  # the events come after other large members
    if text.startswith(b"[") and text[1:].lstrip().startswith(b"{"):
        first = text[:4096]
        return 2 if _EVENT.search(first) and _PLACE.search(first) else 0
    return 0
