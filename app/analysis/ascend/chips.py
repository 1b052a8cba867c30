"""How many cores the chips have."""

from __future__ import annotations

from typing import Final

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
