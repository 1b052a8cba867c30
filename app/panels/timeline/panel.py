"""The timeline panel: the canvas and the controls around it, and which timeline they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QScrollBar, QSplitter, QWidget

from app.analysis.table import Table
from app.analysis.tables.timeline import slices as slice_table
from app.document.edits import Edit
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.panels.timeline.bar import Bar
from app.panels.timeline.baseline_half import needs_scrolling, set_scroller
from app.panels.timeline.comparing import Comparing
from app.panels.timeline.linking import Linking, Noting
from app.panels.timeline.menus import SYNC_NAMES
from app.panels.timeline.notices import FilterChips, SummaryLine, UnitNotice, button_text
from app.panels.timeline.views import LANES, Views
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.views.look import Look, Theme
from app.views.timeline.filters import acting_filters
from app.views.timeline.legend_entries import why_colours
from app.views.timeline.request import slices_in_sight
from app.views.timeline.state import Shown
from app.widgets.abilities import ComparesTimelines, Copies, HandlesEscape, HasPicture, RenamesNotes, Searchable
from app.widgets.frame import row_of
from app.widgets.tabular import Tabular
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.overview import Overview
from app.widgets.timeline.pair_picture import draw_pair
from app.widgets.timeline.picture import LEGEND
from app.widgets.timeline.scope import why_no_timeline
from app.widgets.timeline.search_controls import CanvasSearch
from app.widgets.timeline.stage import ShownEdit
from app.widgets.timeline.words import about_slice

STATISTICS, HITS = "statistics", "found"
"""The panel that lists the hits of the search, and its table."""


class TimelinePanel(Panel, Copies, Searchable, HandlesEscape, RenamesNotes, ComparesTimelines):
    """The timeline panel; as a table, it has a row per visible slice. It also renames notes. With a baseline, the
    timeline of that lies below in ``halves``."""

    spec = SPECS["timeline"]
    compares = True

    def build(self) -> None:
        context = self.context
        self.canvas = TimelineCanvas(context.display, self)
        self.overview = Overview(self.canvas, context.display, self)
        self.bar = Bar(self)
        self.notice = UnitNotice(context.display, self)
        self.chips = FilterChips(self)
        self.line = SummaryLine(context.display, context.scope, self)
        self.scroller = QScrollBar(Qt.Orientation.Vertical, self)
        self.halves = QSplitter(Qt.Orientation.Vertical, self)
        self.search = CanvasSearch(self.bar.search, self.canvas, self, with_share=False)
        self.views = Views(context.document, self.canvas)
        self._link = Linking(context.document, self.canvas, self.overview, self.line, self.search)
        self._notes = Noting(context.document, self.canvas, self.overview, context.scope)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        upper = QWidget(self)
        self._beside = QWidget(upper)
        self._beside.setFixedWidth(self.scroller.sizeHint().width())
        self.halves.addWidget(row_of(self.canvas, self.scroller))
        self.comparing = Comparing(self.context, self.canvas, self.halves, upper)
        grid = QGridLayout(upper)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.notice, 0, 0, 1, 2)
        grid.addWidget(self.chips, 1, 0, 1, 2)
        grid.addWidget(self.overview, 2, 0)
        grid.addWidget(self._beside, 2, 1)  # the overview is as wide as the canvas
        grid.addWidget(self.halves, 3, 0, 1, 2)
        grid.setRowStretch(3, 1)
        grid.setColumnStretch(0, 1)
        self.lay_out((upper, 1), self.line, home=self.canvas, controls=self.bar)

    def _connect(self) -> None:
        document, canvas, bar, scope = self.context.document, self.canvas, self.bar, self.context.scope
        document.states.restored.connect(self._restored)
        document.matches.changed.connect(self._show_matches)
        canvas.range_dragged.connect(scope.set_live)
        canvas.view_changed.connect(self._viewed)
        canvas.filtered.connect(self._filtered)
        canvas.edited.connect(self._edited)
        canvas.path_changed.connect(self.line.refresh_colours)
        self.comparing.aligned.connect(self._aligned)
        self.comparing.viewed.connect(self._scroll_bars)
        self.comparing.matching.changed.connect(self._matched)
        bar.filter.lanes_wanted.connect(canvas.filtering.filter_lanes)
        bar.filter.hidden_wanted.connect(canvas.filtering.hide_names)
        bar.filter.lanes_shown.connect(canvas.arrangement.show_lanes)
        bar.filter.names_shown.connect(lambda: canvas.filtering.keep_names(frozenset()))
        bar.filter.hide_selected.connect(canvas.hide_selected)
        bar.filter.keep_selected.connect(canvas.keep_selected)
        self.chips.removed.connect(self._remove_filter)
        self.chips.all_removed.connect(canvas.show_all)
        bar.arrows.chosen.connect(canvas.show_flows)
        bar.pipes_only.connect(canvas.filtering.show_pipes_only)
        self.scroller.valueChanged.connect(self._scroll)
        self.search.searched.connect(scope.set_hits)
        self.search.searched.connect(self._searched)
        bar.list_wanted.connect(self._list_hits)
        bar.zoom.connect(canvas.zoom)
        bar.fit.connect(canvas.fit)
        bar.search.field.left.connect(canvas.setFocus)
        bar.rows.connect(self._set_rows)
        bar.fold.connect(self._fold)
        bar.colour_wanted.connect(self._offer_colours)
        self.line.legend.clicked.connect(lambda entry: canvas.filtering.keep_slots(entry.slots))
        bar.unit_wanted.connect(lambda place: self.commands_wanted.emit("time_unit", place))

    # -- which timeline -----------------------------------------------------------------------------------

    def why_empty(self, _: Profile | None) -> str:
        return why_no_timeline(self.context.document.current)

    def clear(self) -> None:
        self.comparing.end()
        self.views.show_entry(self.context.document.current_id)
        self._link.show_profile(self.profile)
        self.canvas.show_timeline(None)
        self._publish(None)
        self.chips.show_filters(())
        self._say_unit(None)
        self.bar.arrows.show_timeline(None, (), self.context.display.theme)

    def fill(self, profile: Profile) -> Iterator[None]:
        """Shows the profile's timeline in its saved state; a large one is built in pieces, and the display changes with
        the last of them."""
        entry, timeline = self.context.document.current_id, profile.timeline
        assert entry is not None
        assert timeline is not None
        shown = self.views.known(entry, timeline)
        if shown is None:
            model = self.context.scope.model_of(timeline)
            yield
            shown = self.views.make(entry, model, self.context.display.look)
            yield
        self.views.show_entry(entry)
        self._link.show_profile(profile)
        if self.canvas.shown is not shown:
            self.comparing.end()
        self.canvas.show_timeline(shown)
        self.views.show_path(profile, shown)
        self._say_state(shown)
        self._say_unit(profile)
        yield from self.comparing.show(self.comparison, shown)
        self._viewed()
        self._publish(shown)
        if not len(shown.model.rows.start) and not shown.contents.tracks:
            self.say_empty(self.lacks(tr("This timeline is empty: the file contains no slices or counters.")))
        self._notes.show_notes()
        self.search.matches = self.context.document.matches.of("slice")
        self.search.now()

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self._link.show_selection(selection, reveal)
        self.comparing.mark()

    def show_hover(self, hover: Selection | None) -> None:
        self._link.show_hover(hover)
        self.comparing.show_hover(self.canvas.stage.marks.pointed_at)

    def show_ranges(self, ranges: Ranges) -> None:
        self._link.show_ranges(ranges)
        self.comparing.show_range()

    def _restored(self, entry: int) -> None:
        """Applies the state that was restored from an earlier run."""
        shown = self.views.restored(entry)
        if shown is not None and shown is self.canvas.shown and self.profile is not None:
            self.canvas.show_timeline(shown)
            self.views.show_path(self.profile, shown)
            self._notes.show_notes()
            self._say_state(shown)
            self.search.now()

    # -- how it is shown ----------------------------------------------------------------------------------

    def _say_state(self, shown: Shown) -> None:
        """Updates the bar to the state of the timeline."""
        theme = self.context.display.theme
        self.bar.set_rows(shown.lanes.rows_as)
        self.bar.arrows.show_timeline(shown.model.timeline, shown.flows.names, theme)
        sync = frozenset(name for name in SYNC_NAMES if len(shown.model.timeline.strings.find(name)))
        contents, hidden = shown.contents, shown.lanes.any_hidden
        self.bar.filter.show_names(contents.hidden, contents.only, sync)
        self.bar.filter.show_lanes(shown.lanes.filter, theme, hidden=hidden)
        own = contents.colours
        self.bar.show_colours(own.wanted, own.by, why_colours(own))
        noise = contents.noise
        self.bar.show_pipes(shown.has_pipes, "" if noise is None else noise.text)
        self.chips.show_filters(acting_filters(shown))

    def _remove_filter(self, kind: str) -> None:
        """Shows what a chip's filter left out."""
        canvas = self.canvas
        if kind == "lanes":
            canvas.filtering.filter_lanes("")
        elif kind == "hidden_lanes":
            canvas.arrangement.show_lanes()
        elif kind == "names":
            canvas.filtering.hide_names(frozenset())
        elif kind == "only":
            canvas.filtering.keep_names(frozenset())
        elif kind == "colours":
            canvas.filtering.show_colours()
        else:
            canvas.filtering.show_pipes_only(False)
        canvas.setFocus()  # the chip is gone

    def _say_unit(self, profile: Profile | None) -> None:
        """Updates what the heading says of the unit of times."""
        text = button_text(None if profile is None else profile.timeline)
        self.bar.set_unit(text, tr("Time unit of the file; click to change it"))
        self.notice.show_profile(profile)

    def _filtered(self) -> None:
        """Handles a change of filters."""
        if self.canvas.shown is not None:
            self._say_state(self.canvas.shown)
            self.comparing.follow_filters()
            self.line.say()
            self.line.refresh_colours()
            self.context.scope.follow("pipes")
            self.search.now()

    def _edited(self, edit: ShownEdit) -> None:
        """Lets the user undo what was done to the timeline."""
        entry = self.context.document.current_id
        assert entry is not None
        undo, redo = (partial(self._change, entry, change) for change in (edit.undo, edit.redo))
        self.context.document.edits.add(Edit(edit.what, undo, redo, LANES if edit.numbered else ""))

    def _change(self, entry: int, change: Callable[[Shown], object]) -> None:
        """Undoes or redoes something; the panel may be behind others, and show another profile until it is seen."""
        shown = self.views.of(entry)
        if shown is not None:
            change(shown)
            if shown is self.canvas.shown:
                self.canvas.filtering.draw_others(shown)

    def _searched(self) -> None:
        """Brings the same slices of the baseline forward."""
        self.comparing.search(self.bar.search.wanted() if self.search.active else None)

    def _show_matches(self) -> None:
        """Brings the slices forward that the search of everything matches."""
        if self.profile is not None and self._link.profile is self.profile:
            self.search.show_matches(self.context.document.matches.of("slice"))

    def _aligned(self) -> None:
        """Handles a baseline that lies elsewhere: the overview reaches as far as both do."""
        self.overview.forget()
        self.context.scope.set_baseline(self.comparing.side(), refill=not self.filling)
        self.line.say()
        self._viewed()

    def show_look(self, look: Look) -> None:
        self.views.set_look(look)
        self.line.refresh_colours()
        if self.canvas.shown is not None:
            self._say_state(self.canvas.shown)
        self._viewed()

    def _viewed(self) -> None:
        """Handles a change of the visible part: updates the scroll bar and the bar above."""
        shown = self.canvas.shown
        if shown is None:
            return
        bounds, view, clock, look = shown.bounds, shown.view, shown.model.clock, self.context.display.look
        self._scroll_bars()
        start, end = max(view.start, bounds.start), min(view.end, bounds.end)
        self.bar.set_view(
            clock.stretch(start, end, look),
            tr("In view: {start} to {end}", start=clock.exactly(start), end=clock.exactly(end)),
        )
        self.views.moved()

    def _scroll_bars(self) -> None:
        """Updates the scroll bars to the rows in view."""
        shown = self.canvas.shown
        if shown is not None:
            set_scroller(self.scroller, shown)
            scrolls = self.comparing.show_scroller(needed=needs_scrolling(shown))
            self.scroller.setVisible(scrolls)
            self._beside.setVisible(scrolls)

    def _offer_colours(self, place: object) -> None:
        """Opens the menu of what colours can go by, which is for the canvas that had the focus last."""
        self.canvas.setFocus()
        self.commands_wanted.emit("colour_by", place)

    def _set_rows(self, rows_as: str) -> None:
        if self.canvas.shown is not None:
            self.canvas.shown.lanes.set_rows(rows_as)
            self.comparing.set_rows(rows_as)

    def _fold(self, fold: bool) -> None:
        if self.canvas.shown is not None:
            self.canvas.stage.arrange(
                tr("collapse all") if fold else tr("expand all"), lambda lanes: lanes.fold_all(fold)
            )
            self.comparing.fold_all(fold)

    def _scroll(self, top: int) -> None:
        if self.canvas.shown is not None:
            self.canvas.shown.navigation.scroll_to(top)

    # -- for other panels ---------------------------------------------------------------------------------

    def _publish(self, shown: Shown | None) -> None:
        """Passes the timeline on to the line below and to the statistics."""
        self.line.show_timeline(shown)
        side = None if shown is None else self.comparing.side()
        self.context.scope.show(shown, side)

    def _matched(self) -> None:
        """Handles new matches with the baseline: figures of lanes change."""
        if self.context.scope.baseline is not None:
            self.context.scope.follow("lanes")
            self.context.scope.follow("only")

    def _list_hits(self) -> None:
        """Lists the hits of the search in the statistics."""
        self.context.scope.want_table(HITS)
        self.panel_wanted.emit(STATISTICS)

    # -- abilities ----------------------------------------------------------------------------------------

    def start_find(self) -> None:
        """Moves the focus to the search field."""
        self.bar.search.start()

    def handle_escape(self) -> bool:
        """Cancels a drag in the overview, or clears the search."""
        return self.overview.cancel() or self.bar.search.clear()

    def find_step(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) slice whose name matches."""
        self.search.step(direction)

    def rename_note(self) -> None:
        """Starts editing the name of the selected note on the canvas."""
        self._notes.rename()

    def tabular(self) -> Tabular:
        return self

    def shown_table(self) -> Table | None:
        """The slices as a table: a row per slice."""
        return None if self._link.profile is None else slice_table(self._link.profile)

    def shown_rows(self) -> I64 | None:
        """The visible slices."""
        return None if self.canvas.shown is None else slices_in_sight(self.canvas.shown)

    def rows_text(self) -> str:
        return tr("Only slices in view.")

    def selected_rows(self) -> I64:
        """The selected slices."""
        return self.canvas.selected

    def copy_text(self) -> str:
        """The tool tip of the selected slice."""
        shown, chosen = self.canvas.shown, self.canvas.selected
        return about_slice(shown, int(chosen[0])) if shown is not None and len(chosen) == 1 else ""

    def picture(self) -> HasPicture:
        return self

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws the visible part; the panel's plot for export draws the whole timeline."""
        look = replace(self.context.display.look, theme=theme)
        below = self.comparing.picture()
        if below is None:
            self.canvas.draw(painter, place, look)
        else:
            draw_pair(painter, place, self.canvas, below, look)

    def picture_size(self) -> tuple[int, int]:
        """Size of the canvas (or of both) with a legend."""
        below = self.comparing.picture()
        height = self.canvas.height() if below is None else self.halves.height()
        return self.canvas.width(), height + LEGEND

    # -- with a baseline ----------------------------------------------------------------------------------

    @property
    def can_step_difference(self) -> bool:
        return self.comparing.links is not None and self.comparing.links.can_step

    def step_difference(self, direction: int) -> None:
        if self.comparing.links is not None:
            self.comparing.links.step_difference(direction)

    @property
    def can_align(self) -> bool:
        return self.comparing.can_align

    def align_here(self, *, end: bool = False) -> None:
        self.comparing.align_here(end=end)

    @property
    def can_align_with_selected(self) -> bool:
        return self.comparing.can_align_with_selected

    def align_with_selected(self, *, end: bool = False) -> None:
        self.comparing.align_with_selected(end=end)
