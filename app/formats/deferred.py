"""Defers the start of a profile until there is something in it."""

from __future__ import annotations

from app.formats.events import Began, Event, SectionReady, Sink
from app.profile.issue import Issue


class Deferred:
    """A sink that lets a profile begin with its first section, so that a file of which nothing can be read leaves no
    empty profile behind. Issues that come before wait in ``issues``."""

    def __init__(self, sink: Sink) -> None:
        self.issues: list[Issue] = []
        self._sink = sink
        self._next: Began | None = None

    @property
    def waiting(self) -> bool:
        """Whether the profile that was announced last has not begun. Until then it may be announced anew."""
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
