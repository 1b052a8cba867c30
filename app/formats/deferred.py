"""Defers the start of a profile until its first section is ready."""

from __future__ import annotations

from app.formats.events import Began, Event, SectionReady, Sink
from app.profile.issue import Issue


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
