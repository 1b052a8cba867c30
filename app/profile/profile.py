"""What an opened file is: where it came from, and the sections it filled."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import ClassVar, Protocol, cast

from app.profile.issue import Issue
from app.profile.timeline import Timeline


class Section(Protocol):
    """A frozen dataclass of columns; ``SECTION`` is the field of Profile that holds it."""

    SECTION: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Origin:
    """``format`` is the id of the format that read it; ``writer`` what the file says of its producer, or ""."""

    format: str
    paths: tuple[Path, ...]
    writer: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Profile:
    """Immutable. A section that the files do not have is None; panels that need it are then not offered."""

    name: str
    origin: Origin
    issues: tuple[Issue, ...] = ()

    timeline: Timeline | None = None

    def with_section(self, section: Section) -> Profile:
        """A new profile that also holds ``section``."""
        return replace(self, **{section.SECTION: section})  # type: ignore[arg-type]

    def with_issue(self, issue: Issue) -> Profile:
        return replace(self, issues=(*self.issues, issue))

    def section(self, name: str) -> Section | None:
        return cast("Section | None", getattr(self, name))

    def filled(self) -> tuple[str, ...]:
        """Names of the sections that are there, in the order they are declared."""
        return tuple(name for name in SECTION_NAMES if getattr(self, name) is not None)


SECTION_NAMES: tuple[str, ...] = tuple(
    field.name for field in fields(Profile) if field.name not in ("name", "origin", "issues")
)
