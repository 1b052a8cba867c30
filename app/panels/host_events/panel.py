"""The host events panel."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from app.analysis.table import Table
from app.analysis.table_rows import only
from app.analysis.tables import tensorflow as tables
from app.language import tr
from app.panels.host_events import SPEC
from app.panels.host_events.parts_view import PartsView
from app.panels.panel import Panel
from app.profile.arrays import I64
from app.profile.host_events import HostEvents, event_type
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.chooser import Chooser
from app.widgets.controls import Controls
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip

EMPTY = tr(
    "There are no IPU events in this log. ipu_compile_summary, or compile_summary of an IPUEstimator, "
    "writes them into the event file."
)
NO_ROWS = tr("The log contains none of these.")
PAGES = (
    (tr("Events"), tr("Every event, in the order of the log"), tables.events),
    (tr("Reports"), tr("Reports, tensor maps and graphs that events carry"), tables.reports),
    (tr("Modules"), tr("Compilations, loads and executions by module"), tables.modules),
    (tr("Transfers"), tr("Bytes by tensor and direction; logged only with profiling"), tables.transfers),
    (tr("Classes"), tr("What each instruction does in training (instruction_info)"), tables.ml_types),
)
KINDS = ("host_event", "report", "slice")
LETTERS = 14
NONE: I64 = np.empty(0, np.int64)


class HostEventsPanel(Panel):
    """Choosers of table and events above, the table in the middle, the parts attached to the selected event below; with
    a baseline, the tables show how both logs differ."""

    spec = SPEC
    empty = EMPTY
    compares = True

    def build(self) -> None:
        self._events: HostEvents | None = None
        self._shown: tuple[object, ...] | None = None
        self.pages = QButtonGroup(self)
        buttons = [_page(number, text, what, self.pages, self) for number, (text, what, _) in enumerate(PAGES)]
        self.types = Chooser(tr("Types of events"), self, LETTERS)
        self.modules = Chooser(tr("Modules"), self, LETTERS)
        self.table = TableWidget(self.context.display, self)
        self._rows = ProfileTable(self.context, self.table, self.spec.id)
        self.parts = PartsView(self.context, self)
        inside = (self.table.bar, 3), self.types, self.modules
        controls = Controls(self, *buttons, *inside, folds=buttons[::-1], spacing=4)
        self.lay_out((self.table, 1), self.parts, home=self.table, controls=controls)
        self.pages.idClicked.connect(self._fill)
        self.types.activated.connect(self._fill)
        self.modules.activated.connect(self._fill)

    def tabular(self) -> Tabular:
        return self.table

    @property
    def busy(self) -> bool:
        """Whether a search for a file or a save is still running."""
        return self.parts.busy

    def why_empty(self, profile: Profile | None) -> str:
        events = None if profile is None else profile.host_events
        return "" if events is not None and len(events) else self.empty

    def clear(self) -> None:
        self._events = self._shown = None
        self._rows.clear()
        self.parts.clear()

    def fill(self, profile: Profile) -> None:
        events = profile.host_events
        if events is not None and self._events is not events:
            self._events = events
            self._offer(events)
        self._enable(profile)
        self._fill()

    def _offer(self, events: HostEvents) -> None:
        """Fills the choosers with the types and modules of these events."""
        for box, first, column, name in (
            (self.types, tr("All types"), events.type, event_type),
            (self.modules, tr("All modules"), events.module, events.strings.get),
        ):
            distinct, counts = np.unique(column[column >= 0], return_counts=True)
            numbers = distinct.tolist()
            texts = [f"{name(number)} ({count:,})" for number, count in zip(numbers, counts.tolist(), strict=True)]
            box.offer([first, *texts], [None, *numbers])

    def _enable(self, profile: Profile) -> None:
        """Enables the tables that either log has."""
        sides = [profile] if self.comparison is None else [profile, self.comparison.before]
        for number, (_, _, make) in enumerate(PAGES[1:], 1):
            self.pages.button(number).setEnabled(any(make(side) is not None for side in sides))
        if not self.pages.button(self.pages.checkedId()).isEnabled():
            self.pages.button(0).setChecked(True)

    def _fill(self) -> None:
        profile = self.profile
        events = None if profile is None else profile.host_events
        if profile is None or events is None:
            return
        page, kind, module = self.pages.checkedId(), self.types.number, self.modules.number
        for box in (self.types, self.modules):
            box.setVisible(page == 0 and box.count() > 2)
        now = self.context.document.showing, events, self.comparison, page, kind, module
        if now == self._shown:
            return
        self._shown = now
        make = PAGES[page][2]
        if page == 0:
            make = partial(_limited, kind=kind, module=None if module is None else events.strings.get(module))
        self._rows.show(make, empty=NO_ROWS)

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        profile = self.profile
        if profile is None or profile.host_events is None:
            return
        rows = self.shared.items(selection, "host_event") if selection is not None and selection.kind in KINDS else NONE
        if len(rows):
            first = _with_parts(profile.host_events, rows)
            self.parts.show_events(profile, np.concatenate((rows[rows == first], rows[rows != first])))
        else:
            self.parts.clear()


def _limited(profile: Profile, *, kind: int | None, module: str | None) -> Table | None:
    """The events of one type and one module (None: of all)."""
    table, events = tables.events(profile), profile.host_events
    if table is None or events is None:
        return None
    wanted = np.ones(len(events), np.bool_)
    if kind is not None:
        wanted &= events.type == kind
    if module is not None:
        wanted &= np.isin(events.module, events.strings.find(module))
    return table if wanted.all() else only(table, wanted)


def _with_parts(events: HostEvents, rows: I64) -> int:
    """The most informative of these events: the first with attached parts, else the last of a pair (the end of a
    compilation) or the first."""
    carrying = rows[np.isin(rows, events.attached.event)]
    return int(carrying[0]) if len(carrying) else int(rows[-1]) if len(rows) == 2 else int(rows[0])


def _page(number: int, text: str, what: str, group: QButtonGroup, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setText(text)
    set_tip(button, what)
    button.setCheckable(True)
    button.setAutoRaise(True)
    button.setChecked(number == 0)
    group.addButton(button, number)
    return button
