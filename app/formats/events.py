"""What happens while files are read. The same events go from a reader to whoever listens, over the pipe of a worker
process, and into the manifest of cached columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.language import Text
from app.profile.issue import Issue

if TYPE_CHECKING:
    from app.profile.profile import Section


@dataclass(frozen=True, slots=True)
class Began:
    """A new profile called ``name``, made from ``paths`` by ``writer``. What follows belongs to it, until another
    begins. ``kept``: it was read earlier and comes from the cache."""

    name: str
    paths: tuple[Path, ...]
    writer: str = ""
    kept: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", sendable(self.name))
        object.__setattr__(self, "writer", sendable(self.writer))


@dataclass(frozen=True, slots=True)
class SectionReady:
    """A finished section (its arrays are sealed)."""

    section: Section


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` bytes; ``phase`` says in a word or two what is being done. Due every 50 ms of work."""

    done: int
    total: int
    phase: Text


Event: TypeAlias = Began | SectionReady | Issue | Progress
"""An issue is what the user should know; reading goes on."""
Sink: TypeAlias = Callable[[Event], None]
"""Takes events, one after the other. Every call may raise Cancelled."""


def sendable(text: str) -> str:
    """``text`` as something that can be written as UTF-8: parts of a file name that are no text become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
