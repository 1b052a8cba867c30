"""Rows whose stored content is the same, whatever they are called: executables of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import numpy as np

from app.analysis.compare.partners import Partners
from app.analysis.compare.polling import Check
from app.analysis.compare.rule import Rule
from app.analysis.table import Table
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile

Side: TypeAlias = tuple[Profile, Table, I64]
"""A profile, its table, and the rows without a partner."""
SameContent: TypeAlias = Callable[[Side, Side, Check], Iterable[tuple[int, int]]]
"""Returns the rows with the same bytes, as pairs of rows before and after. It reads files."""

RULE: Final = Rule(
    "content",
    tr("same content"),
    tr("Both rows have the same bytes in their files, but different names."),
)


def match(pairs: Iterable[tuple[int, int]], partners: Partners, rule: int) -> None:
    """Match the rows of these pairs."""
    rows = np.array(list(pairs), np.int64).reshape(-1, 2)
    partners.pair(rows[:, 0], rows[:, 1], rule)
