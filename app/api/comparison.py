"""Two profiles compared, or a profile with a baseline document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from app.analysis.about import about
from app.analysis.compare import comparison as made
from app.analysis.compare.as_table import as_table
from app.analysis.compare.cause import Causes
from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Value
from app.analysis.compare.kept import Kept
from app.analysis.schema import in_seconds
from app.analysis.table import Unit
from app.api.arguments import AnyPath, intact, path_of, text
from app.api.opening import OpenError
from app.api.profile import Profile
from app.api.table import Table
from app.formats.errors import FormatError
from app.formats.source import peek
from app.language import tr
from app.store import baselines


class Baseline:
    """A baseline document, as ``tilesight.open_baseline`` returns it: what `tilesight baseline` kept of a profile, or
    of several ``runs``. It takes the place of the profile before in ``tilesight.compare``."""

    def __init__(self, path: Path, kept: Kept) -> None:
        self._kept = kept
        self._profile = kept.profile(path)

    def __repr__(self) -> str:
        return f"<tilesight.Baseline {self.name!r} ({self.format})>"

    @property
    def name(self) -> str:
        return self._kept.name

    @property
    def format(self) -> str:
        """That of the profile."""
        return self._kept.format

    @property
    def files(self) -> tuple[Path, ...]:
        """The document."""
        return self._profile.origin.paths

    @property
    def runs(self) -> int:
        """How many runs it was made of."""
        return self._kept.runs

    @property
    def figures(self) -> dict[str, Any]:
        """The main figures by name, the parts of a figure one by one; of several runs the medians."""
        return {figure.name: figure.value for figure in self._kept.of_figures()}

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of the profile; the document may have only their sums."""
        return tuple(table.id for table in self._kept.tables)


class ComparedFigure(Struct, frozen=True):
    """A main figure of both profiles, None where one has no such figure. ``difference``: after - before, None for
    texts; ``percent``: of the figure before; ``why``: why there is no difference, "" if it is plain. ``min``, ``max``:
    the smallest and largest of the runs of a baseline document, None without a spread."""

    name: str
    before: Value
    after: Value
    difference: int | float | None
    percent: float | None
    unit: Unit
    why: str
    min: float | None = None
    max: float | None = None


class Comparison:
    """``before`` is the baseline. Both profiles must stay open."""

    def __init__(self, before: Profile | Baseline, after: Profile, comparison: made.Comparison) -> None:
        self.before = before
        self.after = after
        self._comparison = comparison

    @property
    def figures(self) -> list[ComparedFigure]:
        """The main figures, as `compare --json` has them."""
        with intact(self._check):
            own_figures = self._comparison.figures
        return [
            ComparedFigure(
                own.id, own.before, own.after, own.difference, own.percent, own.unit, own.why, *(own.spread or ())
            )
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
            table = in_seconds(as_table(compared, rows))
        return Table(table, known, (*self.before.files, *self.after.files), self._check)

    def _check(self) -> None:
        if isinstance(self.before, Profile):
            self.before._check()
        self.after._check()


def compare(before: Profile | Baseline, after: Profile) -> Comparison:
    """``after`` compared with the baseline ``before``, a profile or a baseline document. TypeError for anything
    else."""
    if not isinstance(before, (Profile, Baseline)):
        raise TypeError(
            f"before is a profile that tilesight.open returns, or a baseline of tilesight.open_baseline, not {before!r}"
        )
    if not isinstance(after, Profile):
        raise TypeError(f"after is a profile that tilesight.open returns, not {after!r}")
    kept = before._kept if isinstance(before, Baseline) else None
    return Comparison(before, after, made.Comparison(before._profile, after._profile, kept=kept))


def open_baseline(path: AnyPath) -> Baseline:
    """The document that `tilesight baseline` wrote. FormatError if it cannot be used, or is none; TypeError for what is
    no path, ValueError for an empty name."""
    own = Path(path_of(path))
    try:
        if not baselines.is_baseline(own):
            peek(own, 1)  # it may not exist
            reason = tr("this is not a baseline document; `tilesight baseline FILE -o SMALL.json` makes one")
            raise FormatError(reason, path=str(own))
        return Baseline(own, baselines.read(own))
    except FormatError as error:
        raise OpenError(error.text, path=str(own), offset=error.offset) from None
