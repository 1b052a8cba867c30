"""Causes of a difference: rows that sum to it (time-model.md, section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.table import Unit
from app.language import tr
from app.profile.selection import Kind

CauseKind: TypeAlias = Literal["name", "program", "waits", "block", "outside", "category", "row", "rest"]
MOST_CAUSES: Final = 10
"""Rows for what changed; what is left of it is one row."""
MOST_PARTS: Final = 10
OTHERS: Final = tr("Others")
ROUNDING: Final = 1e-9
"""Of the sum of the absolute causes: smaller rows are none."""
REST_SHARE: Final = 0.05
"""Of the same: a larger rest needs a reason."""


class Part(Struct, frozen=True):
    """What makes up a cause."""

    cause: str
    difference: float


class Place(Struct, frozen=True):
    """Where a cause is: the ``item`` of a ``kind`` after (-1: none), and its row of a table before and after."""

    kind: Kind | None = None
    item: int = -1
    table: str = ""
    row_before: int = -1
    row_after: int = -1


NOWHERE: Final = Place()


class Cause(Struct, frozen=True):
    """A row: what the total changed by because of it. ``parts`` sum to ``difference``, or are empty. ``work``: by how
    much its own work changed, None where that is the same: a slower slice beside a longer chain costs less."""

    cause: str
    kind: CauseKind
    difference: float
    parts: tuple[Part, ...] = ()
    work: float | None = None
    place: Place = NOWHERE


class Causes(Struct, frozen=True):
    """The difference of the figure ``figure`` (its id), explained by ``rows`` that sum to it, by falling |difference|,
    the rest last. ``estimated``: by replays, and not only by sums. ``why``: why there is a large rest, "" if there is
    none."""

    figure: str
    label: str
    unit: Unit
    before: float
    after: float
    rows: tuple[Cause, ...]
    estimated: bool = False
    why: str = ""

    @property
    def difference(self) -> float:
        return self.after - self.before

    def share(self, row: Cause) -> float | None:
        """The share of the difference in percent; None where the total did not change."""
        return 100.0 * row.difference / self.difference if self.difference else None


def ranked(rows: Iterable[Cause], rest: str, total: float) -> tuple[Cause, ...]:
    """The largest MOST_CAUSES rows by falling |difference|; what the others, and nothing, explain of ``total`` is the
    row ``rest``."""
    every = list(rows)
    least = ROUNDING * max(abs(total), sum(abs(row.difference) for row in every))
    order = sorted((row for row in every if abs(row.difference) > least), key=lambda row: -abs(row.difference))
    shown, further = order[:MOST_CAUSES], order[MOST_CAUSES:]
    left = total - sum(row.difference for row in shown)
    if abs(left) <= least and not further:
        return tuple(shown)
    known = sum(row.difference for row in further)
    parts = parts_of([(row.cause, row.difference) for row in further], left - known)
    return (*shown, Cause(rest, "rest", left, parts))


def parts_of(amounts: Iterable[tuple[str, float]], other: float = 0.0, name: str = OTHERS) -> tuple[Part, ...]:
    """The largest MOST_PARTS amounts by falling |amount|; what is left, with ``other``, is a part called ``name``."""
    every = [(cause, amount) for cause, amount in amounts if amount]
    every.sort(key=lambda one: -abs(one[1]))
    left = other + sum(amount for _, amount in every[MOST_PARTS:])
    made = [Part(cause, amount) for cause, amount in every[:MOST_PARTS]]
    return (*made, Part(name, left)) if left else tuple(made)


def is_large(amount: float, rows: Iterable[Cause]) -> bool:
    """Whether an amount is more than REST_SHARE of the sum of the absolute causes."""
    return abs(amount) > REST_SHARE * sum(abs(row.difference) for row in rows)
