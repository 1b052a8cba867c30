"""How much of each table each rule matched, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.compare.coverage import NO_RULE_ID, Amount, Covered
from app.analysis.compare.overview.texts import amounts, coded, percentages
from app.analysis.compare.rules import RULES
from app.analysis.table import Column, Table
from app.language import labelled, tr

NO_RULE_TITLE: Final = tr("no partner")
NO_RULE_HELP: Final = tr("No rule matched this row: it is on one side only and counts with its whole value.")
BYTES: Final = "B"


def rule_help(rule: str) -> str:
    """What a rule does, by its id."""
    return next((one.help for one in RULES if one.id == rule), NO_RULE_HELP)


def rule_title(rule: str) -> str:
    """What a rule is called, by its id."""
    return next((one.title for one in RULES if one.id == rule), NO_RULE_TITLE)


def all_rules() -> str:
    """What every rule does, in the order in which they are applied."""
    first = tr("Two rows are matched by the first rule that applies:")
    return "\n".join(
        [first, *(labelled(rule.title, rule.help) for rule in RULES), labelled(NO_RULE_TITLE, NO_RULE_HELP)]
    )


def matched(covered: Sequence[Covered], note: str = "") -> Table:
    """One row for each rule of each table."""
    before = np.array([one.before for one in covered], np.int64)
    after = np.array([one.after for one in covered], np.int64)
    wholes: dict[str, int] = {}
    for one in covered:
        wholes[one.table] = wholes.get(one.table, 0) + one.before + one.after
    shares = [100.0 * (one.before + one.after) / max(wholes[one.table], 1) for one in covered]
    sizes = [one.amounts.get(BYTES) for one in covered]
    works = [_work(one) for one in covered]
    units = [unit for unit, _ in works]
    columns = (
        Column("table", tr("Table"), coded(one.title or one.table for one in covered), role="name"),
        Column("rule", tr("Matched by"), coded(rule_title(one.rule) for one in covered), help=all_rules(), role="kind"),
        percentages("rows", tr("Rows"), shares, tr("Rows on both sides."), tr("the rows of the table")),
        Column("rows_before", tr("Rows in the baseline"), before),
        Column("rows_after", tr("Rows in the comparison"), after),
        _sums("bytes_before", tr("Bytes, baseline"), sizes, after=False),
        _sums("bytes_after", tr("Bytes, comparison"), sizes, after=True),
        amounts("work_before", tr("Cycles or time, baseline"), [_side(one, False) for _, one in works], units),
        amounts("work_after", tr("Cycles or time, comparison"), [_side(one, True) for _, one in works], units),
    )
    return Table("comparison-matched", tr("Matched rows"), columns, note=note)


def matched_share(covered: Sequence[Covered]) -> float | None:
    """Percent of the rows of both sides that have a partner; None without any rows."""
    whole = sum(one.before + one.after for one in covered)
    alone = sum(one.before + one.after for one in covered if one.rule == NO_RULE_ID)
    return 100.0 * (whole - alone) / whole if whole else None


def _work(one: Covered) -> tuple[str, Amount | None]:
    """The first amount that is no size, with its unit."""
    return next(((unit, amount) for unit, amount in one.amounts.items() if unit != BYTES), ("", None))


def _side(amount: Amount | None, after: bool) -> float | None:
    return None if amount is None else amount.after if after else amount.before


def _sums(key: str, title: str, sizes: Sequence[Amount | None], *, after: bool) -> Column:
    missing = np.array([amount is None for amount in sizes], np.bool_)
    values = np.array([_side(amount, after) or 0 for amount in sizes], np.int64)
    return Column(key, title, values, BYTES, missing=missing, compared="bytes")
