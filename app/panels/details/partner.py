"""How the selected thing differs from its partner in the baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from app.analysis.details import Row
from app.analysis.table import Column
from app.analysis.tables import by_id
from app.language import tr
from app.views.line import Line
from app.views.look import Look
from app.views.units import NO_DATA, Cell, change, format_value, place, signed_percent
from app.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.analysis.compare.as_table import Field, PartnerFields
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.tables import ComparedTable

TITLE = tr("Compared with the baseline")
ALONE = tr("Only in the comparison: no match in the baseline.")
MOST_TABLES = 3
SAME = tr("Its figures are the same in the baseline.")


class Partners:
    """Partners of rows in the baseline of one comparison. The last few tables are kept."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._compared: dict[str, ComparedTable] = {}

    def of(self, row: Row, check: Callable[[], None]) -> PartnerFields | None:
        """The partner of a row of the comparison; None where the baseline has no such table. Runs in a thread."""
        from app.analysis.compare.as_table import partner_fields  # only with a baseline

        table_id = row.table.id
        compared = self._compared.pop(table_id, None)
        if compared is None or compared.after is not row.table:
            before = by_id(self.comparison.before, table_id)
            check()
            if before is None:
                return None
            compared = self.comparison.compare(table_id, before, row.table, check)
        self._compared[table_id] = compared
        while len(self._compared) > MOST_TABLES:
            del self._compared[next(iter(self._compared))]
        return partner_fields(compared, row.row)


def add_partner(sheet: Sheet, row: Row, partner: PartnerFields | None, look: Look, clock: float | None) -> None:
    """Adds what differs to a page."""
    sheet.heading(tr("{title}: {table}", title=TITLE, table=row.table.title))
    if partner is None:
        sheet.say(tr("The baseline has no table “{table}”.", table=row.table.title), "muted")
    elif partner.rule is None:
        sheet.say(ALONE, "muted")
    else:
        sheet.facts(lines(partner, look, clock))
        if not partner.fields:
            sheet.say(SAME, "muted")


def lines(partner: PartnerFields, look: Look, clock: float | None) -> Iterator[Line]:
    """A line for each field that differs, and one that says how both were matched."""
    for field in partner.fields:
        yield Line(field.column.title, _value(field, look, clock), field.column.help)
    if partner.rule is not None:
        yield Line(tr("Matched by"), partner.rule.title, partner.rule.help)


def _value(field: Field, look: Look, clock: float | None) -> str:
    """Before, after, and the difference."""
    finest = field.column.finest
    if isinstance(field.before, float) and isinstance(field.after, float):
        finest = min(finest, abs(field.after - field.before) or finest)  # so that both read differently
    before, after = (_shown(cell, field.column, finest, look, clock) for cell in (field.before, field.after))
    text = tr("{before} → {after}", before=before, after=after)
    if field.difference is None:
        return text
    difference = change(field.difference, field.column.unit, look, clock)
    if field.percent is not None:
        difference = tr("{difference}, {percent}", difference=difference, percent=signed_percent(field.percent))
    return tr("{text} ({difference})", text=text, difference=difference)


def _shown(cell: Cell, column: Column, finest: float, look: Look, clock: float | None) -> str:
    if cell is None:
        return NO_DATA
    if column.hexadecimal and isinstance(cell, int):
        return f"{cell:#x}"
    if column.finest and isinstance(cell, float):
        return place(cell, column.unit, finest, look, clock)
    return format_value(cell, column.unit, look, None if column.parallel else clock)
