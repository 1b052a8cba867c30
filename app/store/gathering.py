"""Profiles as events build them, one section after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.profile.profile import Origin, Profile
from app.store.events import Began, Event, IssueFound, Progress, SectionReady


@dataclass(slots=True)
class Gathering:
    """Profiles as events build them."""

    format_id: str
    profiles: list[Profile] = field(default_factory=list)

    def take(self, event: Event) -> None:
        match event:
            case Began():
                origin = Origin(self.format_id, event.paths, event.writer)
                self.profiles.append(Profile(name=event.name, origin=origin))
            case SectionReady():
                self.profiles[event.index] = self.profiles[event.index].with_section(event.section)
            case IssueFound():
                self.profiles[event.index] = self.profiles[event.index].with_issue(event.issue)
            case Progress():
                pass
