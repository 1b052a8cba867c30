"""Reading bytes as a file of a format, for tests."""

from __future__ import annotations

from app.formats.collect import Collector
from app.formats.format import Format
from app.profile.profile import Profile
from generators.memory_source import MemorySource


def profiles_of(format_: Format, content: bytes, name: str = "memory.bin") -> list[Profile]:
    """The profiles that ``format_`` makes of ``content``."""
    sink = Collector(format_.id)
    format_.read([MemorySource(content, name)], sink)
    return sink.profiles


def profile_of(format_: Format, content: bytes, name: str = "memory.bin") -> Profile:
    """The only profile in ``content``."""
    (profile,) = profiles_of(format_, content, name)
    return profile
