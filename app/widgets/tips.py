"""Tool tips of texts that come from files: shown as they are, never as markup."""

from __future__ import annotations

import html


def tip(text: str) -> str:
    """``text`` for a tool tip. Qt takes a text that looks like HTML for HTML, so it is always escaped."""
    return f"<div style='white-space: pre-wrap'>{html.escape(text)}</div>" if text else ""
