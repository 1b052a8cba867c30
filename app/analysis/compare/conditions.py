"""Conditions of `compare --fail-if`, such as ``execution.cycles > +2 %``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.codes import is_text, of_column, plain_cells
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.noise import FEWEST
from app.analysis.compare.tables import ComparedTable, unit_scale
from app.analysis.table import Column, Unit
from app.analysis.tables import TABLES
from app.language import plural, tr
from app.profile.arrays import I64, Bool

_OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONDITION: Final = re.compile(
    r"\s*(?P<name>[^\[\]<>=!]*[^\[\]<>=!\s])\s*(?P<key>\[.*\])?\s*(?P<operator>>=|<=|==|!=|>|<)\s*"
    r"(?P<spread>spread(?=\s*(?:\Z|[+\-−])))?\s*"
    r"(?:(?P<sign>[+\-−])?\s*(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\s*(?P<unit>%|[A-Za-zµμ/]+)?)?\s*",
    re.DOTALL,
)
_OF_SPREAD: Final = {">": "+", "<": "-−", "!=": ""}
"""Above all runs of the baseline, below all, either; and the sign of a margin beyond them."""


class BadCondition(ValueError):
    """The text is no condition; the message says why."""


class NotEvaluated(Exception):
    """The condition cannot be evaluated for these profiles; the message says why."""


class _Values(Struct, frozen=True):
    """What a condition is about: both figures, their unit, whether they only identify something, and the smallest and
    largest figure of the runs of the baseline (None: it is of one)."""

    before: float | None
    after: float | None
    unit: Unit
    identifies: bool = False
    spread: tuple[float, float] | None = None


class Judged(Struct, frozen=True):
    """Whether a condition holds (None: it cannot be evaluated, and ``why``), and the figures that it compared.
    ``limit``: what the figure after is compared with, in ``unit``."""

    condition: str
    holds: bool | None
    before: float | None = None
    after: float | None = None
    limit: float | None = None
    unit: Unit = ""
    why: str = ""


class Condition(Struct, frozen=True):
    """``name``: a figure, or ``table.column``; ``key``: the row (None: none is named). ``signed``: it tests the
    difference (in percent of the baseline, if ``unit`` is %; that of shares is in percentage points), else the value
    after. ``spread``: it tests by how much the value after is beyond the runs of the baseline."""

    text: str
    name: str
    key: str | None
    operator: str
    signed: bool
    number: float
    unit: str
    spread: bool = False

    def judged(self, comparison: Comparison) -> Judged:
        """Whether it holds, with the figures; without them if it cannot be evaluated."""
        try:
            return self._judged(comparison)
        except NotEvaluated as error:
            return Judged(self.text, None, why=f"{error}")

    def holds(self, comparison: Comparison) -> bool:
        """NotEvaluated if a figure is missing or the unit is a different one."""
        return bool(self._judged(comparison).holds)

    def _judged(self, comparison: Comparison) -> Judged:
        own = _values(self, comparison)
        before, after, unit = own.before, own.after, own.unit
        if after is None:
            raise NotEvaluated(tr("{text}: the comparison has no such figure", text=self.text))
        test = _OPERATORS[self.operator]
        if not self.signed:
            limit = self._wanted(unit)
            return Judged(self.text, test(after, limit), before, after, limit, unit)
        if own.identifies:
            raise NotEvaluated(
                tr("{text}: the figure only identifies something, so it has no difference", text=self.text)
            )
        if before is None:
            raise NotEvaluated(tr("{text}: the baseline has no such figure", text=self.text))
        if self.spread:
            return self._beyond_spread(before, after, unit, own.spread)
        limit = before + self._more(before, unit)
        if self.unit != "%" or unit == "%":
            return Judged(self.text, test(after - before, self._wanted(unit)), before, after, limit, unit)
        if not before and after:
            raise NotEvaluated(
                tr("{text}: the figure of the baseline is 0, so a percentage is undefined", text=self.text)
            )
        percent = 100.0 * (after - before) / abs(before) if before else 0.0
        return Judged(self.text, test(percent, self.number), before, after, limit, unit)

    def _beyond_spread(self, before: float, after: float, unit: Unit, spread: tuple[float, float] | None) -> Judged:
        """Whether the figure after is beyond all runs of the baseline, by more than the number."""
        if spread is None:
            raise NotEvaluated(
                tr(
                    "{text}: the baseline has no spread; `tilesight baseline --runs` makes one of {runs} or more runs",
                    text=self.text,
                    runs=FEWEST,
                )
            )
        more = abs(self._more(before, unit))
        low, high = spread[0] - more, spread[1] + more
        above, below = self.operator in (">", "!=") and after > high, self.operator in ("<", "!=") and after < low
        limit = low if below or self.operator == "<" else high
        return Judged(self.text, above or below, before, after, limit, unit)

    def _more(self, before: float, unit: str) -> float:
        """The number of the condition, or that percentage of the figure before, in the unit of the figure."""
        return self._wanted(unit) if self.unit != "%" or unit == "%" else abs(before) * self.number / 100.0

    def _wanted(self, unit: str) -> float:
        """The number of the condition in the unit of the figure."""
        factor = unit_scale(self.unit, unit) if self.unit else 1.0
        if factor is None:
            plain = unit or tr("plain numbers")
            why = tr("the unit of the figure is {unit}, not {written}", unit=plain, written=self.unit)
            raise NotEvaluated(f"{self.text}: {why}")
        return self.number * factor


def parse(text: str) -> Condition:
    """The condition that ``text`` states. BadCondition says what is wrong."""
    match = _CONDITION.fullmatch(text)
    spread = match is not None and match["spread"] is not None
    if match is None or not (spread or match["number"]):
        raise BadCondition(
            tr(
                "{text} is not a valid condition; write it as 'execution.cycles > +2 %' or 'table.column[row] < 3 ms'",
                text=f"{text!r}",
            )
        )
    if spread and not _takes_spread(match["operator"], match["number"], match["sign"]):
        raise BadCondition(
            tr("{text}: write > spread, < spread, != spread, > spread + 1 %, or < spread - 1 %", text=f"{text!r}")
        )
    key = match["key"]
    number = float(match["number"] or 0) * (-1 if match["sign"] in ("-", "−") else 1)
    signed = spread or match["sign"] is not None
    return Condition(
        text.strip(),
        match["name"],
        None if key is None else key[1:-1],
        match["operator"],
        signed,
        number,
        match["unit"] or "",
        spread,
    )


def _takes_spread(operator_: str, number: str | None, sign: str | None) -> bool:
    return operator_ in _OF_SPREAD and (number is None or (sign is not None and sign in _OF_SPREAD[operator_]))


def _values(condition: Condition, comparison: Comparison) -> _Values:
    if condition.key is None:
        for figure in _figures(condition, comparison):
            if figure.id == condition.name:
                if figure.why:
                    raise NotEvaluated(f"{condition.text}: {figure.why}")
                before, after = _number(figure.before), _number(figure.after)
                return _Values(before, after, figure.unit, figure.role == "key", figure.spread)
    table_id, dot, key = _split(condition.name, comparison)
    table = comparison.table(table_id) if dot else None
    column = None if table is None else table.column(key)
    if table is None or column is None:
        raise NotEvaluated(_unknown(condition, comparison))
    if not column.numeric:
        why = column.why or tr("its cells are text")
        raise NotEvaluated(f"{condition.text}: {why}")
    if condition.key is None:
        total = table.total(column)
        if total is None:
            raise NotEvaluated(tr("{text}: the column cannot be summed; name a row in brackets", text=condition.text))
        return _Values(total.before, total.after, column.unit, spread=table.total_spread(column))
    row = np.array([_row(condition, table)], np.int64)
    sides = (table.cells(column, after=after, rows=row) for after in (False, True))
    before, after = (side.values[0].item() if side.known[0] else None for side in sides)
    low, high = (cells[0] for cells in table.spread(column, row))
    spread = (float(low), float(high)) if np.isfinite(low) else None
    return _Values(before, after, column.unit, column.identifies, spread)


def _figures(condition: Condition, comparison: Comparison) -> list[ComparedFigure]:
    """Those that the comparison has; of large timelines, the model of time is only made where it is asked for."""
    if not condition.name.startswith("time.") or any(one.id == condition.name for one in comparison.figures):
        return comparison.figures
    return comparison.all_figures


def _unknown(condition: Condition, comparison: Comparison) -> str:
    """The message for a name that is neither a figure nor a column, with those that resemble it."""
    text, name = condition.text, condition.name
    figures = [] if condition.key is not None else [figure.id for figure in comparison.figures]
    made = (table for spec in TABLES if not spec.is_slow(comparison.after) for table in spec.tables(comparison.after))
    columns = (f"{table.id}.{column.key}" for table in made for column in table.columns)
    near = _resembling(name, figures) or _resembling(name, list(columns))
    if not near:
        return tr("{text}: neither profile has a figure or column {name}", text=text, name=name)
    return tr(
        "{text}: neither profile has a figure or column {name}; did you mean {near}?",
        text=text,
        name=name,
        near=", ".join(near),
    )


def _resembling(word: str, names: Iterable[str]) -> list[str]:
    """Those of ``names`` that end with the part ``word``, contain it, or are spelled alike, at most SUGGESTED."""
    known = list(dict.fromkeys(names))
    lower = word.lower()
    ending = [name for name in known if f".{name.lower()}".endswith(f".{lower}")]
    inside = [name for name in known if lower in name.lower()]
    alike = get_close_matches(word, known, SUGGESTED)
    return list(dict.fromkeys((*ending, *alike, *inside)))[:SUGGESTED]


def _split(name: str, comparison: Comparison) -> tuple[str, str, str]:
    """Table and column: names of tables and columns may contain dots themselves."""
    places = [place for place, letter in enumerate(name) if letter == "."]
    for place in places:
        table = comparison.table(name[:place])
        if table is not None and table.column(name[place + 1 :]) is not None:
            return name[:place], ".", name[place + 1 :]
    return name.rpartition(".")


SEPARATOR: Final = " · "


def _row(condition: Condition, table: ComparedTable) -> int:
    """The only row that is called so: by one of its texts or identifying numbers, or by several of them with " · "
    between."""
    called = np.ones(table.rows, np.bool_)
    for part in (condition.key or "").split(SEPARATOR):
        called &= _with_cell(table, part)
    rows = np.flatnonzero(called)
    if len(rows) != 1:
        if not len(rows) and table.stored is not None and table.stored.left:
            raise NotEvaluated(
                tr("{text}: the baseline document has no such row of {table}", text=condition.text, table=table.id)
            )
        if near := [] if len(rows) else _near(table, condition.key or ""):
            raise NotEvaluated(
                tr(
                    "{text}: no row of {table} has this name; did you mean {keys}?",
                    text=condition.text,
                    table=table.id,
                    keys=", ".join(f"[{key}]" for key in near),
                )
            )
        if keys := _keys(table, condition.key or "", rows):
            raise NotEvaluated(
                plural(
                    "{text}: {count:,} row of {table} has this name; name one row, such as {keys}",
                    "{text}: {count:,} rows of {table} have this name; name one row, such as {keys}",
                    count=len(rows),
                    text=condition.text,
                    table=table.id,
                    keys=", ".join(f"[{key}]" for key in keys),
                )
            )
        raise NotEvaluated(
            plural(
                "{text}: {count:,} row of {table} has this name; the name must be unique",
                "{text}: {count:,} rows of {table} have this name; the name must be unique",
                count=len(rows),
                text=condition.text,
                table=table.id,
            )
        )
    return int(rows[0])


def _with_cell(table: ComparedTable, text: str) -> Bool:
    """bool[rows]: a text or identifying number of the row, on one side, is ``text``."""
    hits: Bool = np.zeros(table.rows, np.bool_)
    for after in (False, True):
        rows = table.rows_after if after else table.rows_before
        for column in table.columns:
            own = column.of_side(after=after)
            if own is not None and len(own.values) and (is_text(own) or own.is_key):
                same = of_column(own, Column(own.key, own.title, (text,)))
                hits |= (rows >= 0) & (same.before == same.after[0])[np.maximum(rows, 0)]
    return hits


SUGGESTED: Final = 3
MOST_TRIED: Final = 20
"""Rows of the same name, some of which may have no name of their own."""


def _keys(table: ComparedTable, key: str, rows: I64) -> list[str]:
    """Keys of single rows among ``rows``, which all are called ``key``: more of their texts and numbers behind it."""
    keys: list[str] = []
    for row in rows[:MOST_TRIED].tolist():
        if len(keys) == SUGGESTED:
            break
        parts = key.split(SEPARATOR)
        further = [part for part in _texts(table, row) if part not in parts and SEPARATOR not in part]
        for some in (*([part] for part in further), further):
            called = np.logical_and.reduce([_with_cell(table, part) for part in (*parts, *some)])
            if np.count_nonzero(called) == 1:
                keys.append(SEPARATOR.join((*parts, *some)))
                break
    return keys


def _near(table: ComparedTable, key: str) -> list[str]:
    """Texts of rows that resemble ``key``."""
    texts = {text: None for row in range(min(table.rows, MOST_COMPARED)) for text in _texts(table, row)[:MOST_TEXTS]}
    return _resembling(key, texts) if key else []


MOST_COMPARED: Final = 2_000
MOST_TEXTS: Final = 4


def _texts(table: ComparedTable, row: int) -> list[str]:
    """The texts and identifying numbers of a row."""
    after = int(table.rows_after[row]) >= 0
    place = np.array([(table.rows_after if after else table.rows_before)[row]], np.int64)
    sides = (column.of_side(after=after) for column in table.columns)
    cells = [plain_cells(own, place)[0] for own in sides if own is not None and (is_text(own) or own.is_key)]
    return [f"{cell}" for cell in cells if cell not in (None, "")]


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and value == value else None
