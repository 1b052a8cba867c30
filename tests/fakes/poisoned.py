"""Profiles with malicious texts: every name, title, source, message and path of a real one is replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.profile.issue import Issue
from app.profile.profile import Profile
from app.profile.strings import Strings

Change: TypeAlias = Callable[[str], str]

MEANT = {"format", "severity", "kind", "unit", "mode", "kinds", "SECTION"}
"""Fields with our own texts, not those of a file."""
KEYS = {"views"}


def poisoned(profile: Profile, change: Change) -> Profile:
    """``profile`` with ``change`` applied to every text in it that could come from a file or a path."""
    changed = _changed(profile, change)
    assert isinstance(changed, Profile)
    issue = Issue("error", change("a.bin: byte 96"), change("not a number"))
    return replace(changed, issues=(*changed.issues, issue))


def _changed(value: Any, change: Change) -> Any:
    if isinstance(value, Strings):
        return Strings.of(change(text) if text else "" for text in value)
    if isinstance(value, str):
        return change(value) if value else ""
    if isinstance(value, Path):
        return Path("/") / change(value.name).replace("/", "\u2215")[:200]
    if isinstance(value, tuple):
        return tuple(_changed(part, change) for part in value)
    if isinstance(value, Mapping):
        return {key: _changed(part, change) for key, part in value.items()}
    if isinstance(value, Struct):
        parts = {name: getattr(value, name) for name in value.__struct_fields__}
        for name in parts:
            if name not in MEANT:
                parts[name] = _changed(parts[name], change)
        return replace(value, **parts)
    return value
