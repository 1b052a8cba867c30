"""The figures below the timeline: a tab per table, the range as numbers, instances beside their names."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabBar, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.language import tr
from app.panels.timeline.figures import (
    GAPS,
    LIVE_MOST,
    NOTES,
    SELECT_MOST,
    STATISTICS,
    Follows,
    Request,
    Tab,
    instances_of,
    names_in,
    offered,
    rows_named,
    slices_named,
    table_of,
)
from app.panels.timeline.range_fields import RangeFields
from app.profile.arrays import I64
from app.profile.selection import TimeRange
from app.widgets.context import Context
from app.widgets.inline_edit import InlineEdit
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import caption

SOURCE, INSTANCES = "timeline-table", "timeline-instances"
NOTHING = Table("", "", ())


class FigureTables(QWidget):
    """Signals: ``named`` (int64 slices that the user selected by name, or by the gap before them), ``zoom_wanted``
    (TimeRange) of an activated row, ``note_chosen`` (index) and ``note_renamed`` (index, name)."""

    named = Signal(object)
    zoom_wanted = Signal(object)
    note_chosen = Signal(int)
    note_renamed = Signal(int, str)

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._request: Request | None = None
        self._offered: tuple[Tab, ...] = ()
        self._wanted: Tab | None = None
        self._names: tuple[str, ...] = ()
        self._note: int | None = None
        self._renaming = -1
        self.fields = RangeFields(self)
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("Figures of the timeline"))
        self.table = TableWidget(context.display, self)
        self.instances = TableWidget(context.display, self)
        self.instances.hide()
        self._shown = ProfileTable(context, self.table, SOURCE)
        self._shown_instances = ProfileTable(context, self.instances, INSTANCES)
        self.editor = InlineEdit(self.table.view.viewport())
        self._lay_out()
        self.tabs.currentChanged.connect(self._turned)
        self.table.view.chosen.connect(self._chosen)
        self.table.view.opened.connect(self._opened)
        self.instances.view.opened.connect(lambda row: self._zoom(self.instances, row))
        self.editor.written.connect(lambda text: self.note_renamed.emit(self._renaming, text))
        context.document.selection.changed.connect(self._remark)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4, 0, 0, 0)
        head.addWidget(self.tabs)
        head.addWidget(self.fields, 1)
        self._halves = QSplitter(Qt.Orientation.Horizontal, self)
        self._halves.addWidget(self.table)
        self._halves.addWidget(self.instances)
        self._halves.setChildrenCollapsible(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(self._halves, 1)

    @property
    def busy(self) -> bool:
        """Whether tables are being compared."""
        return self._shown.busy or self._shown_instances.busy

    # -- what it is about ---------------------------------------------------------------------------------

    def show_figures(self, request: Request | None) -> None:
        """Shows figures of another timeline."""
        self._names = ()
        self._request = request
        self._offer()
        self._fill()

    def drop_baseline(self) -> None:
        """Ends the comparison; the next ``show_figures`` shows figures of the timeline alone."""
        self._request = None
        self._shown.clear()
        self._shown_instances.clear()

    def follow(self, request: Request | None, what: Follows) -> None:
        """Updates figures of the same timeline; ``what`` changed in the request."""
        self._request = request
        before = self.tab
        self._offer()
        if self.tab is not before or (before is not None and (what == "pipes" or what in before.follows)):
            self._fill()

    def follow_live(self, request: Request | None) -> None:
        """Updates the statistics while the range is being drawn, unless it holds more than LIVE_MOST slices."""
        if request is not None and self.tab is STATISTICS and request.count <= LIVE_MOST:
            self._request = request
            self._fill()

    def follow_notes(self, request: Request | None, chosen: int | None) -> None:
        """Updates the notes and the selected note."""
        changed = request is None or self._request is None or request.notes != self._request.notes
        self._note = chosen
        if changed:
            self.follow(request, "notes")
        else:
            self._remark()

    def show_tab(self, tab: Tab) -> None:
        if tab in self._offered:
            self.tabs.setCurrentIndex(self._offered.index(tab))

    def rename_note(self) -> bool:
        """Starts editing the name of the selected note; False if the list does not show it."""
        if self.tab is not NOTES or self._note is None:
            return False
        self._rename(self._note)
        return True

    @property
    def tab(self) -> Tab | None:
        """The current tab."""
        place = self.tabs.currentIndex()
        return self._offered[place] if 0 <= place < len(self._offered) else None

    # -- inside -------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        """Offers a tab for each table with content; the last chosen tab becomes current as soon as it is available."""
        tabs = offered(self._request) if self._request is not None else ()
        if tabs == self._offered:
            return
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for tab in tabs:
            self.tabs.addTab(caption(tab.title))
        self._offered = tabs
        self.tabs.setCurrentIndex(tabs.index(self._wanted) if self._wanted in tabs else 0)
        self.tabs.blockSignals(False)

    def _turned(self) -> None:
        """Handles the choice of a tab."""
        self._wanted = self.tab
        self._fill()

    def _fill(self) -> None:
        tab, request = self.tab, self._request
        if tab is None or request is None:
            return
        if request.before is not None and tab is not NOTES and tab.ready(request):
            self._shown.show(partial(table_of, tab, request), empty=tab.empty)
        else:
            table = table_of(tab, request, request.profile)
            self._shown.show_alone(table or NOTHING, empty=tab.empty)
        self._remark()
        self._fill_instances(request)

    def _fill_instances(self, request: Request) -> I64:
        """Lists the slices with the selected names beside the statistics; returns their indices."""
        wanted = self.tab is STATISTICS and len(self._names) > 0
        if wanted and self.instances.isHidden():
            self._halves.setSizes([1, 1])
        self.instances.setVisible(wanted)
        if not wanted:
            return np.empty(0, np.int64)
        make = partial(instances_of, request, self._names)
        table = make(request.profile)
        if request.before is not None:
            self._shown_instances.show(make, table=table)
        elif table is not None:
            self._shown_instances.show_alone(table)
        return slices_named(request, self._names)

    def _remark(self) -> None:
        """Marks selected names and notes, whatever is selected elsewhere."""
        if self.tab is NOTES:
            self.table.view.mark(np.array([] if self._note is None else [self._note], np.int64))
        elif self.tab is STATISTICS:
            self.table.view.mark(rows_named(self.table.view.items.table, self._names), scroll=False)

    def _chosen(self) -> None:
        """Selects what the rows refer to: for statistics all slices of those names, for gaps the slices that end them,
        for notes the notes themselves."""
        request, rows = self._request, self.table.view.selected_source_rows()
        if request is None or not len(rows):
            return
        if self.tab is NOTES:
            self.note_chosen.emit(int(rows[0]))
        elif self.tab is GAPS:
            keys = [self.table.view.items.table.key(int(row)) for row in rows[:SELECT_MOST]]
            self.named.emit(np.array([key for key in keys if key >= 0], np.int64))
        elif self.tab is STATISTICS:
            self._names = names_in(self.table.view.items.table, rows)
            index = self._fill_instances(request)
            if len(index):
                self.named.emit(index[:SELECT_MOST])

    def _opened(self, row: int) -> None:
        """Handles a double click or Enter on a row."""
        if self.tab is NOTES:
            self._rename(row)
        else:
            self._zoom(self.table, row)

    def _zoom(self, widget: TableWidget, row: int) -> None:
        """Zooms to the time range of a row, if it has one."""
        columns = {column.key: column for column in widget.view.items.table.columns}
        keys = (key if key in columns else f"{key}_after" for key in ("start", "duration"))
        values = [columns[key].value(row) for key in keys if key in columns]
        if len(values) == 2 and all(isinstance(value, float) for value in values):
            start, length = (float(value) for value in values if value is not None)
            self.zoom_wanted.emit(TimeRange(start, start + length))

    def _rename(self, row: int) -> None:
        """Starts editing the name in a row of the notes."""
        view = self.table.view
        shown = view.items.shown_rows(np.array([row])).tolist()
        if self._request is None or not shown:
            return
        place = view.visualRect(view.model().index(shown[0], 0, QModelIndex()))
        self._renaming = row
        self.editor.edit(place, self._request.notes[row].text, tr("Name of the note"))
