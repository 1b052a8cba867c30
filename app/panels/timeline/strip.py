"""The strip below the timeline: one line that says what the figures are of, and, opened, the figures."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSplitter, QTabBar, QToolButton, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.panels.timeline.figures import (
    GAPS,
    LIVE_MOST,
    NOTES,
    SELECT_MOST,
    STATISTICS,
    Asked,
    Follows,
    Kind,
    count_in,
    instances,
    name_ids,
    offered,
)
from app.panels.timeline.range_fields import RangeFields
from app.profile.arrays import I64, Integers
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.time_note import TimeNote
from app.widgets.context import Context
from app.widgets.inline_edit import InlineEdit
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.timeline.legend import Legend, entries
from app.widgets.timeline.state import Shown

SOURCE, INSTANCES = "timeline-table", "timeline-instances"
NOTHING = Table("", "", ())
NO_NAMES: Integers = np.empty(0, np.int32)
LIVE_MS = 60


class Strip(QWidget):
    """Signals: ``opened`` (bool), ``range_entered`` (TimeRange or None), ``named`` (int64 slices of the names
    that a person chose), ``zoom_wanted`` (TimeRange) of a row that was opened, ``note_chosen`` (index) and
    ``note_renamed`` (index, name) in the list of notes."""

    opened = Signal(bool)
    range_entered = Signal(object)
    zoom_wanted = Signal(object)
    named = Signal(object)
    note_chosen = Signal(int)
    note_renamed = Signal(int, str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._shown: Shown | None = None
        self._profile: Profile | None = None
        self._range: TimeRange | None = None
        self._live: TimeRange | None = None
        self._notes: tuple[TimeNote, ...] = ()
        self._note: int | None = None
        self._lanes: tuple[int, ...] = ()
        self._found: I64 | None = None
        self._names: Integers = NO_NAMES
        self._renaming = -1
        self._kinds: tuple[Kind, ...] = ()
        self.toggle = QToolButton(self)
        self.toggle.setText("Figures")
        self.toggle.setCheckable(True)
        self.toggle.setAutoRaise(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setArrowType(Qt.ArrowType.RightArrow)
        self.toggle.setToolTip("Figures of the range, or of everything where none is set")
        self.summary = QLabel(self)
        self.summary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.legend = Legend(context.display, self)
        self.fields = RangeFields(self)
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("Figures of the timeline")
        self.table = TableWidget(context.display, self)
        self.instances = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._instance_link = LinkedTable(context, self.instances, INSTANCES)
        self._editor = InlineEdit(self.table.view.viewport())
        self._later = QTimer(self, interval=LIVE_MS, singleShot=True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(4, 0, 8, 0)
        line.setSpacing(8)
        line.addWidget(self.toggle)
        line.addWidget(self.summary)
        line.addWidget(self.legend, 1)
        self.body = QWidget(self)
        head = QHBoxLayout()
        head.setContentsMargins(4, 0, 0, 0)
        head.addWidget(self.tabs)
        head.addWidget(self.fields, 1)
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addLayout(head)
        self.halves = QSplitter(Qt.Orientation.Horizontal, self.body)
        self.halves.addWidget(self.table)
        self.halves.addWidget(self.instances)
        self.halves.setChildrenCollapsible(False)
        inner.addWidget(self.halves, 1)
        self.instances.hide()
        self.body.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(line)
        whole.addWidget(self.body, 1)

    def _connect(self) -> None:
        self.toggle.toggled.connect(self._open)
        self.tabs.currentChanged.connect(self._fill)
        self.fields.entered.connect(self.range_entered)
        self.table.view.chosen.connect(self._chosen)
        self.table.view.opened.connect(self._opened)
        self.instances.view.opened.connect(lambda row: self._zoom(self.instances, row))
        self._editor.written.connect(lambda text: self.note_renamed.emit(self._renaming, text))
        self._later.timeout.connect(self._fill_live)
        self._context.display.changed.connect(self._say)
        self._context.document.selection.changed.connect(self._remark)

    # -- what it is about ---------------------------------------------------------------------------------

    def show_timeline(self, profile: Profile | None, shown: Shown | None) -> None:
        """Another timeline, or none."""
        self._profile, self._shown = profile, shown
        self._live = None
        self._lanes, self._found, self._names = (), None, NO_NAMES
        self._offer()
        self.legend.set_entries(entries(shown.model, shown.shades) if shown is not None else ())
        self._say()
        self._fill()

    def set_range(self, stretch: TimeRange | None) -> None:
        """The range is set."""
        self._range, self._live = stretch, None
        self._later.stop()
        self._say()
        self._follow("range")

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """The notes of the timeline, and which of them is chosen."""
        if notes != self._notes:
            self._notes = notes
            self._offer()
            self._follow("notes")
        self._note = chosen
        self._remark()

    def set_lanes(self, lanes: tuple[int, ...]) -> None:
        """The lanes that are selected, or on which selected slices lie."""
        if lanes != self._lanes:
            self._lanes = lanes
            self._follow("lanes")

    def set_found(self, found: I64 | None) -> None:
        """The hits of a search; None: it has ended."""
        self._found = found
        self._offer()
        self._follow("found")

    def show_tab(self, kind: Kind) -> None:
        """Opens one of the tables."""
        self.toggle.setChecked(True)
        if kind in self._kinds:
            self.tabs.setCurrentIndex(self._kinds.index(kind))

    def rename_note(self) -> bool:
        """Opens a field over the name of the chosen note; False where the list does not show it."""
        if self._kind is not NOTES or self._note is None or not self.is_open:
            return False
        self._rename(self._note)
        return True

    def set_live(self, stretch: TimeRange | None) -> None:
        """The range is being drawn."""
        self._live = stretch
        self._say()
        if stretch is not None and not self._later.isActive():
            self._later.start()

    @property
    def is_open(self) -> bool:
        return self.toggle.isChecked()

    def refresh_colours(self) -> None:
        """The theme changed."""
        if self._shown is not None:
            self.legend.set_entries(entries(self._shown.model, self._shown.shades))

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _kind(self) -> Kind | None:
        place = self.tabs.currentIndex()
        return self._kinds[place] if 0 <= place < len(self._kinds) else None

    @property
    def _asked(self) -> Asked | None:
        if self._profile is None or self._shown is None:
            return None
        stretch = self._live or self._range
        return Asked(self._profile, self._shown.model, stretch, self._notes, self._lanes, self._found)

    def _offer(self) -> None:
        """A tab for everything that there is something for; the one in front stays, where it can."""
        before, asked = self._kind, self._asked
        kinds = offered(asked) if asked is not None else ()
        if kinds == self._kinds:
            return
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for kind in kinds:
            self.tabs.addTab(kind.title)
        self._kinds = kinds
        self.tabs.setCurrentIndex(kinds.index(before) if before in kinds else 0)
        self.tabs.blockSignals(False)
        if self._kind is not before:
            self._fill()

    def _follow(self, what: Follows) -> None:
        if self._kind is not None and what in self._kind.follows:
            self._fill()

    def _open(self, wanted: bool) -> None:
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if wanted else Qt.ArrowType.RightArrow)
        self.body.setVisible(wanted)
        self._fill()
        self.opened.emit(wanted)

    def _say(self) -> None:
        shown = self._shown
        if shown is None:
            self.summary.setText("")
            return
        stretch = self._live or self._range
        count = count_in(shown.model, stretch)
        slices = "1 slice" if count == 1 else f"{count:,} slices"
        look = self._context.display.look
        if stretch is None:
            text = f"{slices} in all"
        else:
            text = f"{slices} in {shown.model.clock.short_span(stretch.end - stretch.start, look)}"
        self.summary.setText(text)
        self.fields.show_range(stretch, shown.model.clock, look, (shown.model.start, shown.model.end))

    def _fill(self) -> None:
        kind, asked = self._kind, self._asked
        if not self.is_open or kind is None or asked is None:
            return
        table = kind.make(asked)
        self._link.show(table or NOTHING, empty=kind.empty)
        self._remark()
        self._fill_instances(asked)

    def _fill_instances(self, asked: Asked) -> I64:
        """The slices of the chosen names, beside the statistics; their indices."""
        wanted = self._kind is STATISTICS and len(self._names) > 0
        if wanted and self.instances.isHidden():
            self.halves.setSizes([1, 1])
        self.instances.setVisible(wanted)
        if not wanted:
            return np.empty(0, np.int64)
        table, index = instances(asked, self._names)
        self._instance_link.show(table)
        return index

    def _fill_live(self) -> None:
        asked = self._asked
        if self._live is not None and asked is not None and self._kind is STATISTICS and asked.count <= LIVE_MOST:
            self._fill()

    def _chosen(self) -> None:
        """Rows of the statistics stand for all slices of those names, gaps for the slices that end them, notes for
        themselves."""
        asked, rows = self._asked, self.table.view.selected_source_rows()
        if asked is None or not len(rows):
            return
        if self._kind is NOTES:
            self.note_chosen.emit(int(rows[0]))
        elif self._kind is GAPS:
            keys = [self.table.view.items.table.key(int(row)) for row in rows[:SELECT_MOST]]
            self.named.emit(np.array([key for key in keys if key >= 0], np.int64))
        elif self._kind is STATISTICS:
            self._names = name_ids(self.table.view.items.table)[rows]
            index = self._fill_instances(asked)
            if len(index):
                self.named.emit(index[:SELECT_MOST])

    def _remark(self) -> None:
        """Names and notes that are chosen are marked, whatever is selected elsewhere."""
        if not self.is_open:
            return
        if self._kind is NOTES:
            self.table.view.mark(np.array([] if self._note is None else [self._note], np.int64))
        elif self._kind is STATISTICS:
            rows = np.flatnonzero(np.isin(name_ids(self.table.view.items.table), self._names))
            self.table.view.mark(rows.astype(np.int64), scroll=False)

    def _opened(self, row: int) -> None:
        """A double click or Enter on a row."""
        if self._kind is NOTES:
            self._rename(row)
        else:
            self._zoom(self.table, row)

    def _zoom(self, widget: TableWidget, row: int) -> None:
        """To what the row stands for, where that is a stretch of time."""
        columns = {column.key: column for column in widget.view.items.table.columns}
        values = [columns[key].value(row) for key in ("start", "duration") if key in columns]
        if len(values) == 2 and all(isinstance(value, float) for value in values):
            start, length = (float(value) for value in values if value is not None)
            self.zoom_wanted.emit(TimeRange(start, start + length))

    def _rename(self, row: int) -> None:
        """Opens a field over the name in a row of the notes."""
        view = self.table.view
        shown = view.items.shown_rows(np.array([row])).tolist()
        if self._kind is not NOTES or not shown:
            return
        place = view.visualRect(view.model().index(shown[0], 0, QModelIndex()))
        self._renaming = row
        self._editor.edit(place, self._notes[row].text, "Name of the note")
