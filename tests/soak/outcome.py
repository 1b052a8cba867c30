"""What one part of the soak found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """``told``: figures in words; ``wrong``: a line for each failure, empty when all went well."""

    name: str
    told: str
    wrong: tuple[str, ...] = ()
