"""Where a reader puts what it found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from app.profile.issue import Severity
from app.profile.profile import Section


class Sink(Protocol):
    """A read begins one profile (or several, where files turn out not to belong together), and fills it
    section by section; every call may raise Cancelled."""

    def begin(self, name: str, paths: Sequence[Path], *, writer: str = "") -> None:
        """What follows belongs to a new profile called ``name``, made from ``paths``."""

    def section(self, section: Section) -> None:
        """``section`` is finished (its arrays sealed)."""

    def issue(self, severity: Severity, where: str, text: str) -> None:
        """Something the user should know; the read goes on."""

    def progress(self, done: int, total: int, phase: str) -> None:
        """``done`` of ``total`` bytes read; call it at least every 50 ms of work."""
