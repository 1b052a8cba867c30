"""The timeline panel: the canvas and what stands around it, tied to the document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QGridLayout, QScrollBar, QSplitter, QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.table import Table
from app.analysis.tables.timeline import slices as slice_table
from app.document.document import Update
from app.panels.timeline.bar import Bar
from app.panels.timeline.figure_tables import SOURCE as TABLE
from app.panels.timeline.figures import FOUND, slices_in
from app.panels.timeline.filter_menu import SYNC_NAMES
from app.panels.timeline.searching import SOURCE, Searching
from app.panels.timeline.strip import Strip
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.refresh import Refresh
from app.widgets.theme import Theme
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.kept import kept, restore
from app.widgets.timeline.model import Model
from app.widgets.timeline.overview import Overview
from app.widgets.timeline.pick import in_sight
from app.widgets.timeline.picture import LEGEND
from app.widgets.timeline.scene import Place
from app.widgets.timeline.state import Shown
from app.widgets.timeline.words import about_slice

MOST_HOVERED = 300
MOST_LANES = 64
"""Of many selected slices so many are asked for their lane."""
KEEP_MS = 500
"""How a timeline is seen is remembered when nothing has moved for so long."""
KEPT = 4
"""Timelines of other open profiles that stay as they were left."""
NOTHING: I64 = np.empty(0, np.int64)


class TimelinePanel(QWidget):
    """Has the abilities Tabular (the slices in sight are its table), Copies, Finds, RenamesNotes, HoldsPicture
    and SizesPicture."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._kept: dict[int, Shown] = {}
        self._entry: int | None = None
        self._profile: Profile | None = None
        self.canvas = TimelineCanvas(context.display, self)
        self.overview = Overview(self.canvas, context.display, self)
        self.bar = Bar(self)
        self.strip = Strip(context, self)
        self.scroller = QScrollBar(Qt.Orientation.Vertical, self)
        self.search = Searching(self.bar, self.canvas, context.document)
        self._left = QTimer(self, interval=KEEP_MS, singleShot=True)
        self._left.timeout.connect(self._keep_view)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.canvas)
        self._refresh = Refresh(self, self._show)
        self._refresh.request()

    def _lay_out(self) -> None:
        upper = QWidget(self)
        grid = QGridLayout(upper)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.bar, 0, 0, 1, 2)
        grid.addWidget(self.overview, 1, 0)
        grid.addWidget(self.canvas, 2, 0)
        grid.addWidget(self.scroller, 2, 1)
        grid.setRowStretch(2, 1)
        grid.setColumnStretch(0, 1)  # the bar spans both columns; the room is the canvas's
        self.splitter = QSplitter(Qt.Orientation.Vertical, self)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.strip)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.stack = OrEmpty(self._context.display, self.splitter, self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.stack)

    def _connect(self) -> None:
        document, canvas, bar = self._context.document, self.canvas, self.bar
        document.updated.connect(self._updated)
        document.entry_closed.connect(self._forget_closed)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        document.notes.changed.connect(self._noted)
        document.states.restored.connect(self._restored)
        self._context.display.changed.connect(self._look_changed)
        canvas.chosen.connect(self._chosen)
        canvas.lane_chosen.connect(self._lane_chosen)
        canvas.pointed.connect(self._pointed)
        canvas.range_dragged.connect(self.strip.set_live)
        canvas.range_chosen.connect(self._set_range)
        canvas.view_changed.connect(self._viewed)
        canvas.filtered.connect(self._filtered)
        bar.filter.lanes_wanted.connect(canvas.filter_lanes)
        bar.filter.hidden_wanted.connect(canvas.hide_names)
        bar.filter.hide_selected.connect(canvas.hide_selected)
        bar.arrows.chosen.connect(canvas.show_flows)
        canvas.note_wanted.connect(self._note)
        canvas.note_chosen.connect(document.notes.choose)
        canvas.note_renamed.connect(document.notes.rename)
        self.strip.note_chosen.connect(self._choose_note)
        self.strip.note_renamed.connect(document.notes.rename)
        self.strip.range_entered.connect(self._set_range)
        self.strip.named.connect(lambda found: document.selection.set(Selection("slice", tuple(found.tolist()), TABLE)))
        self.strip.opened.connect(self._opened)
        self.scroller.valueChanged.connect(canvas.scroll_to)
        self.strip.zoom_wanted.connect(lambda stretch: canvas.zoom_to(stretch))
        self.search.found.connect(self.strip.set_found)
        bar.list_wanted.connect(lambda: self.strip.show_tab(FOUND))
        bar.zoom.connect(canvas.zoom)
        bar.fit.connect(canvas.fit)
        bar.rows.connect(self._set_rows)
        bar.fold.connect(self._fold)

    # -- the document -------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("timeline"):
            self._refresh.request()

    def _show(self) -> Iterator[None]:
        """Shows the timeline of the current profile, in the state it was left in; a large one in pieces, and what is
        shown changes with the last of them."""
        entry = self._context.document.current
        timeline = None if entry is None else entry.profile.timeline
        before = self._kept.get(entry.id) if entry is not None else None
        if entry is not None and timeline is not None and (before is None or before.model.timeline is not timeline):
            model = Model.of(timeline)
            yield
            place = before.place if before is not None else Place(self.canvas.width(), self.canvas.height())
            shown = Shown(model, self._context.display.look, place)
            if before is not None:
                shown.like(before)
            else:
                self._restore(shown, entry.id)
            before = shown
            self._keep(entry.id, shown)
            yield
        self._entry = None if entry is None else entry.id
        self._profile = None if entry is None else entry.profile
        if entry is None or timeline is None or before is None:
            self.canvas.show_timeline(None)
            self.strip.show_timeline(None, None)
            self._say_empty()
            return
        self.canvas.show_timeline(before)
        self._say_state(before)
        self.strip.show_timeline(entry.profile, before)
        if len(before.model.rows.start) or before.contents.tracks or len(before.model.marks.start):
            self.stack.show_content()
        else:
            self.stack.show_empty("This timeline is empty: the file holds no slices, counters or marks.")
        self._noted()
        self._ranged(self._context.document.ranges.value)
        self._selected(self._context.document.selection.value)
        self.search.now()

    def _say_empty(self) -> None:
        entry = self._context.document.current
        if entry is None:
            self.stack.show_empty("Nothing is open.")
        elif entry.done:
            self.stack.show_empty("This profile has no timeline: its files hold no steps, trace or events.")
        else:
            self.stack.show_empty("The timeline is still being read. It shows here as soon as it is in.")

    def _keep(self, entry: int, shown: Shown) -> None:
        self._kept.pop(entry, None)
        self._kept[entry] = shown
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))

    def _forget_closed(self) -> None:
        open_now = {entry.id for entry in self._context.document.entries}
        self._kept = {entry: shown for entry, shown in self._kept.items() if entry in open_now}

    def _selected(self, selection: Selection | None) -> None:
        profile, shown = self._profile, self.canvas.shown
        if profile is None or shown is None:
            return
        if selection is not None and selection.kind == "lane":
            self.canvas.set_selected(NOTHING, selection.indices)
            self.strip.set_lanes(tuple(lane for lane in selection.indices if 0 <= lane < self._lanes(shown)))
            return
        index = NOTHING if selection is None else self._slices_of(profile, shown, selection)
        self.canvas.set_selected(index)
        lanes = np.unique([shown.model.lane_of(int(one)) for one in index[:MOST_LANES]]).tolist()
        self.strip.set_lanes(tuple(int(lane) for lane in lanes))
        if selection is not None and selection.source != SOURCE and len(index) and not in_sight(shown, index):
            self.canvas.reveal(int(index[0]))
        self.search.say()

    def _lanes(self, shown: Shown) -> int:
        return len(shown.model.timeline.lanes.thread)

    def _slices_of(self, profile: Profile, shown: Shown, selection: Selection) -> I64:
        index = translate(profile, selection, "slice")
        return np.unique(index[(index >= 0) & (index < len(shown.model.rows.start))])

    def _hovered(self, hover: Selection | None) -> None:
        profile, shown = self._profile, self.canvas.shown
        if profile is None or shown is None or (hover is not None and hover.source == SOURCE):
            return
        index = NOTHING if hover is None or hover.kind == "lane" else self._slices_of(profile, shown, hover)
        self.canvas.set_hovered(tuple(index[:MOST_HOVERED].tolist()))

    def _ranged(self, ranges: Ranges) -> None:
        self.canvas.set_range(ranges.time)
        self.overview.set_range(ranges.time)
        self.strip.set_range(ranges.time)

    def _say_state(self, shown: Shown) -> None:
        """The bar tells how the timeline is shown."""
        theme, contents = self._context.display.theme, shown.contents
        self.bar.set_rows(shown.rows_as)
        self.bar.arrows.show_timeline(shown.model.timeline, contents.flow_names, theme)
        sync = frozenset(name for name in SYNC_NAMES if len(shown.model.timeline.strings.find(name)))
        self.bar.filter.show_state(shown.lane_filter, contents.hidden, sync, theme)

    def _filtered(self) -> None:
        """Other things are left out."""
        if self.canvas.shown is not None:
            self._say_state(self.canvas.shown)
            self.search.now()

    def _noted(self) -> None:
        notes = self._context.document.notes
        self.canvas.set_notes(notes.value, notes.chosen)
        self.overview.update()
        self.strip.set_notes(notes.value, notes.chosen)

    # -- from one run to the next -------------------------------------------------------------------------

    def _restore(self, shown: Shown, entry: int) -> None:
        """As it was left the last time."""
        found = self._context.document.states.view(entry, SOURCE)
        if found is not None:
            restore(shown, found)

    def _restored(self, entry: int) -> None:
        """What was left has been found; unless the person was quicker."""
        shown = self._kept.get(entry)
        if shown is not None and not kept(shown):
            self._restore(shown, entry)
            if shown is self.canvas.shown:
                self.canvas.show_timeline(shown)
                self._noted()
                self._say_state(shown)
                self.search.now()

    def _keep_view(self) -> None:
        """Remembers how the timeline is seen, once it is not as it was at first."""
        shown, states = self.canvas.shown, self._context.document.states
        if shown is None or self._entry is None or self._kept.get(self._entry) is not shown:
            return
        found = kept(shown)
        if found or states.view(self._entry, SOURCE) is not None:
            states.set_view(self._entry, SOURCE, found)

    def _look_changed(self, look: Look) -> None:
        for shown in self._kept.values():
            shown.set_look(look)
        self.strip.refresh_colours()
        if self.canvas.shown is not None:
            self._say_state(self.canvas.shown)
        self._viewed()

    # -- the canvas ---------------------------------------------------------------------------------------

    def _chosen(self, index: int | None) -> None:
        chosen = None if index is None else Selection("slice", (index,), SOURCE)
        self._context.document.selection.set(chosen)

    def _lane_chosen(self, lane: int, add: bool) -> None:
        """The name of a lane was clicked; ``add``: besides those that are selected already."""
        before = self._context.document.selection.value
        lanes = before.indices if add and before is not None and before.kind == "lane" else ()
        lanes = tuple(one for one in lanes if one != lane) if lane in lanes else (*lanes, lane)
        self._context.document.selection.set(Selection("lane", lanes, SOURCE) if lanes else None)

    def _pointed(self, index: int | None) -> None:
        self._context.document.hover.set(None if index is None else Selection("slice", (index,), SOURCE))

    def _note(self, stretch: TimeRange, text: str, write: bool) -> None:
        """A new note; ``write``: its name is written at once."""
        notes = self._context.document.notes
        notes.add(stretch.start, stretch.end, text)
        if write and notes.chosen is not None:
            self.canvas.edit_note(notes.chosen)

    def _choose_note(self, index: int) -> None:
        """A note was chosen in the list: it is brought to view."""
        notes = self._context.document.notes
        notes.choose(index)
        if notes.chosen is not None:
            note = notes.value[notes.chosen]
            self.canvas.reveal_stretch(note.start, note.end)

    def _set_range(self, stretch: TimeRange | None) -> None:
        ranges = self._context.document.ranges
        ranges.set(replace(ranges.value, time=stretch))

    def _viewed(self) -> None:
        """The part that is shown changed: the scroll bar and the line above say so."""
        shown = self.canvas.shown
        if shown is None:
            return
        bounds, view, clock, look = shown.bounds, shown.view, shown.model.clock, self._context.display.look
        self.scroller.blockSignals(True)
        self.scroller.setRange(0, max(0, bounds.height - bounds.room))
        self.scroller.setPageStep(max(1, bounds.room))
        self.scroller.setSingleStep(24)
        self.scroller.setValue(view.top)
        self.scroller.blockSignals(False)
        self.scroller.setVisible(bounds.height > bounds.room)
        start, end = max(view.start, bounds.start), min(view.end, bounds.end)
        text = f"{clock.moment(start, look)} – {clock.moment(end, look)}"
        self.bar.set_view(text, f"In view: {clock.exactly(start)} to {clock.exactly(end)}")
        self._left.start()

    def _opened(self, wanted: bool) -> None:
        """Gives the figures a third of the room, or takes it back."""
        height = self.splitter.height()
        line = self.strip.toggle.sizeHint().height()
        lower = max(height // 3, 140) if wanted else line
        self.splitter.setSizes([height - lower, lower])

    def _set_rows(self, rows_as: str) -> None:
        if self.canvas.shown is not None:
            self.canvas.shown.set_rows(rows_as)
            self.canvas.moved()

    def _fold(self, fold: bool) -> None:
        if self.canvas.shown is not None:
            self.canvas.shown.fold_all(fold)
            self.canvas.moved()

    # -- abilities ----------------------------------------------------------------------------------------

    def start_find(self) -> None:
        """The cursor goes to the search field."""
        self.bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.field.selectAll()

    def find_step(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) slice whose name matches."""
        self.search.step(direction)

    def rename_note(self) -> None:
        """Opens a field over the name of the chosen note, in the list or on the canvas."""
        focus = QApplication.focusWidget()
        in_list = focus is not None and self.strip.isAncestorOf(focus)
        if not (in_list and self.strip.rename_note()):
            self.canvas.rename_note()

    def shown_table(self) -> Table | None:
        """The table twin: one row a slice."""
        return None if self._profile is None else slice_table(self._profile)

    def shown_rows(self) -> I64 | None:
        """The slices in sight."""
        shown = self.canvas.shown
        if shown is None:
            return None
        found = slices_in(shown.model, TimeRange(shown.view.start, shown.view.end))
        bands = shown.layout.in_view(shown.view.top, int(shown.place.body.height))
        rows = [np.arange(band.first_row, band.first_row + band.rows) for band in bands if band.rows]
        row = np.searchsorted(shown.model.rows.first, found, "right") - 1
        found = found[np.isin(row, np.concatenate([NOTHING, *rows]))]
        origin = shown.contents.rows.origin
        return found if origin is None else found[np.isin(found, origin)]

    def selected_rows(self) -> I64:
        """The selected slices."""
        return self.canvas.selected

    def copy_text(self) -> str:
        """What the tooltip of the selected slice says."""
        shown, chosen = self.canvas.shown, self.canvas.selected
        return about_slice(shown, int(chosen[0])) if shown is not None and len(chosen) == 1 else ""

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """The part in view as a picture; that of the whole timeline is the panel's plot."""
        self.canvas.draw(painter, place, replace(self._context.display.look, theme=theme))

    def picture_size(self) -> tuple[int, int]:
        """The canvas and a legend."""
        return self.canvas.width(), self.canvas.height() + LEGEND
