"""What a reader sends to its sink: the events, how often progress is reported, and how the start of a profile is
deferred until its first section is ready."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

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


SECONDS: Final = 0.03
"""Interval between reports. Cancelling must take effect within 0.2 s, and the work between two calls takes time too."""


class Pace:
    """Reports the current byte offset to ``sink``, by elapsed time, because some bytes take a thousand times as long to
    decode as others. The reported offset never decreases, although some parts are read twice. The sink may raise
    Cancelled."""

    def __init__(self, sink: Sink, total: int, phase: str, begin: int = 0) -> None:
        """``total``: bytes of all files; ``begin``: bytes of it that were read before."""
        self._sink = sink
        self._total = total
        self._phase = phase
        self._begin = begin
        self._most = 0
        self._due = 0.0

    def __call__(self, offset: int) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._most = min(max(self._most, self._begin + offset), self._total)
            self._sink(Progress(self._most, self._total, self._phase))
            self._due = time.monotonic() + SECONDS


class Deferred:
    """A sink that forwards the start of a profile only when its first section arrives, so that a file in which nothing
    is readable leaves no empty profile. Issues reported before that are held in ``issues``."""

    def __init__(self, sink: Sink) -> None:
        self.issues: list[Issue] = []
        self._sink = sink
        self._next: Began | None = None

    @property
    def waiting(self) -> bool:
        """Whether the profile announced last has not begun yet. Until it has, another announcement replaces it."""
        return self._next is not None

    def __call__(self, event: Event) -> None:
        match event:
            case Began():
                self._next = event
            case Issue() if self._next is not None:
                self.issues.append(event)
            case SectionReady() if self._next is not None:
                began, self._next = self._next, None
                issues, self.issues = self.issues, []
                self._sink(began)
                for issue in issues:
                    self._sink(issue)
                self._sink(event)
            case _:
                self._sink(event)
