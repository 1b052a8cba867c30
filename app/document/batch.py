"""The state shared by the loads of files that were opened together."""

from __future__ import annotations

from msgspec import Struct


class Batch(Struct):
    """Of files opened together, the first profile to begin is shown and the others open in background tabs. ``shown``:
    whether one has begun."""

    shown: bool = False
