"""Two profiles compared."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.about import about
from app.analysis.compare import comparison as made
from app.analysis.compare.as_table import as_table
from app.analysis.compare.cause import Causes
from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Value
from app.analysis.table import Unit
from app.api.arguments import intact, text
from app.api.profile import Profile
from app.api.table import Table


class ComparedFigure(Struct, frozen=True):
    """A main figure of both profiles, None where one has no such figure. ``difference``: after - before, None for
    texts; ``percent``: of the figure before; ``why``: why there is no difference, "" if it is plain."""

    name: str
    before: Value
    after: Value
    difference: int | float | None
    percent: float | None
    unit: Unit
    why: str


class Comparison:
    """``before`` is the baseline. Both profiles must stay open."""

    def __init__(self, before: Profile, after: Profile, comparison: made.Comparison) -> None:
        self.before = before
        self.after = after
        self._comparison = comparison

    @property
    def figures(self) -> list[ComparedFigure]:
        """The main figures, as `compare --json` has them."""
        with intact(self._check):
            own_figures = self._comparison.figures
        return [
            ComparedFigure(own.id, own.before, own.after, own.difference, own.percent, own.unit, own.why)
            for own in own_figures
        ]

    @property
    def causes(self) -> list[Causes]:
        """For each total that differs, rows that sum to its difference, as `compare --json` has them. It may take
        seconds for large timelines."""
        with intact(self._check):
            return all_causes(self._comparison, self._check)

    @property
    def limits(self) -> list[str]:
        """What cannot be compared plainly, and why."""
        return list(self._comparison.limits)

    @property
    def tables(self) -> tuple[str, ...]:
        """The names that ``table`` takes: of all tables that either profile has."""
        return tuple(dict.fromkeys((*self.after.tables, *self.before.tables)))

    def table(self, name: str, *, changed_only: bool = False) -> Table:
        """The rows of both tables side by side, as `export --baseline` writes them, the largest differences first; each
        figure has the columns ``_before``, ``_after``, ``_difference`` and ``_percent``. KeyError if neither profile
        has such a table; TypeError for another type of name."""
        with intact(self._check):
            compared = self._comparison.table(text("the name of a table", name))
        if compared is None:
            raise KeyError(f"neither profile has a table {name!r}")
        rows = compared.order()
        rows = rows[compared.changed[rows]] if changed_only else rows
        known = about(self.after._profile, self.before._profile)
        with intact(self._check):
            table = as_table(compared, rows)
        return Table(table, known, (*self.before.files, *self.after.files), self._check)

    def _check(self) -> None:
        self.before._check()
        self.after._check()


def compare(before: Profile, after: Profile) -> Comparison:
    """``after`` compared with the baseline ``before``. TypeError unless both are profiles."""
    for what, value in (("before", before), ("after", after)):
        if not isinstance(value, Profile):
            raise TypeError(f"{what} is a profile that tilesight.open returns, not {value!r}")
    return Comparison(before, after, made.Comparison(before._profile, after._profile))
