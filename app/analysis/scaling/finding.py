"""A number derived from a profile, with the steps it came from, or the reason why there is none."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from msgspec import Struct, field

from app.analysis.table import Unit
from app.profile.arrays import I64


class Derived(Struct, frozen=True, eq=False):
    """``how`` it was derived, in one sentence; ``steps``: int64, the steps of the run that it came from, rising."""

    value: float
    how: str
    unit: Unit = ""
    steps: I64 = field(default_factory=lambda: np.empty(0, np.int64))


class Missing(Struct, frozen=True):
    """``why`` the profile does not say, so that the user has to."""

    why: str


Finding: TypeAlias = Derived | Missing
