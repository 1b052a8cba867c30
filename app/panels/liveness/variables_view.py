"""The variables live at the selected program steps, as a table."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from PySide6.QtWidgets import QWidget

from app.analysis.poplar.liveness import NO_VARIABLES
from app.analysis.table import Table
from app.analysis.tables.poplar_live import LiveTables
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget

SOURCE: Final = "live-variables"
NOT_HERE: Final = tr("No data: the file does not list the variables of this program step.")
NOTHING: Final = Table("live-variables", tr("Live variables"), ())


class VariablesView(TableWidget):
    """A table of the variables live at some nodes; at the peak if none are selected."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.display, parent)
        self._baselines = context.document.baselines
        self._rows = ProfileTable(context, self, SOURCE)
        self._profile: Profile | None = None
        self._tables: LiveTables | None = None
        self.has_data = False

    def set_profile(self, profile: Profile | None) -> None:
        """Sets the profile; the next ``show_nodes`` makes its table."""
        self._profile = profile
        self._tables = None if profile is None else LiveTables(profile)
        self.has_data = profile is not None and profile.live_variables is not None

    def show_nodes(self, nodes: I64, before: I64, *, always: bool) -> str:
        """Shows the variables live at ``nodes`` (none: at the peak), compared with those live at the nodes ``before``
        of the baseline, if there is one; returns a short description of them."""
        profile, tables = self._profile, self._tables
        if profile is None or tables is None or not self.has_data:
            self._rows.show_alone(NOTHING, empty=NO_VARIABLES)
            return tr("Variables")
        peak = tables.peak
        if not len(nodes) and peak is not None:
            nodes = np.array([peak], np.int64)
        table = tables.at(nodes, always=always)
        if table is None:
            self._rows.show_alone(NOTHING, empty=NOT_HERE)
            return tr("Variables")
        if self._baselines.comparison is None:
            self._rows.show_alone(table)
        else:
            self._rows.show(partial(_live_at, own=(profile, table), before=before, always=always), table=table)
        at_peak = len(nodes) == 1 and int(nodes[0]) == peak
        step = tables.where(nodes).removeprefix("any of ").replace("program step", "step")
        return tr("Variables at {step}{part}", step=step, part=" (peak)" if at_peak else "")


def _live_at(profile: Profile, *, own: tuple[Profile, Table], before: I64, always: bool) -> Table | None:
    """The table of the shown profile, which is ``own``; of the baseline, that of its nodes ``before`` (none: of its
    peak)."""
    if profile is own[0]:
        return own[1]
    tables = LiveTables(profile)
    if not len(before) and tables.peak is not None:
        before = np.array([tables.peak], np.int64)
    return tables.at(before, always=always) if len(before) else None
