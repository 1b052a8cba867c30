"""Makes the baseline document of a profile, or of several runs of one program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from statistics import median
from typing import Final, TypeAlias

import msgspec
import numpy as np
from msgspec.structs import replace

from app import __version__
from app.analysis.compare.codes import is_text, plain_cells
from app.analysis.compare.comparison import plain_value, single_figures
from app.analysis.compare.kept import (
    LARGEST,
    MOST_WHOLE,
    VERSION,
    Cell,
    Kept,
    KeptColumn,
    KeptFigure,
    KeptTable,
    packed_text,
)
from app.analysis.compare.names import without_hashes
from app.analysis.compare.plans import Plan, plan_of
from app.analysis.compare.ranking import SUBJECTS
from app.analysis.compare.tables import own_shares, paired, sum_of
from app.analysis.figures import Figure, figures
from app.analysis.table import Column, Table
from app.analysis.tables import each
from app.language import Packed, pack, untranslated
from app.profile.arrays import I64
from app.profile.profile import Profile

MOST_ROWS: Final = 20_000
"""Rows of one table."""
MOST_BYTES: Final = 900_000
"""Of the tables of a document together, so that it is smaller than 1 MB."""
MOST_TEXT: Final = 1_000
"""Characters of a text."""
SUMS_ONLY: Final = frozenset(("issues", "raw-blocks", "notes", "report-files", "sources", "entries"))
"""Tables whose rows are not about the work."""
Number: TypeAlias = int | float


def kept_of(profile: Profile, look: Callable[[], None] = lambda: None) -> Kept:
    """What is kept of ``profile``, not yet ``fitted``. ``look`` is called between tables, and may raise to stop."""
    tables = []
    for table in each(profile):
        look()
        tables.append(_table(table))
    origin = profile.origin
    return Kept(
        VERSION,
        __version__,
        _cut(profile.name),
        origin.format,
        [_figure(name, figure) for name, figure in single_figures(figures(profile))],
        tables,
        files=[_cut(path.name) for path in origin.paths],
        part=origin.part,
    )


def _figure(name: str, figure: Figure) -> KeptFigure:
    value = plain_value(figure.value)
    if isinstance(value, str):
        value = _cut(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        value = _stored(value)
    return KeptFigure(_cut(name), value, figure.unit, figure.role, packed_text(_storable(pack(figure.label))))


def _table(table: Table) -> KeptTable:
    plan = plan_of(table.id, table)
    rows = _rows(table) if _has_names(table.id, plan) else np.empty(0, np.int64)
    shares = own_shares(table)
    identity = {*plan.key, *plan.within, *plan.names, *plan.arguments, *plan.kinds}
    wanted = [
        column
        for column in table.columns
        if column.key in identity or (column.numeric and column.key not in shares and not column.is_place)
    ]
    for column in wanted:
        if is_text(column):  # a shortened text would have no partner
            short = [not isinstance(cell, str) or len(cell) <= MOST_TEXT for cell in plain_cells(column, rows)]
            rows = rows[np.array(short, np.bool_)]
    return KeptTable(table.id, [_column(column, rows) for column in wanted], table.rows - len(rows))


def _has_names(table_id: str, plan: Plan) -> bool:
    """Whether a row is a sum by name, or one of few things, and not one of many events, lines or tiles."""
    events = plan.sequence or plan.lines or plan.contents or plan.by_row
    if events or table_id in SUMS_ONLY or "tile" in (*plan.key, *plan.within):
        return False
    return plan.tree is None or table_id == "steps-by-name"


def _rows(table: Table) -> I64:
    """int64, rising: the rows that are kept, those with the largest amounts."""
    if table.rows <= MOST_ROWS:
        return np.arange(table.rows, dtype=np.int64)
    numeric = {column.key: column for column in table.columns if column.numeric}
    main = _main_key(table.id, numeric, [key for key, column in numeric.items() if column.sums])
    if not main:
        return np.arange(MOST_ROWS, dtype=np.int64)
    size = np.nan_to_num(np.abs(np.asarray(numeric[main].values).astype(np.float64)))
    return np.sort(np.argsort(-size, kind="stable")[:MOST_ROWS]).astype(np.int64)


def _main_key(table_id: str, numeric: Collection[str], sums: Sequence[str]) -> str:
    """The column by which rows are chosen: that of a subject of comparisons, else the first that adds up; "" without
    one."""
    keys = (subject.columns.get(table_id.partition("/")[0], "") for subject in SUBJECTS)
    return next((key for key in keys if key in numeric), sums[0] if sums else "")


def _column(column: Column, rows: I64) -> KeptColumn:
    text = is_text(column)
    cells = [_cell(cell) for cell in plain_cells(column, rows)]
    return KeptColumn(
        column.key,
        column.unit,
        column.role,
        text=text,
        adds_up=column.adds_up,
        inclusive=column.inclusive,
        values=cells,
        sum=_sum(column) if column.sums else None,
    )


def _cell(cell: object) -> Cell:
    if isinstance(cell, str):
        return packed_text(_storable(pack(cell)))
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        return None
    return _stored(cell)


def _stored(number: Number) -> Number | None:
    """The number as the document can have it; None if it is too large."""
    if isinstance(number, int) and abs(number) < MOST_WHOLE:
        return number
    return float(number) if abs(number) < LARGEST else None


def _cut(text: str) -> str:
    """A text in English that can be stored."""
    return f"{_storable(untranslated(text)[:MOST_TEXT])}"


def _storable(packed: Packed) -> Packed:
    """The same without lone surrogates, which JSON cannot hold."""
    if isinstance(packed, str):
        return packed.encode("utf-8", "backslashreplace").decode()
    if not isinstance(packed, list):
        return packed
    english, several, arguments = packed
    assert isinstance(arguments, dict)
    return [english, several, {name: _storable(value) for name, value in arguments.items()}]


def _sum(column: Column) -> Number | None:
    cells = paired(column, column, column.key).cells(np.arange(len(column.values), dtype=np.int64), after=True)
    return _stored(sum_of(cells)) if cells.known.any() else None


def fitted(kept: Kept) -> Kept:
    """The same within MOST_BYTES: the largest table loses a fifth of its rows until it fits."""
    made = list(kept.tables)
    sizes = [len(msgspec.json.encode(table)) for table in made]
    while sum(sizes) > MOST_BYTES:
        largest = max(range(len(made)), key=lambda place: sizes[place] if made[place].rows else 0)
        if not made[largest].rows:
            break
        made[largest] = _shorter(made[largest])
        sizes[largest] = len(msgspec.json.encode(made[largest]))
    return replace(kept, tables=made)


def _shorter(table: KeptTable) -> KeptTable:
    """Four fifths of the rows, those with the larger amounts."""
    numeric = {column.key: column for column in table.columns if not column.text}
    main = _main_key(table.id, numeric, [key for key, column in numeric.items() if column.sum is not None])
    amounts = [_size(cell) for cell in numeric[main].values] if main else [0.0] * table.rows
    order = sorted(range(table.rows), key=lambda row: -amounts[row])
    rows = sorted(order[: table.rows * 4 // 5])

    def taken(column: KeptColumn) -> KeptColumn:
        low, high = ([side[row] for row in rows] if side else [] for side in (column.low, column.high))
        return replace(column, values=[column.values[row] for row in rows], low=low, high=high)

    columns = [taken(column) for column in table.columns]
    return KeptTable(table.id, columns, table.left + table.rows - len(rows))


def _size(cell: Cell) -> float:
    return abs(cell) if isinstance(cell, (int, float)) else 0.0


def of_runs(runs: Sequence[Kept]) -> Kept:
    """One of several runs of a program: medians, with the smallest and the largest of what all runs have."""
    names = dict.fromkeys(table.id for run in runs for table in run.tables)
    sides = [{table.id: table for table in run.tables} for run in runs]
    tables = [_table_of_runs([side[name] for side in sides if name in side]) for name in names]
    return replace(
        runs[0],
        figures=list(_figures_of_runs(runs)),
        tables=tables,
        files=[file for run in runs for file in run.files],
        runs=len(runs),
    )


def _figures_of_runs(runs: Sequence[Kept]) -> Iterator[KeptFigure]:
    by_name: dict[str, list[KeptFigure]] = {}
    for run in runs:
        for figure in run.figures:
            by_name.setdefault(figure.id, []).append(figure)
    for figures_ in by_name.values():
        first = figures_[0]
        values = [number for one in figures_ if one.unit == first.unit and (number := _number(one.value)) is not None]
        if values and first.role != "key":
            low, high = (min(values), max(values)) if len(values) == len(runs) else (None, None)
            yield replace(first, value=_middle(values), low=low, high=high)
        else:
            yield first


def _number(value: object) -> Number | None:
    return None if isinstance(value, bool) or not isinstance(value, (int, float)) else value


def _middle(values: Sequence[Number]) -> Number:
    middle = median(values)
    return int(middle) if isinstance(middle, float) and middle.is_integer() and isinstance(values[0], int) else middle


def _table_of_runs(tables: Sequence[KeptTable]) -> KeptTable:
    """The rows that any run has, in the order of the first; if some are not kept, those that all have. Rows of the same
    name are the first, second … of it."""
    first = tables[0]
    plan = plan_of(first.id, first.table())
    identity = [*plan.key, *plan.within, *plan.names, *plan.arguments, *plan.kinds]
    places = [dict(_keyed(table, identity)) for table in tables]
    keys = list(dict.fromkeys(key for rows in places for key in rows))
    if any(table.left for table in tables):
        keys = [key for key in keys if all(key in rows for rows in places)]
    left = max(table.left + table.rows for table in tables) - len(keys)
    columns = {column.key: column for table in tables for column in table.columns}
    sides = [{column.key: column for column in table.columns} for table in tables]

    def of_column(shown: KeptColumn) -> KeptColumn:
        own = [(side[shown.key], rows) for side, rows in zip(sides, places, strict=True) if shown.key in side]
        own = [(column, rows) for column, rows in own if (column.unit, column.text) == (shown.unit, shown.text)]
        cells = [[column.values[rows[key]] for column, rows in own if key in rows] for key in keys]
        sums = [column.sum for column, _ in own if column.sum is not None]
        made = replace(shown, values=[_first(row) for row in cells])
        if not shown.text and shown.role != "key" and shown.key not in identity:
            numbers = [[cell for cell in row if isinstance(cell, (int, float))] for row in cells]
            middles: list[Cell] = [_middle(row) if row else None for row in numbers]
            whole = [row if len(row) == len(tables) else [] for row in numbers]
            low, high = ([side(row) if row else None for row in whole] for side in (min, max))
            made = replace(made, values=middles, low=low, high=high)
        if sums:
            made = replace(made, sum=_middle(sums), sum_low=min(sums), sum_high=max(sums))
        return made

    return KeptTable(first.id, [of_column(column) for column in columns.values()], max(left, 0))


def _first(cells: Sequence[Cell]) -> Cell:
    return next((cell for cell in cells if cell is not None), None)


def _keyed(table: KeptTable, identity: Sequence[str]) -> Iterator[tuple[Hashable, int]]:
    """What identifies each row, and the row."""
    known = {column.key: column.values for column in table.columns}
    columns = [known[key] for key in identity if key in known]
    seen: dict[Hashable, int] = {}
    for row in range(table.rows):
        cells = (column[row] for column in columns)
        key = tuple(without_hashes(cell) if isinstance(cell, str) else str(cell) for cell in cells)
        seen[key] = seen.get(key, -1) + 1
        yield (key, seen[key]), row
