"""A table of the shown profile, or how it differs from that of the baseline."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QCheckBox

from app.analysis.part import numbered
from app.analysis.table import Table
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.profile.profile import Profile
from app.views.table import Differences
from app.views.units import change, format_value
from app.widgets.context import Context
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

Make: TypeAlias = Callable[[Profile], Table | None]
"""Makes the table of a profile, None if that has none. It runs in a thread for a comparison: no Qt."""

NO_ROWS = tr("No rows.")


class WantedRow(Struct, frozen=True):
    """A row of the table of the shown profile, or of that of the baseline."""

    row: int
    of_baseline: bool = False


class ProfileTable(QObject):
    """Shows what ``make`` returns for the shown profile, linked to the selection (see LinkedTable). With a baseline, it
    compares that with the table of the baseline: matched in the background by the plan of the table's id, the largest
    differences first; the former table stays until then."""

    def __init__(self, context: Context, widget: TableWidget, source: str, *, own: bool = False) -> None:
        super().__init__(widget)
        self._context = context
        self._widget = widget
        self._link = LinkedTable(context, widget, source, own=own)
        self._background = Background(self)
        self._shown: tuple[Make, Table | None, str] | None = None
        self._wanted: WantedRow | None = None
        self.changed_only = QCheckBox(tr("Changed only"), widget)
        self.changed_only.setChecked(True)
        set_tip(self.changed_only, tr("Show only rows that differ from the baseline, or that only one side has."))
        self.changed_only.hide()
        widget.bar.insert(0, self.changed_only, folds=True)
        self.changed_only.toggled.connect(self._again)

    @property
    def busy(self) -> bool:
        """Whether a comparison is being computed."""
        return self._background.busy

    @property
    def stale(self) -> bool:
        """Whether the rows are still those of the previous profile, until they are replaced."""
        return self._link.stale

    def show(
        self, make: Make, *, table: Table | None = None, empty: str = NO_ROWS, choose: WantedRow | None = None
    ) -> None:
        """Shows the table that ``make`` returns, or how it differs. ``table``: that of the shown profile, if it has
        been made already; ``empty``: why there are no rows; ``choose``: the row to select."""
        profile, comparison = self._context.document.profile, self._context.document.baselines.comparison
        self._background.cancel()
        self._offer_changed_only(offered=comparison is not None)
        self._shown = make, table, empty
        self._wanted = choose
        if comparison is not None:
            self._compare(comparison, make, table, empty)
        elif profile is not None:
            own = make(profile) if table is None else table
            if own is not None:
                self._link.show(numbered(own, profile), empty=empty)
                self._choose(None)

    def show_alone(self, table: Table, *, empty: str = NO_ROWS) -> None:
        """Shows a table that is not compared."""
        self.clear()
        self._link.show(table, empty=empty)

    def clear(self) -> None:
        """Cancels the comparison and forgets how the table is made; the rows stay until others are shown."""
        self._background.cancel()
        self._offer_changed_only(offered=False)
        self._shown = None

    def _offer_changed_only(self, *, offered: bool) -> None:
        self.changed_only.setVisible(offered)
        self._widget.bar_stays = offered  # else nobody could show all rows where none differs

    def _choose(self, differences: Differences | None) -> None:
        """Selects the wanted row; one that does not differ needs all rows."""
        wanted = self._wanted
        if wanted is None:
            return
        row = wanted.row if differences is None and not wanted.of_baseline else -1
        if differences is not None:
            compared = differences.compared
            own = compared.rows_before if wanted.of_baseline else compared.rows_after
            places = np.flatnonzero(own[differences.rows] == wanted.row).tolist()
            if not places and self.changed_only.isChecked():
                self.changed_only.setChecked(False)  # shows the table again
                return
            row = places[0] if places else -1
        self._wanted = None
        self._widget.choose_row(row)

    def _again(self) -> None:
        if self._shown is not None:
            make, table, empty = self._shown
            self.show(make, table=table, empty=empty, choose=self._wanted)

    def _compare(self, comparison: Comparison, make: Make, table: Table | None, empty: str) -> None:
        changed_only = self.changed_only.isChecked()

        def show(made: Differences | None) -> None:
            if made is not None and self._context.document.baselines.comparison is comparison:
                self._link.show(self._with_total(made), empty=tr("No row differs.") if changed_only else empty)
                self._widget.differences = made
                self._choose(made)

        def fail(error: FormatError) -> None:
            text = tr("The tables cannot be compared: {error}", error=error)
            self._link.show(Table("", "", ()), empty=text)

        work = partial(differences, comparison, make, table, changed_only)
        self._background.run(Task(lambda token, _: work(token.check), show, fail))

    def _with_total(self, made: Differences) -> Table:
        """The table with the sums of its main column in its note; rows of one side count with their whole value."""
        if made.total is None:
            return made.table
        column, total = made.total
        profile, look = self._context.document.profile, self._context.display.look
        target = None if profile is None else profile.target
        clock = None if column.shown.parallel else made.table.clock(None if target is None else target.clock_hz)
        before, after = (format_value(value, column.unit, look, clock) for value in (total.before, total.after))
        text = tr(
            "{title}, all rows together: {before} in the baseline, {after} in the comparison, {difference}.",
            title=column.title,
            before=before,
            after=after,
            difference=change(total.difference, column.unit, look, clock),
        )
        return replace(made.table, note="\n".join(part for part in (text, made.table.note) if part))


def differences_of(
    comparison: Comparison, make: Make, table: Table | None, changed_only: bool, check: Callable[[], None]
) -> Table | None:
    """The compared table as ``differences`` makes it."""
    made = differences(comparison, make, table, changed_only, check)
    return None if made is None else made.table


def differences(
    comparison: Comparison, make: Make, table: Table | None, changed_only: bool, check: Callable[[], None]
) -> Differences | None:
    """The compared table, the largest differences first; None if neither profile has such a table. ``table``: that of
    the profile after, if it has been made already."""
    from app.analysis.compare.as_table import as_table  # only with a baseline

    before, after = make(comparison.before), make(comparison.after) if table is None else table
    if before is None:  # a table of one block, which has another name there
        before = make(comparison.baseline)
    shown = before if after is None else after
    if shown is None:
        return None
    compared = comparison.compare(shown.id, before, after, check)
    order = compared.order()
    rows = order[compared.changed[order]] if changed_only else order
    main = compared.main
    total = None if main is None else compared.total(main)
    return Differences(
        as_table(compared, rows), compared, rows, None if main is None or total is None else (main, total)
    )
