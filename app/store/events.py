"""What happens while files are read: the same events whether a thread or a worker process reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from app.profile.issue import Issue
    from app.profile.profile import Section


@dataclass(frozen=True, slots=True)
class Began:
    """Profile number ``index`` of this job begins. ``kept``: what follows was read earlier and kept, not read now."""

    index: int
    name: str
    paths: tuple[Path, ...]
    writer: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class SectionReady:
    """A finished section of profile ``index``."""

    index: int
    section: Section


@dataclass(frozen=True, slots=True)
class IssueFound:
    index: int
    issue: Issue


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` bytes; ``phase`` says in a word or two what is being done."""

    done: int
    total: int
    phase: str


Event: TypeAlias = Began | SectionReady | IssueFound | Progress
Emit: TypeAlias = Callable[[Event], None]
