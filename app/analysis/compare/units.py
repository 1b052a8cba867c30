"""Which units can be compared."""

from __future__ import annotations

from typing import Final

_SCALES: Final[tuple[dict[str, float], ...]] = (
    {"s": 1.0, "µs": 1e-6, "ns": 1e-9},
    {"Hz": 1.0, "MHz": 1e6},
    {"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
)
KINDS: Final[dict[str, str]] = {"cycles": "time", "s": "time", "µs": "time", "ns": "time", "B": "bytes"}
"""What amounts of a unit are about."""


def factor(unit: str, wanted: str) -> float | None:
    """By what to multiply figures in ``unit`` for figures in ``wanted``; None for units of different things."""
    if unit == wanted:
        return 1.0
    for scale in _SCALES:
        if unit in scale and wanted in scale:
            return scale[unit] / scale[wanted]
    return None
