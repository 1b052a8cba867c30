"""Shares room among texts of different widths."""

from __future__ import annotations

from collections.abc import Sequence


def common_limit(wanted: Sequence[int], room: int) -> int:
    """Returns the largest limit such that ``wanted``, each capped at it, sum to at most ``room``."""
    left = room
    for place, width in enumerate(sorted(wanted)):
        share = left // (len(wanted) - place)
        if width > share:
            return share
        left -= width
    return max(wanted, default=room)
