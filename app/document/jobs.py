"""Loads as the window shows them: state, progress and failures, and what files opened together share. No Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

State: TypeAlias = Literal["queued", "reading", "done", "failed", "cancelled"]


class JobState(Struct):
    """One load as the status bar shows it; ``done`` of ``total`` bytes are read."""

    id: int
    title: str
    paths: tuple[Path, ...]
    state: State = "queued"
    done: int = 0
    total: int = 0
    phase: str = ""


class Failure(Struct, frozen=True):
    """Files that could not be read, and one line that says why. ``shown``: whether what was read of them is shown."""

    paths: tuple[Path, ...]
    text: str
    shown: bool = False


class Batch(Struct):
    """Of files opened together, the first profile to begin is shown and the others open in background tabs. ``shown``:
    whether one has begun."""

    shown: bool = False
