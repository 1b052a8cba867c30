"""The cores that source and instruction tables have columns for."""

from __future__ import annotations

from app.profile.profile import Profile


def core_names(profile: Profile) -> tuple[str, ...]:
    """Cores of the instructions, else of the lines (Ascend operator files, section 2.4); may be empty."""
    for section in (profile.instructions, profile.lines):
        if section is not None and section.cores:
            return section.cores
    return ()


def core_in(cores: tuple[str, ...], name: str) -> int:
    """The index of core ``name`` in a table with these ``cores``; the first for an unknown name."""
    return cores.index(name) if name in cores else 0
