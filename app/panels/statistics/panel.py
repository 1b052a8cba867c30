"""The statistics panel: a tab per table of the timeline, instances beside their names, a flame graph beside paths."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtWidgets import QSplitter

from app.analysis.table import Table
from app.analysis.tables.timeline import PathTable
from app.analysis.timeline.name_groups import NameGroups
from app.document.background import Background
from app.document.selection import LinksPending
from app.language import tr
from app.panels.panel import NO_ROWS, Panel
from app.panels.registry import SPECS
from app.panels.statistics.flame import SOURCE as FLAME
from app.panels.statistics.flame import SliceFlame
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.colours import KNOWN
from app.views.look import Look
from app.views.statistics.tabs import (
    GAPS,
    LIVE_MOST,
    NOTES,
    PATHS,
    SELECT_MOST,
    STATISTICS,
    Names,
    Tab,
    instances_of,
    names_in,
    offered,
    rows_named,
    slices_named,
    table_of,
)
from app.views.timeline.model import Model
from app.views.timeline.request import Follows, Request, lanes_of, slices_of
from app.widgets.abilities import HasPicture, RenamesNotes
from app.widgets.buttons import tool_button
from app.widgets.controls import Controls
from app.widgets.fields import InlineEdit
from app.widgets.table.grouped import GroupedDelegate, GroupedModel, GroupedView
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabs import Tabs
from app.widgets.tabular import Tabular
from app.widgets.timeline.scope import why_no_timeline

GROUP_HELP = tr("Group names that differ only in numbers and addresses")
LISTED_HELP = tr("List the slices of the selected names beside the table (double click, Enter)")
GROUPED = "grouped"
SOURCE, INSTANCES = "timeline-table", "timeline-instances"
NOTHING = Table("", "", ())
LIVE_MS = 60
LARGE = 100_000
"""From so many slices on a thread makes the first table of a timeline."""


class StatisticsPanel(Panel, RenamesNotes):
    """Follows what the timeline panel shows (see TimelineScope); without one, the whole timeline of the profile. It
    also renames notes."""

    spec = SPECS["statistics"]
    compares = True

    def build(self) -> None:
        context = self.context
        self._scope = context.scope
        self._request: Request | None = None
        self._model: Model | None = None
        self._offered: tuple[Tab, ...] = ()
        self._wanted: str = self._scope.table
        self._names = Names.of(())
        self._groups: NameGroups | None = None
        self._lanes: tuple[int, ...] = ()
        self._only: tuple[int, ...] = ()
        self._marked: I64 = NO_ROWS
        self._renaming = ""
        self.range = tool_button("", tr("Range that the statistics follow"), self)
        self.tabs = Tabs(tr("Timeline statistics"), self)
        self.grouped = tool_button(tr("Group names"), GROUP_HELP, self)
        self.grouped.setCheckable(True)
        self.grouped.setChecked(True)
        self.grouped.hide()
        self.listed = tool_button(tr("List slices"), LISTED_HELP, self)
        self.listed.setCheckable(True)
        self.listed.hide()
        self.table = TableWidget(context.display, self, GroupedModel, GroupedDelegate, GroupedView)
        self.table.view.names = "name"
        self.instances = TableWidget(context.display, self)
        self.instances.hide()
        self.flame = SliceFlame(context, self)
        self.flame.hide()
        self._shown = ProfileTable(context, self.table, SOURCE)
        self._shown_instances = ProfileTable(context, self.instances, INSTANCES)
        self.editor = InlineEdit(self.table.view.viewport())
        self._live = QTimer(self, interval=LIVE_MS, singleShot=True)
        self._making = Background(self)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._halves = QSplitter(Qt.Orientation.Horizontal, self)
        self._halves.addWidget(self.flame)
        self._halves.addWidget(self.table)
        self._halves.addWidget(self.instances)
        self._halves.setChildrenCollapsible(False)
        buttons = self.range, self.grouped, self.listed
        controls = Controls(self, self.tabs, *buttons, (self.table.bar, 1), folds=buttons)
        self.lay_out((self._halves, 1), home=self.table, controls=controls)

    def _connect(self) -> None:
        document, scope = self.context.document, self._scope
        self.tabs.currentChanged.connect(self._turned)
        self.table.view.chosen.connect(self._chosen)
        self.table.view.opened.connect(self._opened)
        self.table.view.arranged.connect(self._remark)
        self.table.filtered.connect(self._remark)
        self.grouped.toggled.connect(self._regroup)
        self.listed.toggled.connect(self._list)
        self.instances.view.opened.connect(lambda row: self._zoom(self.instances, row))
        self.editor.written.connect(self._renamed)
        self.editor.closed.connect(document.edits.seal)
        document.states.saving.connect(self.editor.report)
        document.states.restored.connect(self._recall)
        self.range.clicked.connect(
            lambda: self.commands_wanted.emit("range", self.range.mapToGlobal(self.range.rect().bottomLeft()))
        )
        document.notes.changed.connect(self._follow_notes)
        scope.replaced.connect(self.refill)
        scope.followed.connect(self._follow)
        scope.drawn.connect(self._drawn)
        scope.table_wanted.connect(lambda: self.show_table(scope.table))
        self._live.timeout.connect(self._fill_live)

    @property
    def busy(self) -> bool:
        """Whether tables are being compared."""
        return self._shown.busy or self._shown_instances.busy

    @property
    def tab(self) -> Tab | None:
        """The current tab."""
        place = self.tabs.currentIndex()
        return self._offered[place] if 0 <= place < len(self._offered) else None

    def tabular(self) -> Tabular:
        return self.table

    def picture(self) -> HasPicture | None:
        return self.flame if self.tab is PATHS else None

    # -- what it is about ---------------------------------------------------------------------------------

    def why_empty(self, _: Profile | None) -> str:
        return why_no_timeline(self.context.document.current)

    def clear(self) -> None:
        self._request = self._model = self._groups = None
        self._scope.forget()
        self._shown.clear()
        self._shown_instances.clear()
        self.flame.show_paths(None)

    def forget(self) -> None:
        self._names = Names.of(())

    def fill(self, profile: Profile) -> Iterator[object]:
        assert profile.timeline is not None
        if self._model is None or self._model.timeline is not profile.timeline:
            self._names = Names.of(())
            self._model = self._scope.model_of(profile.timeline)
            self._groups = NameGroups(profile.timeline, tuple(KNOWN))
            self.flame.show_paths(None)
            self._request = None
            yield None
        self._recall()
        if self.comparison is None:
            self._shown.clear()
            self._shown_instances.clear()
        with suppress(LinksPending):  # the panel marks again when they are known
            self._find_lanes(self.shared.selection)
        self._request = request = self._make_request()
        self._offer()
        self._say_range()
        tab, made = self.tab, None
        alone = request is not None and (request.before is None or tab is PATHS)
        if tab is not None and request is not None and alone and request.count >= LARGE:
            made = yield from self._making.waited(lambda _: self._make(tab, request))
        meanwhile = self.tab is not tab or self._request is not request
        self._fill(None if meanwhile else made)

    def show_selection(self, selection: Selection | None, _: bool) -> None:
        lanes, only = self._lanes, self._only
        self._find_lanes(selection)
        if only != self._only:
            self._follow("only")
        if lanes != self._lanes:
            self._follow("lanes")
        self._remark()

    def show_ranges(self, ranges: Ranges) -> None:
        if self._request is not None and self._request.stretch != ranges.time:
            self._live.stop()
            self._follow("range")
            self._say_range()

    def show_look(self, _: Look) -> None:
        self._say_range()

    def show_table(self, name: str) -> None:
        """Shows the table ``name`` (id of a tab), now or as soon as it has content."""
        self._wanted = name
        index = next((place for place, tab in enumerate(self._offered) if tab.id == name), -1)
        if index >= 0:
            self.tabs.setCurrentIndex(index)

    def rename_note(self) -> None:
        """Starts editing the name of the selected note, if the list shows it."""
        note = self.context.document.notes.chosen
        if self.tab is NOTES and note is not None:
            self._rename(note)

    # -- following ----------------------------------------------------------------------------------------

    def _find_lanes(self, selection: Selection | None) -> None:
        model = self._model
        if model is None:
            self._lanes = self._only = ()
            return
        only = self._only
        self._marked = slices_of(self.shared.linked, model, selection)
        self._lanes, self._only = lanes_of(model, selection, self._marked)
        if selection is not None and selection.source in (SOURCE, INSTANCES, FLAME):
            self._only = only  # rows of a limited table are chosen, which stays

    def _make_request(self, live: TimeRange | None = None) -> Request | None:
        profile, model, scope, document = self.profile, self._model, self._scope, self.context.document
        if profile is None or model is None:
            return None
        stretch, lanes, only = live or document.ranges.value.time, self._lanes, self._only
        notes = document.notes.value
        shown = None if scope.shown is None or scope.shown.model is not model else scope.shown
        groups = self._groups if self.grouped.isChecked() else None
        if shown is None:
            return Request(profile, model, model.rows, stretch, notes, lanes, only, groups=groups)
        before = None if scope.baseline is None else scope.baseline.request(shown, stretch, lanes, only)
        counted = shown.contents.counted
        groups = groups if before is None else None  # names are compared each by itself
        return Request(profile, model, counted, stretch, notes, lanes, only, scope.hits, before, groups)

    def _follow(self, what: Follows) -> None:
        """Updates the tables of the same timeline; ``what`` changed in the request."""
        if self._request is None or not self.isVisible():
            self.refill()
            return
        self._request = self._make_request()
        before = self.tab
        self._offer()
        if self.tab is not before or (before is not None and (what == "pipes" or what in before.follows)):
            self._fill_soon()

    def _follow_notes(self) -> None:
        """Updates the notes and the selected note."""
        notes = self.context.document.notes.value
        if self._request is None or notes != self._request.notes:
            self._follow("notes")
        self._remark()

    def _drawn(self) -> None:
        """Follows the range that is being drawn, and returns to the chosen one when the drawing is cancelled."""
        if self._request is None or not self.isVisible():
            return
        self._say_range()
        if self._scope.live is None:
            self.table.view.follow_contents()  # none was hidden while the range was drawn
            self.show_ranges(self.context.document.ranges.value)
        elif not self._live.isActive():
            self._live.start()

    def _fill_live(self) -> None:
        """Updates the statistics while the range is being drawn, unless it holds more than LIVE_MOST slices."""
        live = self._scope.live
        request = None if live is None else self._make_request(live)
        if request is not None and self.tab is STATISTICS and request.count <= LIVE_MOST:
            self._request = request
            self._fill()

    def _say_range(self) -> None:
        stretch = self._scope.live or self.context.document.ranges.value.time
        text: str = tr("Whole timeline")
        if self._model is not None and stretch is not None:
            text = self._model.clock.stretch(stretch.start, stretch.end, self.context.display.look)
        self.range.setText(f"{text} ▾")

    # -- tables -------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        """Offers a tab for each table with content; the last chosen tab becomes current as soon as it is available."""
        tabs = offered(self._request) if self._request is not None else ()
        if tabs == self._offered:
            return
        self._offered = tabs
        self.tabs.offer([tab.title for tab in tabs], next((tab.title for tab in tabs if tab.id == self._wanted), ""))

    def _turned(self) -> None:
        """Handles the choice of a tab."""
        self._wanted = "" if self.tab is None else self.tab.id
        self._fill_soon()

    def _fill_soon(self) -> None:
        """Shows the table of the current tab; paths of many slices when a thread has them."""
        if self.tab is PATHS and self._request is not None and self._request.count >= LARGE:
            self.refill()
        else:
            self._fill()

    def _regroup(self, grouped: bool) -> None:
        """Shows a row for each group of names, or for each name, and remembers it for this profile."""
        entry, states = self.context.document.current, self.context.document.states
        if entry is not None and (not grouped or states.view(entry.id, self.spec.id) is not None):
            states.set_view(entry.id, self.spec.id, {} if grouped else {GROUPED: False})
        if self._request is not None:
            self._request = self._make_request()
            self._fill()

    def _recall(self) -> None:
        """Sets the choice to what was remembered for this profile."""
        document = self.context.document
        view = None if document.current is None else document.states.view(document.current.id, self.spec.id)
        self.grouped.setChecked(view is None or view.get(GROUPED) is not False)

    def _make(self, tab: Tab, request: Request) -> Table | None:
        """The table of a tab, in a thread, and what else takes long there."""
        if tab is STATISTICS and self._groups is not None:
            self._groups.of_name  # noqa: B018 (cached)
        return table_of(tab, request, request.profile)

    def _fill(self, made: Table | None = None) -> None:
        """Shows the table of the current tab, which may be ``made`` already."""
        tab, request = self.tab, self._request
        self.grouped.setVisible(self._can_group)
        self.listed.setVisible(self.tab is STATISTICS)
        appears = tab is PATHS and self.flame.isHidden()
        self.flame.setVisible(tab is PATHS)
        if appears:
            self._halves.setSizes([3 * self.width() // 5, 2 * self.width() // 5, 0])
        if tab is None or request is None:
            self.say_empty(self.lacks(tr("This timeline is empty: the file contains no slices or counters.")))
            return
        if tab is PATHS:
            made = made or table_of(tab, request, request.profile)
            self.flame.show_paths(made.paths if isinstance(made, PathTable) else None)
        if request.before is not None and tab is not NOTES and tab.ready(request):
            self._shown.show(partial(table_of, tab, request), table=made, empty=tab.empty)
        else:
            table = made or table_of(tab, request, request.profile)
            self._shown.show_alone(table or NOTHING, empty=tab.empty)
        self._remark()
        self._fill_instances(request)

    @property
    def _can_group(self) -> bool:
        """Whether fewer rows than names would be shown."""
        alone = self._request is not None and self._request.before is None
        return alone and self.tab is STATISTICS and self._groups is not None and self._groups.saves

    def _list(self) -> None:
        """Lists the slices of the selected names, or no longer: a click on a row alone moves nothing."""
        if self._request is not None:
            self._fill_instances(self._request)

    def _fill_instances(self, request: Request) -> None:
        """Shows the slices with the selected names beside the statistics, if they are wanted."""
        wanted = self.tab is STATISTICS and len(self._names) > 0 and self.listed.isChecked()
        if wanted and self.instances.isHidden():
            self._halves.setSizes([0, 1, 1])
        self.instances.setVisible(wanted)
        if not wanted:
            return
        make = partial(instances_of, request, self._names)
        table = make(request.profile)
        if request.before is not None:
            self._shown_instances.show(make, table=table)
        elif table is not None:
            self._shown_instances.show_alone(table)

    def _remark(self) -> None:
        """Marks selected names and notes, whatever is selected elsewhere, and the frames of selected slices."""
        if self.tab is PATHS:
            self.flame.mark(self._marked)
        elif self.tab is NOTES:
            note = self.context.document.notes.chosen
            self.table.view.mark(np.array([] if note is None else [note], np.int64))
        elif self.tab is STATISTICS and self.table.view.items.table.columns:
            self.table.view.mark(rows_named(self.table.view.items.table, self._names), scroll=False)

    # -- what rows do -------------------------------------------------------------------------------------

    def _chosen(self) -> None:
        """Selects what the rows refer to: for statistics all slices of those names, for gaps the slices that end them,
        for notes the notes themselves."""
        request, rows = self._request, self.table.view.selected_source_rows()
        if request is None or not len(rows):
            return
        if self.tab is NOTES:
            self._choose_note(int(rows[0]))
        elif self.tab is GAPS:
            keys = [self.table.view.items.table.key(int(row)) for row in rows[:SELECT_MOST]]
            self._select(np.array([key for key in keys if key >= 0], np.int64))
        elif self.tab is STATISTICS:
            self._names = names_in(self.table.view.items.table, rows)
            self._fill_instances(request)
            index = slices_named(request, self._names)
            if len(index):
                self._select(index[:SELECT_MOST])

    def _select(self, slices: I64) -> None:
        self.context.document.selection.set(Selection("slice", tuple(slices.tolist()), SOURCE))

    def _choose_note(self, index: int) -> None:
        """Selects a note, which the timeline reveals."""
        notes = self.context.document.notes
        notes.choose(index)
        if notes.chosen is not None:
            note = notes.value[notes.chosen]
            self._scope.stretch_wanted.emit(TimeRange(note.start, note.end), False)

    def _opened(self, row: int) -> None:
        """Handles a double click or Enter on a row; one of a group opens its names."""
        if self.tab is NOTES:
            self._rename(row)
        elif self.tab is STATISTICS:
            self.listed.setChecked(True)
        else:
            self._zoom(self.table, row)

    def _zoom(self, widget: TableWidget, row: int) -> None:
        """Zooms to the time range of a row, if it has one."""
        columns = {column.key: column for column in widget.view.items.table.columns}
        keys = (key if key in columns else f"{key}_after" for key in ("start", "duration"))
        values = [columns[key].value(row) for key in keys if key in columns]
        if len(values) == 2 and all(isinstance(value, float) for value in values):
            start, length = (float(value) for value in values if value is not None)
            self._scope.stretch_wanted.emit(TimeRange(start, start + length), True)

    def _rename(self, row: int) -> None:
        """Starts editing the name in a row of the notes."""
        view = self.table.view
        shown = view.items.shown_rows(np.array([row])).tolist()
        if self._request is None or not shown:
            return
        place = view.visualRect(view.model().index(shown[0], 0, QModelIndex()))
        self._renaming = self._request.notes[row].id
        self.editor.edit(place, self._request.notes[row].text, tr("Name of the note"))

    def _renamed(self, text: str) -> None:
        notes = self.context.document.notes
        row = notes.index_of(self._renaming)
        if row is not None:
            notes.rename(row, text)
