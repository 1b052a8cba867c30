"""Two versions of a source as a difference of texts, with the cost of each line on both sides; and instructions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.ascend.cores import core_names
from app.analysis.compare import codes
from app.analysis.compare.alignment import Aligner, Check, longest_increasing, never
from app.analysis.compare.as_table import figure_columns, merged_column, taken_keys, text_columns
from app.analysis.compare.codes import paired_paths
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matched import NO_RULE, SEQUENCE, Matches, same_cores
from app.analysis.compare.tables import BOTH, ComparedColumn, ComparedTable, Total, alone, compared
from app.analysis.source_view import SourceView, instruction_view, source_paths, source_view
from app.analysis.table import Coded, Column, Table
from app.analysis.tables.ascend_source import instruction_columns
from app.language import tr
from app.profile.arrays import F64, I64, U8, Bool, distinct, sealed
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings

CHANGE: Final = "change"
SIGNS: Final = ("", "−", "+")
"""By status: in both, only in the baseline, only in the comparison."""
BEFORE, AFTER, DIFFERENCE = "_before", "_after", "_difference"
Head: TypeAlias = Callable[[I64], Iterable[Column]]
"""Makes the first columns, for rows of the comparison."""


class Layout(Struct, frozen=True):
    """How rows are shown. ``head`` makes the first columns, which replace those with the keys ``replaced``; ``ranked``:
    the key of the column that ranks rows, whose difference follows them, and whose costs follow the code; ``selects``,
    ``keys``: what rows of the table after stand for (None: themselves); ``largest_first``: only rows that differ in the
    ranking column, the largest difference first."""

    head: Head
    replaced: Collection[str]
    ranked: str
    selects: Kind
    keys: I64 | None = None
    largest_first: bool = False
    note: str = ""


class ComparedRows(Struct, frozen=True, eq=False):
    """``table``: the rows to show; ``rows_before``, ``rows_after``: int64[rows], the row of each side, -1 none;
    ``status``: uint8[rows], as in ComparedTable; ``stops``: int64, ascending: rows at which a difference begins.
    By place of a column: ``full``, the cost of a full bar; ``spans``, the largest difference. ``largest``: the row with
    the largest difference of the ranking column, -1 if nothing differs; ``ranking``: that column after, None without
    one; ``total``: its sums."""

    table: Table
    rows_before: I64
    rows_after: I64
    status: U8
    stops: I64
    full: dict[int, float]
    spans: dict[int, float]
    largest: int
    ranking: Column | None = None
    total: Total | None = None


def compared_rows(compared: ComparedTable, layout: Layout) -> ComparedRows:
    """The rows of a comparison in the order of the table after, or as the layout says."""
    ranking = compared.column(layout.ranked)
    rows = _order(compared, ranking, largest_first=layout.largest_first)
    status, after = compared.status[rows], compared.rows_after[rows]
    shown = compared.after if compared.after is not None else compared.before
    assert shown is not None
    columns = (signs(status), *layout.head(rows), *_costs(compared, ranking, layout.replaced, rows))
    table = Table(compared.id, shown.title, columns, layout.selects, taken_keys(layout.keys, after), layout.note)
    return ComparedRows(
        table,
        compared.rows_before[rows],
        after,
        status,
        stops(status, compared.any_differs(compared.figures)[rows]),
        _full(columns),
        {place: most(column) for place, column in enumerate(columns) if column.key.endswith(DIFFERENCE)},
        _largest(columns, layout.ranked),
        None if ranking is None else ranking.shown,
        None if ranking is None else compared.total(ranking),
    )


def signs(status: U8) -> Column:
    """The column that says which rows only one side has."""
    help_ = tr("− only in the baseline, + only in the comparison.")
    return Column(CHANGE, tr("±"), Coded(status.astype(np.int32), Strings.of(SIGNS)), help=help_, role="kind")


def stops(status: U8, changed: Bool) -> I64:
    """int64, ascending: each row that changed, and the first of each run of rows that only one side has."""
    before = np.concatenate(([BOTH], status[:-1])) if len(status) else status
    begins = (status != BOTH) & (status != before)
    return np.flatnonzero(begins | changed).astype(np.int64)


def most(column: Column) -> float:
    """The largest figure of a column, without sign; 0 if it has none."""
    return float(_sizes(column).max(initial=0.0))


def _order(compared: ComparedTable, ranking: ComparedColumn | None, *, largest_first: bool) -> I64:
    if not largest_first or ranking is None:
        return np.arange(compared.rows, dtype=np.int64)
    difference, rows = compared.difference(ranking), compared.order(ranking)
    differs: Bool = difference.known & (difference.values != 0)
    return rows[differs[rows]].astype(np.int64)


def _costs(
    compared: ComparedTable, ranking: ComparedColumn | None, replaced: Collection[str], rows: I64
) -> Iterator[Column]:
    """The difference of the ranking column, the columns up to the code, the costs of the ranking column, the rest."""
    others = [column for column in compared.columns if column is not ranking and column.key not in replaced]
    code = next((place + 1 for place, column in enumerate(others) if column.shown.role == "code"), 0)
    before, after, difference = ((), (), ()) if ranking is None else _costs_of(compared, ranking, rows)
    yield from difference
    for column in others[:code]:
        yield from _shown(compared, column, rows)
    yield from (*before, *after)
    for column in others[code:]:
        yield from _shown(compared, column, rows)


def _costs_of(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[tuple[Column, ...]]:
    return ((one,) for one in islice(figure_columns(compared, column, rows), 3))


def _shown(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[Column]:
    """A text of either side, or figures before, after and their difference."""
    if not column.subtracts:
        yield merged_column(compared, column, rows)
    else:
        yield from islice(figure_columns(compared, column, rows), 3)


def _full(columns: tuple[Column, ...]) -> dict[int, float]:
    """By place: the largest of both sides. Percentages have bars of 100 by themselves."""
    places: dict[int, str] = {}
    largest: dict[str, float] = {}
    for place, column in enumerate(columns):
        if column.numeric and not column.is_key and column.unit != "%" and column.key.endswith((BEFORE, AFTER)):
            key = places[place] = column.key.rpartition("_")[0]
            largest[key] = max(largest.get(key, 0.0), most(column))
    return {place: largest[key] for place, key in places.items() if largest[key] > 0}


def _largest(columns: tuple[Column, ...], ranked: str) -> int:
    sizes = next((_sizes(column) for column in columns if column.key == f"{ranked}{DIFFERENCE}"), None)
    if sizes is None or not len(sizes):
        return -1
    place = int(sizes.argmax())
    return place if sizes[place] > 0 else -1


def _sizes(column: Column) -> F64:
    values = np.abs(np.nan_to_num(np.asarray(column.values, np.float64)))
    return values if column.missing is None else np.where(column.missing, 0.0, values)


NO_KEYS: I64 = np.empty(0, np.int64)


class SourcePair(Struct, frozen=True):
    """A source of each side, by its path; "" if that side has none."""

    before: str
    after: str

    @property
    def shown(self) -> str:
        return self.after or self.before


class Opened(Struct, frozen=True):
    """The text of a source that a user opened from ``place``, for a profile that only names it."""

    text: str = ""
    place: str = ""


class ComparedSource(Struct, frozen=True, eq=False):
    """``rows``: its lines; ``before``, ``after``: the views that their rows refer to; ``measured``: bool[rows] of each
    side, whether it has figures of the line."""

    rows: ComparedRows
    before: SourceView
    after: SourceView
    measured: tuple[Bool, Bool]


def source_pairs(before: Profile, after: Profile) -> list[SourcePair]:
    """All sources: those of the profile after in their order, then those that only the baseline has. Sources whose
    lines are matched with one another belong together (the same path, else the same file name)."""
    measured = paired_paths(_measured(before), _measured(after))
    own, other = source_paths(before), source_paths(after)
    taken = set(measured.values())
    rest = paired_paths((path for path in own if path not in measured), (path for path in other if path not in taken))
    partner = {later: earlier for earlier, later in {**measured, **rest}.items()}
    pairs = [SourcePair(partner.get(path, ""), path) for path in other]
    return [*pairs, *(SourcePair(path, "") for path in own if path not in measured and path not in rest)]


def core_of(profile: Profile, core: str, other: Profile) -> str | None:
    """The core of ``profile`` that is compared with ``core`` of ``other``: that of the same kind and number, or the
    only one of both; None if there is none."""
    names, others = core_names(profile), core_names(other)
    if core in names:
        return core
    return "".join(names) if len(names) <= 1 and len(others) <= 1 else same_cores(others, names).get(core)


def sources_not_compared(before: Profile, after: Profile, core: str) -> list[str]:
    """Why costs are on one side only: one sentence each."""
    reasons: list[str] = []
    if core_of(before, core, after) is None:
        reasons.append(tr("Core {core} is only in the comparison: its costs have no baseline.", core=core))
    lacking = [name for name in core_names(before) if core_of(after, name, before) is None]
    if lacking:
        reasons.append(tr("Cores only in the baseline: {names}.", names=", ".join(lacking)))
    return reasons


def compared_source(
    comparison: Comparison,
    pair: SourcePair,
    core: str,
    *,
    opened: tuple[Opened, Opened] = (Opened(), Opened()),
    largest_first: bool = False,
    check: Check = never,
) -> ComparedSource:
    """The lines of a source. Lines with figures on both sides are matched as in the table "source-lines", others by
    aligning what is between those."""
    own = core_of(comparison.before, core, comparison.after)
    before = _view(comparison.before, pair.before, own, opened[0])
    after = _view(comparison.after, pair.after, core, opened[1])
    both = _compared_lines(comparison, pair, before, after, check)
    own_keys, keys = (NO_KEYS if view.table.keys is None else view.table.keys for view in (before, after))
    layout = Layout(
        head=partial(_numbers, both),
        replaced=("line",),
        ranked=_ranked(after.table) or _ranked(before.table),
        selects="line",
        keys=keys,
        largest_first=largest_first,
        note=after.table.note if pair.after else before.table.note,
    )
    rows = compared_rows(both, layout)
    return ComparedSource(rows, before, after, (_known(own_keys, rows.rows_before), _known(keys, rows.rows_after)))


def compared_instructions(
    comparison: Comparison, core: str, *, largest_first: bool = False, check: Check = never
) -> ComparedRows | None:
    """The instructions, matched as in the table "instructions"; None if neither profile has any."""
    before = _listing(comparison.before, core_of(comparison.before, core, comparison.after))
    after = _listing(comparison.after, core)
    if before is None and after is None:
        return None
    both = comparison.compare("instructions", before, after, check)
    address = both.column("address")
    layout = Layout(
        head=lambda rows: () if address is None else text_columns(both, address, rows),
        replaced=("address",),
        ranked=_ranked(after) or _ranked(before),
        selects="instruction",
        largest_first=largest_first,
    )
    return compared_rows(both, layout)


def line_matches(comparison: Comparison, before: Table, after: Table, check: Check = never) -> Matches:
    """Which lines of two views of a source (see ``source_view``) belong together."""
    partner, rule = _of_line_tables(comparison, before, after, check)
    own, other = before.keys, after.keys
    assert own is not None
    assert other is not None
    names = codes.of_column(before.columns[_code(before)], after.columns[_code(after)], str.strip)
    aligner = Aligner(check)
    for first, second in _gaps(partner, len(other)):
        result = aligner.align(names.before[first], names.after[second])
        matched = np.flatnonzero(result.partner >= 0)
        rows, partners = first[matched], second[result.partner[matched]]
        apart = (own[rows] >= 0) & (other[partners] >= 0)  # the table has them as different lines
        partner[rows[~apart]] = partners[~apart]
        rule[rows[~apart]] = SEQUENCE
    return Matches(sealed(partner.astype(np.int32)), sealed(rule), len(other))


def _measured(profile: Profile) -> list[str]:
    lines = profile.lines
    return [] if lines is None else [lines.paths.get(number) for number in distinct(lines.file).tolist()]


def _view(profile: Profile, path: str, core: str | None, opened: Opened) -> SourceView:
    """The view of a source; without costs if the profile has none for the core."""
    own = profile if core is not None else replace(profile, lines=None)
    return source_view(own, path, core or "", opened.text, opened.place)


def _listing(profile: Profile, core: str | None) -> Table | None:
    view = instruction_view(profile, core or "")
    if view is None or core is not None:
        return None if view is None else view[0]
    assert profile.instructions is not None
    return replace(view[0], columns=instruction_columns(profile.instructions))


def _compared_lines(
    comparison: Comparison, pair: SourcePair, before: SourceView, after: SourceView, check: Check
) -> ComparedTable:
    if not pair.before:
        return compared(None, after.table, alone(after.table, after=True))
    if not pair.after:
        return compared(before.table, None, alone(before.table, after=False))
    return compared(before.table, after.table, line_matches(comparison, before.table, after.table, check))


def _of_line_tables(comparison: Comparison, before: Table, after: Table, check: Check) -> tuple[I64, U8]:
    """(row after of each row before, -1 none; its rule) for the lines that both line tables have."""
    own, other = before.keys, after.keys
    assert own is not None
    assert other is not None
    partner, rule = np.full(len(own), -1, np.int64), np.full(len(own), NO_RULE, np.uint8)
    lines = comparison.table("source-lines", check)
    if lines is None or lines.before is None or lines.after is None:
        return partner, rule
    place = np.full(lines.after.rows + 1, -1, np.int64)
    known = np.flatnonzero(other >= 0)
    place[other[known]] = known
    rows = np.flatnonzero(own >= 0)
    partner[rows] = place[lines.matches.of_before[own[rows]]]
    matched = np.flatnonzero(partner >= 0)
    rule[matched] = lines.matches.rule[own[matched]]
    return partner, rule


def _gaps(partner: I64, count: int) -> Iterable[tuple[I64, I64]]:
    """The unmatched rows of both sides between matched ones whose order is the same, where both have some."""
    first = np.flatnonzero(partner >= 0)
    second = partner[first]
    chosen = longest_increasing(second)
    edges = [np.concatenate(([-1], side[chosen], [end])) for side, end in ((first, len(partner)), (second, count))]
    free = np.ones(count, np.bool_)
    free[second] = False
    open_rows = [np.flatnonzero(partner < 0), np.flatnonzero(free)]
    bounds = [np.searchsorted(rows, edge) for rows, edge in zip(open_rows, edges, strict=True)]
    filled = (np.diff(bounds[0]) > 0) & (np.diff(bounds[1]) > 0)
    return [
        (open_rows[0][bounds[0][gap] : bounds[0][gap + 1]], open_rows[1][bounds[1][gap] : bounds[1][gap + 1]])
        for gap in np.flatnonzero(filled).tolist()
    ]


def _numbers(both: ComparedTable, rows: I64) -> Iterable[Column]:
    """The line numbers of both sides."""
    column = both.column("line")
    assert column is not None
    for after, key, title in ((False, "line_before", tr("Before")), (True, "line", tr("Line"))):
        cells = both.cells(column, after=after, rows=rows)
        help_ = tr("Line number.") if after else tr("Line number in the baseline.")
        yield Column(key, title, cells.values, help=help_, missing=~cells.known, role="key")


def _code(table: Table) -> int:
    return next(place for place, column in enumerate(table.columns) if column.role == "code")


def _ranked(table: Table | None) -> str:
    """The key of the column that ranks lines or instructions, which is the second one; "" if there is none."""
    if table is None or len(table.columns) < 2:
        return ""
    column = table.columns[1]
    return column.key if column.numeric and not column.is_key else ""


def _known(keys: I64, rows: I64) -> Bool:
    """bool[rows]: whether the row has a key."""
    inside: Bool = rows >= 0
    if not len(keys):
        return inside & False
    known: Bool = inside & (keys[np.maximum(rows, 0)] >= 0)
    return known
