"""How long work is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Check: TypeAlias = Callable[[], None]
"""Called every few milliseconds of work; raises to cancel it."""


def never() -> None:
    """For work that is not cancelled."""
