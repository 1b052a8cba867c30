"""What a link is: the type that each family's rules and the walk along them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from app.profile.arrays import I64
from app.profile.profile import Profile

Link: TypeAlias = Callable[[Profile, I64], I64]
"""Indices of one kind to the indices of another that belong to them (sorted, unique, maybe none)."""
