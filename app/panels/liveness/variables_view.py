"""The variables live at the selected program steps, as a table."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtWidgets import QWidget

from app.analysis.poplar.live_variables import NO_VARIABLES
from app.analysis.table import Table
from app.analysis.tables.poplar_live_variables import LiveTables
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

SOURCE: Final = "live-variables"
NOT_HERE: Final = tr("No data: this file does not list the variables of this program step.")
NOTHING: Final = Table("live-variables", tr("Live variables"), ())


class VariablesView(TableWidget):
    """A table of the variables live at some nodes; at the peak if none are selected."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.display, parent)
        self._link = LinkedTable(context, self, SOURCE)
        self._profile: Profile | None = None
        self._tables: LiveTables | None = None
        self.has_data = False

    def set_profile(self, profile: Profile | None) -> None:
        """Sets the profile; the next ``show_nodes`` makes its table."""
        self._profile = profile
        self._tables = None if profile is None else LiveTables(profile)
        self.has_data = profile is not None and profile.live_variables is not None

    def show_nodes(self, nodes: I64, *, always: bool) -> str:
        """Shows the variables live at ``nodes`` (none: at the peak); returns a short description of them."""
        profile, tables = self._profile, self._tables
        if profile is None or tables is None or not self.has_data:
            self.set_table(NOTHING, empty=NO_VARIABLES)
            return tr("Variables")
        peak = tables.peak
        if not len(nodes) and peak is not None:
            nodes = np.array([peak], np.int64)
        table = tables.at(nodes, always=always)
        if table is None:
            self.set_table(NOTHING, empty=NOT_HERE)
            return tr("Variables")
        self._link.show(table)
        at_peak = len(nodes) == 1 and int(nodes[0]) == peak
        step = tables.where(nodes).removeprefix("any of ").replace("program step", "step")
        return tr("Variables at {step}{part}", step=step, part=" (peak)" if at_peak else "")
