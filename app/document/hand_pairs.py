"""Rows that a person paired or unpaired, by comparison, as plain values for the state of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from app.analysis.compare.matching import Pair

PAIRS: Final = "pairs"
FIELDS: Final = 5
MOST: Final = 10_000
"""Pairs that are read from a saved state."""


def stored(pairs: Iterable[Pair]) -> list[list[object]]:
    """The pairs as JSON values."""
    return [[pair.table, pair.before, pair.after, pair.label_before, pair.label_after] for pair in pairs]


def restored(view: Mapping[str, Any]) -> tuple[Pair, ...]:
    """The pairs in a saved view, which is not trusted: what is no pair is left out."""
    from app.analysis.compare.matching import Pair  # imports numpy

    values = view.get(PAIRS)
    if not isinstance(values, list):
        return ()
    return tuple(Pair(*value) for value in values[:MOST] if _is_pair(value))


def _is_pair(value: object) -> bool:
    if not isinstance(value, list) or len(value) != FIELDS:
        return False
    table, before, after, *labels = value
    rows = [row for row in (before, after) if row is not None]
    plain = all(isinstance(row, int) and not isinstance(row, bool) and row >= 0 for row in rows)
    return isinstance(table, str) and bool(rows) and plain and all(isinstance(label, str) for label in labels)
