"""What the lines of a cache are called: by the number that the file gives them, not by their place in it."""

from __future__ import annotations

from typing import Final

from app.profile.profile import Profile
from app.profile.selection import Kind

SIDES: Final[dict[Kind, str]] = {"cache_line": "", "cache_hit": " (hits)", "cache_miss": " (misses)"}


def cache_line_name(profile: Profile, kind: Kind, index: int) -> str:
    """``cache line 138 (hits)``; "" for other kinds, and for what the profile does not have."""
    lines = profile.cache.lines if profile.cache is not None else None
    if kind not in SIDES or lines is None or not 0 <= index < len(lines.line):
        return ""
    number = int(lines.line[index])
    return f"cache line {number:,}{SIDES[kind]}" if number >= 0 else f"cache line without a number{SIDES[kind]}"
