"""What clicks, keys and context menus choose on a timeline: slices, lanes, notes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.language import tr
from app.views.timeline.bands import Band
from app.views.timeline.state import Shown
from app.widgets.abilities import ITEM, LaneArrangement
from app.widgets.timeline.pick import (
    Hit,
    beside_row,
    end_of_row,
    first_lane_seen,
    first_seen,
    lanes_from,
    neighbour,
    neighbour_band,
)
from app.widgets.timeline.stage import Stage


class Choosing(QObject):
    """Signals: ``chosen`` (slice index or None: clicked, stepped to), ``toggled`` (slice index: added to those that are
    selected, or removed), ``lanes_chosen`` (lane indices, and whether besides those that are selected), ``note_chosen``
    (index or None)."""

    chosen = Signal(object)
    toggled = Signal(int)
    lanes_chosen = Signal(object, bool)
    note_chosen = Signal(object)

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage

    def click(self, at: Hit, *, add: bool, extend: bool = False) -> None:
        """A click selects a slice, a lane or the lanes of a process (``add``: besides those that are selected,
        ``extend``: all from the selected one to this), folds (on a triangle) a lane or process, or (on nothing) clears
        the selection."""
        if at.zone == "notes":
            self.note_chosen.emit(at.note)
        elif at.zone == "pin" and at.band is not None:
            self.pin(at.band.index)
        elif at.zone == "fold":
            self.fold(at.band)
        elif at.zone == "names" and at.band is not None:
            if extend and self._stage.marks.lanes and self._stage.shown is not None:
                lanes = lanes_from(self._stage.shown, self._stage.marks.lanes[0], at.band)
                self.lanes_chosen.emit(lanes, False)
            else:
                self._choose_band(at.band, add=add)
        elif at.zone == "body":
            self.chosen.emit(at.index)

    def pin(self, lane: int | None) -> None:
        """Pins a lane, or unpins it."""
        if self._stage.shown is not None and lane is not None:
            pinned = lane in self._stage.shown.lanes.choice.pins
            self._stage.arrange(tr("unpin lane") if pinned else tr("pin lane"), lambda lanes: lanes.toggle_pin(lane))

    def fold(self, band: Band | None) -> None:
        """Folds a process or a lane of several rows, or unfolds it."""
        if band is not None:
            what = tr("expand") if band.folded else tr("collapse")
            self._stage.arrange(what, lambda lanes: lanes.toggle_fold(band))

    def step_item(self, direction: int, *, held: bool) -> bool:
        """Selects the next (+1) or previous (-1) slice of the row, keeping the zoom; False if there is none."""
        shown, selected = self._stage.shown, self._stage.selected
        if shown is None:
            return False
        index = neighbour(shown, int(selected[0]), direction) if len(selected) else self._beginning(shown)
        self._choose_slice(index, held=held)
        return index is not None

    def step_to_end(self, direction: int) -> None:
        """Selects the first (-1) or last (+1) slice of the row of the selected one."""
        shown, selected = self._stage.shown, self._stage.selected
        if shown is not None:
            begin = int(selected[0]) if len(selected) else self._beginning(shown)
            self._choose_slice(None if begin is None else end_of_row(shown, begin, direction))

    def walk(self, direction: int, *, held: bool) -> bool:
        """Selects the slice above (-1) or below (+1) the selected one on its lane, else the next lane."""
        shown, selected = self._stage.shown, self._stage.selected
        index = beside_row(shown, int(selected[0]), direction) if shown is not None and len(selected) == 1 else None
        if index is not None:
            self._choose_slice(index, held=held)
        elif self._stage.one_lane:
            self.enter_lane()
        else:
            self.step_lane(direction, held=held)
        return True

    def enter_lane(self) -> None:
        """Selects the first slice in sight of the selected lane, or of all."""
        shown = self._stage.shown
        if shown is not None and not len(self._stage.selected):
            self._choose_slice(self._beginning(shown))

    def _beginning(self, shown: Shown) -> int | None:
        """The slice where stepping begins: the first in sight of the selected lane, or of all."""
        lanes = self._stage.marks.lanes
        own = first_seen(shown, lanes[0]) if lanes else None
        return first_seen(shown) if own is None else own

    def _choose_slice(self, index: int | None, *, held: bool = False) -> None:
        if index is not None and self._stage.shown is not None:
            self.chosen.emit(index)
            self._stage.shown.navigation.reveal(index, held=held)

    def step_lane(self, direction: int, *, held: bool) -> None:
        """Selects the lane (or the lanes of the folded process) below (+1) or above (-1) the selected one, or that of
        the selected slice; where nothing is selected, the first in sight. Where the pointer rests no longer matters
        until it moves."""
        shown = self._stage.shown
        if shown is None:
            return
        self._stage.here = None
        now = self._stage.current_lane()
        band = first_lane_seen(shown) if now is None else neighbour_band(shown, now, direction)
        if band is not None:
            self._choose_band(band)
            shown.navigation.reveal_band(band, held=held)

    def choose_lane(self) -> None:
        """Selects the lane that is meant."""
        lane = self._stage.current_lane()
        if lane is not None:
            self.lanes_chosen.emit((lane,), False)

    def thing(self, at: Hit | None) -> tuple[str, ...]:
        """Chooses what lies under the pointer (None: a menu opened by a key) unless it is chosen already; places of the
        command list: a slice, a lane, a note, the range, or a moment."""
        self._stage.here = at
        if at is None:
            return self._thing_chosen()
        if at.index is not None:
            if at.index not in self._stage.selected:
                self.chosen.emit(at.index)
            return (ITEM, *self._in_range(at), "time")
        if at.note is not None:
            self.note_chosen.emit(at.note)
            return ("note", *self._in_range(at))
        if at.zone in ("names", "pin", "fold"):
            if at.band is None or at.band.kind != "lane":
                return (at.band.kind,) if at.band is not None else ()
            if at.band.index not in self._stage.marks.lanes:
                self._choose_band(at.band)
            return (ITEM,)
        return () if at.zone in ("corner", "border") else (*self._in_range(at), "time")

    def _thing_chosen(self) -> tuple[str, ...]:
        """What is selected; a new note is chosen beside it."""
        stage = self._stage
        ranged = ("range",) if stage.range is not None else ()
        noted = ("note",) if stage.shown is not None and stage.shown.notes.chosen is not None else ()
        if len(stage.selected) or stage.marks.lanes:
            return (ITEM, *noted, *ranged, "time")
        return (*noted, *ranged) if noted else (*ranged, "time")

    def _in_range(self, at: Hit) -> tuple[str, ...]:
        """ "range" where the moment lies in it."""
        stretch = self._stage.range
        inside = stretch is not None and stretch.start <= at.time <= stretch.end
        return ("range",) if inside or at.zone in ("start", "end") else ()

    def _choose_band(self, band: Band, *, add: bool = False) -> None:
        """Selects a lane, or all lanes of a process."""
        lanes = self._stage.shown.lanes.lanes_of(band) if self._stage.shown is not None else ()
        if lanes:
            self.lanes_chosen.emit(lanes, add)


class Arranging(QObject, LaneArrangement):
    """Signal ``filtered`` when other lanes are left out."""

    filtered = Signal()

    def __init__(self, stage: Stage, choosing: Choosing, parent: QObject) -> None:
        super().__init__(parent)
        self._stage, self._choosing = stage, choosing

    def can_hide(self) -> bool:
        return bool(self._meant())

    def hide_lanes(self) -> None:
        meant = self._meant()
        if meant:
            self._stage.arrange(tr("hide lanes"), lambda lanes: lanes.hide_bands(meant))
            self._stage.here = None
            self.filtered.emit()

    def show_lanes(self) -> None:
        """Shows all lanes that were hidden one by one."""
        if self._stage.shown is not None and self._stage.shown.lanes.any_hidden:
            self._stage.arrange(tr("show lanes"), lambda lanes: lanes.hide(frozenset()))
            self.filtered.emit()

    def can_move(self, direction: int) -> bool:
        band = self._carried()
        shown = self._stage.shown
        return shown is not None and band is not None and shown.lanes.next_drop(band, direction) is not None

    def move_lane(self, direction: int) -> None:
        """Moves the lane or process, which is then selected, so that it is the one that moves next time, too."""
        shown, band = self._stage.shown, self._carried()
        drop = None if shown is None or band is None else shown.lanes.next_drop(band, direction)
        if shown is None or band is None or drop is None:
            return
        self._stage.arrange(tr("move lane"), lambda lanes: lanes.move(band, drop))
        self._stage.here = None
        lanes = shown.lanes.lanes_of(band)
        self._choosing.lanes_chosen.emit(lanes, False)
        now = shown.layout.lane_bands.get(lanes[0]) if lanes else None
        if now is not None:
            shown.navigation.reveal_band(now)

    @property
    def any_moved(self) -> bool:
        return self._stage.shown is not None and self._stage.shown.lanes.any_moved

    def restore_order(self) -> None:
        self._stage.arrange(tr("order of lanes"), lambda lanes: lanes.restore_order())

    # -- which ones ---------------------------------------------------------------------------------------

    def _meant(self) -> tuple[Band, ...]:
        """What lies under the pointer (all selected lanes, where it is one of them), else what is selected."""
        shown, here, chosen = self._stage.shown, self._stage.here, self._stage.marks.lanes
        if shown is None:
            return ()
        pointed = None if here is None else here.band
        if pointed is not None and not (pointed.kind == "lane" and pointed.index in chosen):
            return (pointed,)
        lane = self._stage.current_lane()
        bands = (shown.layout.lane_bands.get(one) for one in chosen or (() if lane is None else (lane,)))
        return tuple(dict.fromkeys(band for band in bands if band is not None))

    def _carried(self) -> Band | None:
        """The selected lane, or the process whose lanes are selected, else what lies under the pointer."""
        shown, here, chosen = self._stage.shown, self._stage.here, self._stage.marks.lanes
        if shown is None:
            return None
        process = self._stage.process_meant() if len(chosen) > 1 else None
        if process is not None and set(chosen) == set(shown.lanes.lanes_of(process)):
            return process
        if chosen:
            return shown.layout.lane_bands.get(chosen[0])
        return None if here is None else here.band
