"""A number that a profile gives, with the steps it came from, or why it gives none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from app.analysis.table import Unit
from app.profile.arrays import I64


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """``how``: in one sentence; ``steps``: int64, the steps of the run that it was taken from, rising."""

    value: float
    how: str
    unit: Unit = ""
    steps: I64 = field(default_factory=lambda: np.empty(0, np.int64))


@dataclass(frozen=True, slots=True)
class Missing:
    """``why`` the profile does not say, so that the number has to be asked for."""

    why: str


Finding: TypeAlias = Found | Missing
