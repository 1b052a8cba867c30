"""How two trees differ, item by item: figures before and after, which add up along the tree as theirs do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import rules
from app.analysis.compare.as_table import as_table
from app.analysis.compare.column import ComparedColumn
from app.analysis.compare.compared import BOTH, ONLY_AFTER, ONLY_BEFORE, STATUS_TITLES, ComparedTable
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.merged_tree import MergedTree, changed_rows, merged_tree
from app.analysis.compare.polling import Check, never
from app.analysis.hierarchy import Hierarchy
from app.analysis.table import AMOUNTS, Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64, I64, Bool, Ragged
from app.profile.strings import Strings, joined

STATUS: Final = "status"
STATUS_HELP: Final = tr(
    "Whether both trees have the row, and whether it moved or was renamed. A row on one side only counts with its "
    "whole value."
)
SIDES: Final = ("difference", "percent", "before", "after")
"""The columns of a figure, in their order."""


class Measure(Struct, frozen=True):
    """A figure of the tree; ``key``: that of its column."""

    key: str
    title: str


class TreeDifferences(Struct, frozen=True, eq=False, dict=True):
    """``merged``: both trees as one, whose items are the rows of ``compared``; ``before``, ``after``: the trees."""

    compared: ComparedTable
    merged: MergedTree
    before: Hierarchy
    after: Hierarchy

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The figures, those that are summed up the tree first (cached)."""
        figures = sorted(self._figures, key=lambda column: not column.shown.inclusive)
        return tuple(Measure(column.key, column.title) for column in figures)

    @cached_property
    def main(self) -> str:
        """The first amount that differs anywhere, else the first figure; "" without any (cached)."""
        amounts = {column.key for column in self._figures if column.unit in AMOUNTS}
        differing = (
            one.key
            for one in self.measures
            if one.key in amounts and bool(np.nan_to_num(self.difference(one.key)).any())
        )
        return next(differing, self.measures[0].key if self.measures else "")

    @cached_property
    def changed(self) -> Bool:
        """bool[items]: those that differ in anything, or have such below them (cached)."""
        return self.merged.with_paths(changed_rows(self.compared, self.merged))

    @property
    def keys(self) -> I64:
        """int64[items]: the item of the tree after, -1 for those that are only in the tree before."""
        return self.compared.rows_after

    def difference(self, key: str) -> F64:
        """float64[items]: after minus before, NaN for no data. An item of one tree alone counts with its figure."""
        column = self.compared.column(key)
        assert column is not None
        before, after = (self.compared.cells(column, after=side) for side in (False, True))
        status = self.merged.status
        known = np.where(status == BOTH, before.known & after.known, before.known | after.known)
        amounts = np.where(status == ONLY_BEFORE, 0, after.values) - np.where(status == ONLY_AFTER, 0, before.values)
        return np.where(known, amounts.astype(np.float64), np.nan)

    def tree(self, measure: str, *, by_difference: bool, changed_only: bool) -> Hierarchy:
        """The tree with the columns of ``measure`` beside the names. ``by_difference``: the largest first at every
        level; ``changed_only``: only what differs, and what is above that."""
        made = self.merged.only(self.changed) if changed_only else self.merged
        made = made.sorted_by(np.abs(self.difference(measure))) if by_difference and measure else made
        return Hierarchy(self.table(measure), made.roots, made.titles, made.below)

    def table(self, measure: str) -> Table:
        """One row per item: its name, which side has it, the figures of ``measure``, its kind, and all others."""
        columns = {column.key: column for column in self.table_of_all.columns}
        first = self.shown(measure)
        ordered = [*(key for key in first if key in columns), *(key for key in columns if key not in first)]
        return replace(self.table_of_all, columns=tuple(columns[key] for key in ordered))

    @cached_property
    def table_of_all(self) -> Table:
        """The table with all columns (cached)."""
        plain = as_table(self.compared)
        figures = {f"{column.key}_{side}" for column in self._figures for side in SIDES}
        shown = {column.key for role in ("name", "kind") for column in self._of_role(role)}
        rest = [column for column in plain.columns if column.key not in {STATUS, *figures, *shown}]
        columns = [self._text("name"), self._status(), self._text("kind"), *self._figure_columns(plain), *rest]
        table = replace(
            plain, columns=tuple(column for column in columns if column is not None), title=self.after.table.title
        )
        return replace(table, note=tr("Differences are after minus before."))

    def shown(self, measure: str) -> tuple[str, ...]:
        """The keys of the columns that are seen, those first that a narrow panel has room for."""
        first, *others = (f"{measure}_{side}" for side in SIDES)
        return ("name", first, STATUS, *others, "type")

    @cached_property
    def _figures(self) -> tuple[ComparedColumn, ...]:
        return tuple(column for column in self.compared.columns if column.subtracts and not column.share)

    def _figure_columns(self, plain: Table) -> Iterator[Column]:
        made = {column.key: column for column in plain.columns}
        one, other = self.merged.status == ONLY_AFTER, self.merged.status == ONLY_BEFORE
        lacking = {"before": one, "after": other, "percent": one | other, "difference": one & other}
        for column in self._figures:
            difference = self.difference(column.key)
            for side in SIDES:
                own = made[f"{column.key}_{side}"]
                if lacking[side].any():
                    missing = lacking[side] if own.missing is None else own.missing | lacking[side]
                    own = replace(own, missing=missing)
                if side == "difference":
                    values = np.nan_to_num(difference)
                    whole = values.astype(np.int64) if _integers(column) else values
                    help_ = tr(
                        "After minus before; for a row on one side only, its whole value. {help}",
                        help=column.shown.help,
                    )
                    own = replace(own, values=whole, missing=np.isnan(difference), help=help_)
                yield own

    def _status(self) -> Column:
        """Which tree has a row; of rows of both, whether they were renamed or moved."""
        ids = self.merged.status.astype(np.int32)
        rule = np.append(self.compared.matches.rule, 255)[self.compared.rows_before]
        name = next(iter(self._of_role("name")), None)
        other = np.zeros(len(ids), np.bool_) if name is None else self.compared.differs(name)
        both = ids == BOTH
        ids[both & (rule == rules.NAME)] = len(STATUS_TITLES)
        ids[both & other] = len(STATUS_TITLES) + 1
        texts = Strings.of((*STATUS_TITLES, tr("moved"), tr("renamed")))
        return Column(STATUS, tr("Status"), Coded(ids, texts), help=STATUS_HELP)

    def _of_role(self, role: str) -> list[ComparedColumn]:
        return [column for column in self.compared.columns if column.shown.role == role]

    def _text(self, role: str) -> Column | None:
        """The name or kind of each item, after where it is there."""
        column = next(iter(self._of_role(role)), None)
        if column is None:
            return None
        ids, strings = np.full(self.compared.rows, -1, np.int64), Strings.of(())
        for own, rows in ((column.before, self.compared.rows_before), (column.after, self.compared.rows_after)):
            if own is not None and isinstance(own.values, Coded) and len(own.values.ids):
                code = own.values.ids[np.maximum(rows, 0)]
                mine = np.where(code >= 0, code + len(strings), -1)
                ids = np.where(rows >= 0, mine, ids)
                strings = joined(strings, own.values.strings)
        key = "name" if role == "name" else "type"
        return replace(column.shown, key=key, values=Coded(ids, strings), missing=None)


def tree_differences(
    comparison: Comparison, before: Hierarchy, after: Hierarchy, check: Check = never
) -> TreeDifferences:
    """How the trees of two profiles differ; their tables have the same id."""
    compared = comparison.compare(after.table.id, before.table, after.table, check)
    check()
    return TreeDifferences(compared, merged_tree(compared, before, after), before, after)


def alone(tree: Hierarchy) -> Hierarchy:
    """A tree without items, for a profile that has none like ``tree``."""
    empty = Table(tree.table.id, tree.table.title, tuple(_emptied(column) for column in tree.table.columns))
    none = np.empty(0, np.int64)
    return Hierarchy(empty, none, (), Ragged.of(none, none))


def _emptied(column: Column) -> Column:
    values = column.values
    missing = None if column.missing is None else column.missing[:0]
    if isinstance(values, Coded):
        return replace(column, values=Coded(values.ids[:0], values.strings), missing=missing)
    return replace(column, values=values[:0], missing=missing)


def _integers(column: ComparedColumn) -> bool:
    sides = (side for side in (column.before, column.after) if side is not None)
    return all(np.asarray(side.values).dtype.kind in "iu" for side in sides) and column.factor == 1.0
