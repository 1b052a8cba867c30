"""A profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from math import inf
from operator import index
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, SupportsIndex

from msgspec import Struct

from app.analysis import table as sections_table
from app.analysis.about import Setting, about
from app.analysis.figures import Figure, figures
from app.analysis.findings import ranked
from app.analysis.findings.thresholds import Thresholds, is_value
from app.analysis.schema import for_programs, schema_of
from app.analysis.tables import by_id, listed
from app.analysis.view_links.text import parse, written
from app.analysis.view_links.things import links_of, things_named
from app.analysis.view_links.view_link import ViewLink
from app.api.arguments import intact, is_number, text, whole
from app.api.findings import Findings, finding_of
from app.api.notebook import html_table, meant, paragraph
from app.api.plot import Plot
from app.api.table import Table
from app.language import tr
from app.profile import profile as sections
from app.profile.issue import Severity
from app.profile.selection import Kind, Ranges, TileRange, TimeRange
from app.query.limits import MEMORY_MB
from app.store.findings import outcomes
from app.store.link_files import ref_to
from app.store.token import interruptible

if TYPE_CHECKING:
    from app.analysis.time.answers import CriticalPath
    from app.analysis.time.memory import Without
    from app.analysis.time.what_if import WhatIf
    from app.views.verdict import Verdict


FIGURE_HEADS = ("figure", "title", "value", "unit")


class Issue(Struct, frozen=True):
    """What the reader or a consistency check says about the files: ``where`` in them, and what is wrong."""

    severity: Severity
    where: str
    text: str


class Profile:
    """A profile, as ``tilesight.open`` returns it. Its columns may be mapped from temporary files, which exist until
    ``close`` or the end of the ``with`` block; figures, tables and arrays must not be used after that. FormatError
    from whatever reads them, once these files were truncated by another program."""

    def __init__(
        self, profile: sections.Profile, release: Callable[[], None], check: Callable[[], None] = lambda: None
    ) -> None:
        self._profile = profile
        self._check = check
        self._release: Callable[[], None] | None = release

    def __enter__(self) -> Profile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<tilesight.Profile {self.name!r} ({self.format})>"

    def _repr_html_(self) -> str:
        """For notebooks: what bounds it, and the main figures."""
        made = self.verdict()
        with intact(self._check):
            rows = [
                (one.name, one.label, one.value, one.unit) for one in figures(self._profile, whole=True) if one.label
            ]
        text = "" if made is None else paragraph(made.text)
        return paragraph(f"{self.name} ({self.format})", strong=True) + text + html_table(FIGURE_HEADS, rows)

    def __getitem__(self, name: str) -> Table:
        """``profile["slices"]`` is ``profile.table("slices")``."""
        return self.table(name)

    def __getattr__(self, name: str) -> Any:
        """Says what a wrong name may have meant."""
        table = name.replace("_", "-")
        own = [known for known in dir(type(self)) if not known.startswith("_")]
        hint = (
            f'; did you mean profile["{table}"]?' if not name.startswith("_") and schema_of(table) else meant(name, own)
        )
        raise AttributeError(f"a profile has no attribute {name!r}{hint}")

    def close(self) -> None:
        """Releases the columns; further calls do nothing."""
        release, self._release = self._release, None
        if release is not None:
            release()

    @property
    def name(self) -> str:
        return self._profile.name

    @property
    def format(self) -> str:
        """As in `info --json`: poplar, ascend-bin, popef, chrome-trace …"""
        return self._profile.origin.format

    @property
    def files(self) -> tuple[Path, ...]:
        return self._profile.origin.paths

    @property
    def figures(self) -> dict[str, Any]:
        """The main figures by name, as in `info --json`: bytes and cycles as integers, times in seconds."""
        with intact(self._check):
            return {figure.name: figure.value for figure in figures(self._profile, whole=True)}

    def figure(self, name: str) -> Figure:
        """A main figure with its ``value``, ``unit``, ``label``, and ``help`` (the source or the formula). KeyError if
        the profile has none of that name."""
        with intact(self._check):
            known = {figure.name: figure for figure in figures(self._profile, whole=True)}
        if name not in known:
            raise KeyError(f"{self.name} has no figure {name!r}{meant(str(name), known)}")
        return known[name]

    @property
    def issues(self) -> list[Issue]:
        return [Issue(issue.severity, issue.where, issue.text) for issue in self._profile.issues]

    @property
    def tables(self) -> tuple[str, ...]:
        """The names that ``table`` takes. Makes most tables once."""
        with intact(self._check):
            return tuple(table.id for table in listed(self._profile))

    @property
    def plots(self) -> tuple[str, ...]:
        """The names that ``plot`` takes. Needs Qt, as pictures do."""
        from app.api.plot import names

        return names(self._profile)

    def table(self, name: str) -> Table:
        """The table of that name, as `export --table` writes it. KeyError if the profile has none, TypeError for a name
        that is no text."""
        with intact(self._check):
            made = by_id(self._profile, text("the name of a table", name))
            table = None if made is None else for_programs(made)
        if table is None:
            raise KeyError(f"{self.name} has no table {name!r}{meant(name, self.tables)}")
        return Table(table, about(self._profile), self.files, self._check)

    def query(
        self, statement: str, *, baseline: Profile | None = None, limit: int | None = None, memory_mb: int = MEMORY_MB
    ) -> Table:
        """The result of one SQL statement that reads the tables, by DuckDB: at most ``limit`` rows. Names need no
        quotes: the table `compute-sets` is compute_sets, `tile-memory/region` is tile_memory_region, the column `end`
        is end_; a column `item` has the number of what a row stands for. Tables of ``baseline`` have its schema:
        ``select * from steps join baseline.steps using (step)``. Columns that are those of a table keep their unit.
        Nothing else can be read or written. QueryError, also for a result that needs more than ``memory_mb`` megabytes
        (the command `query -o` writes any number of rows); it says `pip install tilesight[sql]` without DuckDB.
        TypeError and ValueError for arguments of another type or below 0."""
        text("the statement", statement)
        whole("memory_mb", memory_mb, 1)
        if limit is not None:
            whole("limit", limit)
        return self._query(statement, baseline, limit, memory_mb=memory_mb)

    def _query(
        self,
        statement: str,
        baseline: Profile | None,
        limit: int | None,
        change: Callable[[sections_table.Table], sections_table.Table] | None = None,
        memory_mb: int = MEMORY_MB,
    ) -> Table:
        """``change``: what is made of each table before the statement reads it."""
        from app.query.session import answer, sources_of

        before = _baseline(baseline)
        sources = sources_of([self._profile], before, change)
        with intact(self._check), intact(self._check if baseline is None else baseline._check):
            made = interruptible(lambda token: answer(sources, statement, token, limit, memory_mb))
        settings = [Setting("query", tr("Statement"), statement)]
        files = self.files if baseline is None else self.files + baseline.files
        return Table(made, about(self._profile, before, settings), files)

    def findings(self, **thresholds: float) -> Findings:
        """What the rules say, errors first; ``thresholds`` as `findings --threshold` takes them. TypeError for a
        threshold that does not exist, ValueError for one that is no number of 0 or more."""
        for name, value in thresholds.items():
            if not is_number(value):
                raise TypeError(f"{name} is a number, not {value!r}")
            if not is_value(value):
                raise ValueError(f"{name}: {value!r} is no number of 0 or more")
        with intact(self._check):
            pairs = ranked(outcomes(self._profile, Thresholds(**thresholds)))
        target = self._profile.target
        clock = target.clock_hz if target is not None else None
        links = links_of(self._profile, ref_to(self._profile), pairs)
        return Findings(
            finding_of(rule, finding, clock, own) for (rule, finding), own in zip(pairs, links, strict=True)
        )

    def verdict(self) -> Verdict | None:
        """What bounds it, in one sentence with its figures; None where the file does not allow that. It may take
        seconds for a large timeline."""
        from app.views.verdict import verdict

        return verdict(self._profile)

    def critical_path(self, scope: str = "") -> CriticalPath:
        """The chain of work and waits that fills the time of the timeline, or of the core ``scope``, such as
        ``core0.veccore1``. ValueError for a core that does not exist, TypeError for a scope that is no text. A file
        that does not allow it has an empty path, and the reason in ``why``."""
        from app.analysis.time.answers import critical_path_of

        text("scope", scope)
        with intact(self._check):
            return interruptible(lambda token: critical_path_of(self._profile, scope, token.check))

    def what_if(self, factors: Mapping[str, float] | None = None, *, balanced: bool | str = False) -> WhatIf:
        """What a change saves, as `what-if` estimates and bounds it: ``factors`` multiply durations, as in
        ``profile.what_if({"VADD": 0.5, "lane:MTE2": 0, "re:^Conv": 0.8})``, or all tiles take the same time in
        computing steps of a Poplar run (``balanced``), or in those of that name. ValueError for a name that nothing
        has, or a factor below 0; TypeError for what is no text or number, and unless there is one change. A file that
        does not allow it has the reason in ``why``."""
        from app.analysis.time import what_if

        if (factors is None) == (balanced is False):
            raise TypeError("what_if takes either factors or balanced")
        with intact(self._check):
            if factors is None:
                return what_if.balanced(self._profile, "" if balanced is True else text("balanced", balanced))
            checked = _factors(factors)
            return interruptible(lambda token: what_if.scaled(self._profile, checked, token.check))

    def memory_without(self, variable: str) -> Without:
        """Whether the tiles of a Poplar graph fit without a variable, and what its peak falls to, as `what-if
        --without` says. ValueError for a variable that the profile does not have."""
        from app.analysis.time import what_if

        with intact(self._check):
            return what_if.without(self._profile, text("the name of a variable", variable))

    def link(
        self,
        panel: str = "",
        selection: tuple[Kind, Sequence[int]] | None = None,
        *,
        time: tuple[float, float] | None = None,
        tiles: Sequence[int] = (),
        baseline: Profile | None = None,
    ) -> str:
        """The text of a link that `tilesight --goto` and Go > Open link follow: ``panel`` in front (its id, such as
        ``timeline``; "": the one for the selection), with things selected (``("tile", [5, 6])``: kind, and indices as
        in the table of that kind), the range of ``time`` (in seconds, as in tables; in cycles where the clock is not
        known) or ``tiles`` set, compared with ``baseline``. ValueError for a kind that does not exist, things that the
        profile does not have, a range that ends before it begins, or a name that no panel can have; TypeError for what
        is of another type."""
        text("panel", panel)
        if selection is not None and not _is_selection(selection):
            raise TypeError(f"selection is a kind and a list of indices, not {selection!r}")
        if time is not None and (not isinstance(time, Sized) or len(time) != 2):
            raise TypeError(f"time is a pair of numbers, not {time!r}")
        if isinstance(tiles, (str, bytes)) or not isinstance(tiles, Sized):
            raise TypeError(f"tiles is a list of numbers, not {tiles!r}")
        chosen = None if selection is None else things_named(self._profile, *selection)
        if selection is not None and chosen is None:
            raise ValueError(f"{self.name} has no {selection[0]} {list(selection[1])[:3]}")
        ranges = Ranges(  # of Python's numbers: those of numpy are written otherwise
            None if time is None else self._range(float(time[0]), float(time[1])),
            TileRange(tuple(sorted(set(map(index, tiles))))) if len(tiles) else None,
        )
        compared = _baseline(baseline)
        before = None if compared is None else ref_to(compared)
        made = written(ViewLink(ref_to(self._profile), panel, chosen, ranges, baseline=before))
        parse(made)  # what the window would refuse is refused here
        return made

    def _range(self, start: float, end: float) -> TimeRange:
        """These times in the unit of the timeline."""
        timeline = self._profile.timeline
        seconds = 1.0 if timeline is None else timeline.seconds_per_unit or 1.0
        return TimeRange(start / seconds, end / seconds)

    @property
    def not_checked(self) -> dict[str, str]:
        """Rules that cannot be applied to this profile, and why."""
        return {outcome.rule.id: outcome.why for outcome in outcomes(self._profile) if outcome.why}

    def plot(self, name: str) -> Plot:
        """The picture of that name, as `export --plot` writes it. KeyError if the profile has none, TypeError for
        another type of name."""
        return Plot(self._profile, text("the name of a plot", name))


def _factors(factors: object) -> dict[str, float]:
    if not isinstance(factors, Mapping) or not factors:
        raise TypeError(f"factors is a dict of names and numbers, not {factors!r}")
    for name, factor in factors.items():
        text("a name", name)
        if not is_number(factor):
            raise TypeError(f"{name} is a number, not {factor!r}")
        if not 0 <= factor < inf:
            raise ValueError(f"{name}: {factor!r} is no number of 0 or more")
    return dict(factors)


def _baseline(baseline: object) -> sections.Profile | None:
    if baseline is not None and not isinstance(baseline, Profile):
        raise TypeError(f"baseline is a profile that tilesight.open returns, not {baseline!r}")
    return None if baseline is None else baseline._profile


def _is_selection(selection: object) -> bool:
    """Whether it is a kind and indices, of things that need not exist."""
    if not isinstance(selection, Sequence) or len(selection) != 2:
        return False
    kind, indices = selection
    if not isinstance(kind, str) or isinstance(indices, (str, bytes)) or not isinstance(indices, Iterable):
        return False
    return all(isinstance(own, SupportsIndex) for own in indices)
