"""Positions of the parts of the memory path diagram."""

from __future__ import annotations

from app.analysis.ascend.diagram.parts import Rect


def meets(first: Rect, second: Rect) -> bool:
    """Whether the two share more than an edge."""
    beside = first.x < second.right and second.x < first.right
    return beside and first.y < second.bottom and second.y < first.bottom
