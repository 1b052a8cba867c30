"""Events of reading files. The same events go from a reader to its sink, over the pipe of a worker process, and into
the manifest of cached columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from app.language import Text
from app.profile.issue import Issue

if TYPE_CHECKING:
    from app.profile.profile import Section


class Began(Struct, frozen=True):
    """A new profile called ``name``, read from ``paths``, which ``writer`` wrote. The events that follow belong to it
    until another profile begins. ``cached``: it was read earlier and comes from the cache. ``preview``: only what a
    preview shows follows; reading begins the same profile again."""

    name: str
    paths: tuple[Path, ...]
    writer: str = ""
    cached: bool = False
    preview: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "name", sendable(self.name))
        force_setattr(self, "writer", sendable(self.writer))


class SectionReady(Struct, frozen=True):
    """A finished section (its arrays are sealed). ``preview``: it is sent again when it is read; ``portion``: what
    of it there is until then ("the first 100 slices"), "" if that is all."""

    section: Section
    preview: bool = False
    portion: Text = ""


class Progress(Struct, frozen=True):
    """``done`` of ``total`` bytes are read; ``phase`` is a short label of the current work. Due every 50 ms."""

    done: int
    total: int
    phase: Text


Event: TypeAlias = Began | SectionReady | Issue | Progress
"""An issue is something that the user should know; reading continues."""
Sink: TypeAlias = Callable[[Event], None]
"""Receives events one at a time. Every call may raise Cancelled."""


def sendable(text: str) -> str:
    """``text`` in a form that can be encoded as UTF-8: bytes of a file name that are not valid text become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
