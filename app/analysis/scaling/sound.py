"""Validates numbers."""

from __future__ import annotations

import math

from app.language import tr


def a_count(value: float, what: str) -> None:
    """ValueError unless ``value`` is at least 1 and finite."""
    if not (math.isfinite(value) and value >= 1):
        raise ValueError(tr("{what}: {value} is less than 1", what=what, value=f"{value:g}"))


def a_time(value: float, what: str) -> None:
    """ValueError unless ``value`` is finite and not negative."""
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(tr("{what}: {value} is less than 0", what=what, value=f"{value:g}"))


def above_zero(value: float, what: str) -> None:
    """ValueError unless ``value`` is finite and above 0."""
    if not (math.isfinite(value) and value > 0):
        raise ValueError(tr("{what}: {value} is not above 0", what=what, value=f"{value:g}"))


def a_share(value: float, what: str) -> None:
    """ValueError unless ``value`` lies in 0..1."""
    if not 0 <= value <= 1:
        raise ValueError(tr("{what}: {value} is not between 0 and 1", what=what, value=f"{value:g}"))
