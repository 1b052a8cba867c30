"""Cores: those that source and instruction tables have columns for, and how many the chips have."""

from __future__ import annotations

from typing import Final

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


AI_CORES: Final[dict[str, int]] = {
    **dict.fromkeys(("910B1", "910B2", "9381", "9382", "9391", "9392"), 24),
    **dict.fromkeys(("910B3", "910B4", "9362", "9372"), 20),
    "950z": 8,
    **dict.fromkeys(("9579", "957b", "957d"), 28),
    **dict.fromkeys(("9581", "9589", "958a", "958b"), 32),
    "9599": 36,
}
"""How many AI cores a chip has, by what its name contains (Ascend operator files, section 3.5)."""
VECTOR_CORES: Final = 2
"""Vector cores in an AI core of all these chips (section 3.5)."""


def ai_cores(soc: str) -> int:
    """The number of AI cores; 0 for an unknown chip."""
    lowered = soc.lower()
    return next((count for name, count in AI_CORES.items() if name.lower() in lowered), 0)
