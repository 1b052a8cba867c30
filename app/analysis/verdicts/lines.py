"""What an expert would say about a profile, in a few lines with their evidence. It may take a second for a large
profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from app.analysis.verdicts import ascend_lines, popef_lines, poplar_lines, tensorflow_lines
from app.analysis.verdicts.answer import About, Detail, Lines
from app.profile.profile import Profile

_MAKERS: Final[tuple[tuple[About, Callable[[Profile], Iterator[Detail]]], ...]] = (
    ("memory", poplar_lines.of_memory),
    ("run", poplar_lines.of_run),
    ("operator", ascend_lines.of_operator),
    ("model", popef_lines.of_model),
    ("events", tensorflow_lines.of_events),
)


def expert_lines(profile: Profile, look: Callable[[], None] = lambda: None) -> Lines:
    """The lines by the verdict that they belong to. ``look`` is called before each, and may raise to stop."""
    made: dict[About, tuple[Detail, ...]] = {}
    for about, make in _MAKERS:
        lines = []
        look()
        for line in make(profile):
            lines.append(line)
            look()
        if lines:
            made[about] = tuple(lines)
    return made
