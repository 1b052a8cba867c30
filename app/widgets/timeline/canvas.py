"""The timeline as a widget: it owns the parts and hands them what comes from mouse, keyboard, commands and panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.analysis.timeline.times import flows_of
from app.language import tr
from app.profile.arrays import I64, Bool
from app.profile.file_state import TimeNote
from app.profile.selection import TimeRange
from app.views.look import Look
from app.views.texts import shown_line
from app.views.timeline import view as views
from app.views.timeline.body import Several
from app.views.timeline.colouring import offered
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.filters import acting_filters
from app.views.timeline.state import Shown, nobody, restore, saved_state
from app.widgets.abilities import (
    ArrangesLanes,
    ColoursSlices,
    HandlesEscape,
    HasItemMenus,
    HasLanes,
    HasViewState,
    HidesSlices,
    PinsLanes,
    ShowsCriticalPath,
    TakesNotes,
    ZoomsToRange,
)
from app.widgets.announce import announce
from app.widgets.canvas import Canvas, why_no_item
from app.widgets.display import Display
from app.widgets.timeline.choosing import Arranging, Choosing
from app.widgets.timeline.filtering import Filtering, Preparation
from app.widgets.timeline.flow_arrows import MOST_ARROWS
from app.widgets.timeline.gestures import Gestures
from app.widgets.timeline.labels import LabelCache
from app.widgets.timeline.marks import Marks
from app.widgets.timeline.note_taking import NoteTaking
from app.widgets.timeline.painting import Painting
from app.widgets.timeline.picture import draw_view
from app.widgets.timeline.stage import Stage
from app.widgets.timeline.words import describe, selected_words, total
from app.widgets.tips import tip

if TYPE_CHECKING:
    from app.analysis.time.model import TimeModel
    from app.analysis.view_links.view_link import ViewState
    from app.profile.timeline import Timeline
    from app.views.timeline.colour_choice import ColourBy


class TimelineCanvas(
    QWidget,
    HandlesEscape,
    TakesNotes,
    PinsLanes,
    HasLanes,
    ArrangesLanes,
    HasItemMenus,
    HasViewState,
    ZoomsToRange,
    HidesSlices,
    ColoursSlices,
    ShowsCriticalPath,
    Canvas,
):
    """``stage``: the timeline and what is selected of it; ``choosing``: what clicks and keys choose; ``arrangement``:
    hiding and moving lanes; ``filtering``: leaving slices and lanes out; ``notes``: making and naming notes;
    ``gestures``: what the mouse does; ``painting``: the picture; ``preparation``: what is made in idle moments.
    ``shown.navigation`` moves the view, ``shown.lanes`` folds and pins: the canvas follows. Has the abilities Canvas,
    TakesNotes, PinsLanes, HasLanes, ArrangesLanes, HidesSlices, ColoursSlices, ShowsCriticalPath,
    HasItemMenus, HasViewState, ZoomsToRange and HandlesEscape.

    Signals: ``view_changed`` (), also when rows fold; ``chosen`` (slice index or None: clicked, stepped to);
    ``lanes_chosen`` (lane indices, and whether besides those that are selected); ``pointed`` (slice index or None
    under the pointer); ``range_chosen`` (TimeRange or None); ``range_dragged`` (the same, while it is drawn);
    ``filtered`` when other things are left out; ``path_changed`` when the critical path is shown, or no longer;
    ``argument_wanted`` to choose the argument that colours go by;
    ``edited`` (ShownEdit) when a person folded, pinned, hid or moved lanes, or hid slices."""

    view_changed = Signal()
    chosen = Signal(object)
    lanes_chosen = Signal(object, bool)
    pointed = Signal(object)
    range_chosen = Signal(object)
    range_dragged = Signal(object)
    filtered = Signal()
    path_changed = Signal()
    argument_wanted = Signal()
    edited = Signal(object)
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline-canvas")
        self.setAccessibleName(tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 96)
        self.setMouseTracking(True)
        self.stage = Stage(edited=self.edited.emit)
        self.painting = Painting(LabelCache(self.font()))
        self.preparation = Preparation(self.stage, self)
        self.notes = NoteTaking(self.stage, self)
        self.choosing = Choosing(self.stage, self)
        self.arrangement = Arranging(self.stage, self.choosing, self)
        self.filtering = Filtering(self.stage, self.preparation, self)
        self.gestures = Gestures(self.stage, self.choosing, self.notes, self)
        self._display = display
        self.preparation.progressed.connect(self.redraw)
        self.choosing.chosen.connect(self.chosen)
        self.choosing.lanes_chosen.connect(self.lanes_chosen)
        self.arrangement.filtered.connect(self.filtered)
        self.filtering.filtered.connect(self._filter)
        self.gestures.pointed.connect(self.pointed)
        self.gestures.range_chosen.connect(self.range_chosen)
        self.gestures.range_dragged.connect(self.range_dragged)
        self.gestures.marked.connect(self.update)
        display.changed.connect(self._look_changed)

    # -- how it is shown ----------------------------------------------------------------------------------

    def view_state(self) -> ViewState:
        return {} if self.shown is None else saved_state(self.shown)

    def restore_view(self, saved: ViewState) -> None:
        if self.shown is not None:
            restore(self.shown, saved)
            self.filtered.emit()
            self._changed()

    # -- what is shown ------------------------------------------------------------------------------------

    @property
    def shown(self) -> Shown | None:
        """The timeline that is shown."""
        return self.stage.shown

    def show_timeline(self, shown: Shown | None) -> None:
        """Another timeline, in the state it was left in; None: none."""
        stage = self.stage
        if shown is not stage.shown:
            self.gestures.cancel()
        if stage.shown is not None:
            stage.shown.changed = nobody
        stage.shown, stage.selected = shown, stage.selected[:0]
        stage.marks = Marks(focused=self.hasFocus(), range=stage.range)
        self.painting.labels.forget()
        if shown is not None:
            shown.set_look(self._display.look)
            shown.set_text(self.painting.labels.metrics.height())
            self._fit_size(shown)
            shown.changed = self._changed
            self.preparation.start()
            self.setAccessibleDescription(shown_line(total(shown)))
        self._changed()

    @property
    def selected(self) -> I64:
        """The selected slices, rising."""
        return self.stage.selected

    def set_selected(self, index: I64, lanes: tuple[int, ...] = ()) -> None:
        """Slices (rising indices) and lanes that are selected, here or anywhere."""
        shown = self.shown
        if shown is None:
            return
        self.stage.selected = index
        one = int(index[0]) if len(index) == 1 else None
        flows = () if one is None else tuple(flows_of(shown.model.timeline, one)[:MOST_ARROWS].tolist())
        self._mark(selected=one, flows=flows, lanes=lanes)
        if shown.contents.choose(index):
            self._prepare()
        announce(self, selected_words(shown, one, lanes))

    def set_hovered(self, index: I64 | tuple[int, ...]) -> None:
        """The slices (rising) that are pointed at, here or anywhere."""
        if len(index) > 1:
            self._mark(hovered=(), several=Several(np.asarray(index, np.int64)))
        else:
            self._mark(hovered=tuple(map(int, index)))

    def set_range(self, stretch: TimeRange | None) -> None:
        """The range that statistics follow."""
        self.stage.range = stretch
        self._mark(range=stretch)
        if self.shown is not None:
            self.shown.contents.measure(stretch)
            self.preparation.start()

    def set_search(self, matched: Bool | None) -> I64 | None:
        """Brings matching slices (bool[slices]) forward; None ends the search. Returns their indices."""
        if self.shown is None:
            return None
        hits = self.shown.search(matched)
        self._prepare()
        return hits

    def show_counterpart(self, counterpart: Counterpart) -> None:
        """Marks what differs from the timeline that this one is compared with."""
        if self.shown is not None:
            self.shown.set_counterpart(counterpart)
            self._prepare()

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """The notes of the timeline that is shown."""
        if self.shown is not None:
            before = len(self.shown.notes.notes)
            self.shown.set_notes(notes, chosen)
            if before != len(notes):
                self.redraw()  # their number stands beside the ruler
            self.update()

    def show_flows(self, names: tuple[str, ...]) -> None:
        """Draws the arrows of these categories, besides those of the selection."""
        if self.shown is not None:
            self.shown.flows.show(names)
            self._changed()

    def reveal(self, index: int) -> None:
        """Brings a slice to view, keeping the zoom."""
        if self.shown is not None:
            self.shown.navigation.reveal(index, held=self.held)

    def reveal_lane(self, lane: int) -> None:
        """Unfolds the process of a lane, drops what leaves it out, and scrolls to it."""
        if self.shown is not None:
            if lane in self.shown.lanes.noisy:
                self.filtering.show_pipes_only(False)
            if lane in self.shown.lanes.hidden:
                self.shown.lanes.show_lane(lane)
                self.filtered.emit()
            if self.shown.lanes.left_out(lane):
                self.filtering.filter_lanes("")
            self.shown.navigation.reveal_lane(lane, held=self.held)

    # -- app.widgets.canvas.Canvas ------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        if self.shown is not None:
            scene = self.shown.scene()
            x = self.mapFromGlobal(self.cursor().pos()).x() if self.underMouse() else -1
            over = scene.body.x <= x <= scene.body.x + scene.body.width
            moment = scene.time(x) if over else (scene.view.start + scene.view.end) / 2
            self.shown.navigation.zoom_at(moment, factor, held=self.held)

    def pan(self, fraction: float) -> None:
        if self.shown is not None:
            self.shown.navigation.pan(fraction, held=self.held)

    def scroll_rows(self, rows: int) -> None:
        if self.shown is not None:
            self.shown.navigation.scroll_rows(rows, held=self.held)

    def fit(self) -> None:
        if self.shown is not None:
            self.shown.navigation.fit()

    def focus_selection(self) -> None:
        """Brings the selection (else the range) to view; a second call in a row shows everything."""
        if self.shown is not None:
            one = int(self.selected[0]) if len(self.selected) else None
            self.shown.navigation.focus_stretch(self.stage.chosen_stretch() or self.stage.range, one)

    def back(self) -> None:
        if self.shown is not None:
            self.shown.navigation.back()

    def forward(self) -> None:
        if self.shown is not None:
            self.shown.navigation.forward()

    def step_item(self, direction: int) -> str:
        found = self.choosing.step_item(direction, held=self.held)
        return "" if found else why_no_item(direction, selected=bool(len(self.selected)))

    def walk(self, across: int, down: int) -> bool:
        """Up and down select slices on the rows of a lane, and lanes; sideways the view moves."""
        return not across and abs(down) == 1 and self.choosing.walk(down, held=self.held)

    def walk_to_end(self, direction: int) -> None:
        self.choosing.step_to_end(direction)

    def choose(self, *, adding: bool) -> None:  # noqa: ARG002
        self.choosing.enter_lane()

    def selection_to_range(self) -> None:
        """Makes the extent of the selected slices or lanes, or of the chosen note, the range."""
        stretch = self.stage.chosen_stretch()
        if stretch is not None and stretch.end > stretch.start:
            self.range_chosen.emit(stretch)

    # -- app.widgets.abilities: TakesNotes, HidesSlices, ZoomsToRange, HandlesEscape ----------------------------

    def note_selection(self) -> None:
        self.notes.note_selection()

    def note_here(self) -> None:
        self.notes.note_here()

    def hide_selected(self) -> None:
        self.filtering.hide_selected()

    def keep_selected(self) -> None:
        self.filtering.keep_selected()

    def show_all(self) -> None:
        self.filtering.end()
        self.arrangement.show_lanes()

    @property
    def anything_hidden(self) -> bool:
        return self.filtering.any

    @property
    def can_show_pipes_only(self) -> bool:
        return self.filtering.has_pipes

    @property
    def pipes_only(self) -> bool:
        return self.filtering.pipes_only

    def toggle_pipes_only(self) -> None:
        self.filtering.show_pipes_only(not self.pipes_only)

    @property
    def colour_by(self) -> ColourBy | None:
        return None if self.shown is None or self.stage.one_lane else self.shown.contents.colours.wanted

    def can_colour_by(self, wanted: ColourBy) -> bool:
        return self.shown is not None and wanted in offered(self.shown.model.timeline)

    def set_colour_by(self, wanted: ColourBy) -> None:
        if wanted == "argument":
            self.argument_wanted.emit()
        else:
            self.filtering.colour(wanted)

    def zoom_to_range(self) -> None:
        if self.shown is not None and self.stage.range is not None:
            self.shown.navigation.focus_stretch(self.stage.range)

    def handle_escape(self) -> bool:
        """A drag: what it drew is forgotten."""
        return self.gestures.cancel()

    @property
    def path_timeline(self) -> Timeline | None:
        return None if self.shown is None or self.stage.one_lane else self.shown.model.timeline

    @property
    def path_shown(self) -> bool:
        return self.shown is not None and self.shown.path is not None

    def show_path(self, time: TimeModel | None) -> None:
        if self.shown is not None and (time is None or time.timeline is self.path_timeline):
            self.shown.show_path(time)
            self.path_changed.emit()

    # -- app.widgets.abilities: PinsLanes, HasLanes -----------------------------------------------------

    def current_lane(self) -> int | None:
        return self.stage.current_lane()

    def lane_to_pin(self) -> int | None:
        return self.stage.lane_to_pin()

    def toggle_pin(self) -> None:
        self.choosing.pin(self.lane_to_pin())

    @property
    def why_no_pin(self) -> str:
        here = self.stage.here
        counter = here is not None and here.band is not None and here.band.kind == "counter"
        return tr("Counters cannot be pinned, only lanes of slices") if counter and self.lane_to_pin() is None else ""

    def unpin_all(self) -> None:
        self.stage.arrange(tr("unpin all lanes"), lambda lanes: lanes.unpin_all())

    @property
    def any_pinned(self) -> bool:
        return self.shown is not None and bool(self.shown.lanes.choice.pins)

    def step_lane(self, direction: int) -> None:
        self.choosing.step_lane(direction, held=self.held)

    def choose_lane(self) -> None:
        self.choosing.choose_lane()

    def can_fold(self) -> bool:
        return self.stage.fold_meant() is not None

    def toggle_fold(self) -> None:
        self.choosing.fold(self.stage.fold_meant())

    def can_fold_process(self) -> bool:
        return self.stage.process_meant() is not None

    def toggle_process(self) -> None:
        self.choosing.fold(self.stage.process_meant())

    # -- app.widgets.abilities.HasItemMenus ----------------------------------------------------------------

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A slice, a lane, a note, the range, or a moment; what is not selected yet is selected."""
        if self.shown is None:
            return ()
        return self.choosing.thing(None if point is None else self.gestures.hit(self.shown, QPointF(point)))

    # -- mouse --------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.gestures.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.gestures.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.gestures.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.gestures.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.gestures.wheel(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.gestures.leave()

    # -- painting and other events ------------------------------------------------------------------------

    def redraw(self) -> None:
        """The data must be painted again."""
        self.painting.image = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        with QPainter(self) as painter:
            if self.shown is None:
                painter.fillRect(self.rect(), self.palette().base())
            else:
                self.painting.paint(painter, self.shown.scene(), self.stage.marks, self.devicePixelRatioF())

    def draw(self, painter: QPainter, place: QRectF, look: Look) -> None:
        """The part in view with its marks, and a legend below, into ``place``."""
        if self.shown is not None:
            draw_view(painter, place, self.shown, self.picture_marks(), look)

    def picture_marks(self) -> Marks:
        """The marks that a picture shows: not those of pointer and keyboard."""
        return self.stage.marks.of_picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shown is not None:
            self._fit_size(self.shown)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._mark(focused=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._mark(focused=False)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.tip_at(event.pos())), self)
            return True
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1.0 + event.value())
            return True
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self.painting = Painting(LabelCache(self.font()))
            if self.shown is not None:
                self.shown.set_text(self.painting.labels.metrics.height())
            self._changed()
        return super().event(event)

    def tip_at(self, point: QPoint) -> str:
        """What the tooltip says at a point of the widget."""
        return "" if self.shown is None else describe(self.shown, self.gestures.hit(self.shown, QPointF(point)))

    # -- within -------------------------------------------------------------------------------------------

    def _fit_size(self, shown: Shown) -> None:
        """The picture is as large as the widget; what showed everything still does."""
        everything = shown.navigation.shows_everything
        shown.lanes.resize(self.width(), self.height())
        shown.lanes.fold_to_fit(again=not self._touched(shown))
        if everything:
            shown.navigation.show(replace(views.whole(shown.bounds), top=shown.view.top))

    def _touched(self, shown: Shown) -> bool:
        """Whether a person moved, selected or left out anything: lanes then stay where they are in another size, such
        as that beside the chip of a filter."""
        chosen = len(self.selected) > 0 or bool(self.stage.marks.lanes)
        return chosen or bool(shown.navigation.history.past) or bool(acting_filters(shown))

    def _changed(self) -> None:
        """The view or the layout is another one."""
        self.redraw()
        self.view_changed.emit()
        self.gestures.follow()

    def _prepare(self) -> None:
        """There is something to do in idle moments, and to see."""
        self.preparation.start()
        self.redraw()

    def _filter(self) -> None:
        if self.shown is not None:
            self.setAccessibleDescription(shown_line(total(self.shown)))
        self.filtered.emit()

    def _mark(self, **changes: object) -> None:
        if self.stage.mark(**changes):
            self.update()

    def _look_changed(self, look: Look) -> None:
        if self.shown is not None:
            self.shown.set_look(look)
        self.redraw()
