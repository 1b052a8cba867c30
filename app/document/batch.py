"""Files that were opened together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Batch:
    """The profile that begins first is shown; the others wait in their tabs. ``shown``: it has begun."""

    shown: bool = False
