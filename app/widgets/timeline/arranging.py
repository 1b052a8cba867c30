"""Hiding lanes and moving them to another place, by commands."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.views.timeline.bands import Band
from app.widgets.abilities import LaneArrangement
from app.widgets.timeline.choosing import Choosing
from app.widgets.timeline.stage import Stage


class Arranging(QObject, LaneArrangement):
    """Signal ``filtered`` when other lanes are left out."""

    filtered = Signal()

    def __init__(self, stage: Stage, choosing: Choosing, parent: QObject) -> None:
        super().__init__(parent)
        self._stage, self._choosing = stage, choosing

    def can_hide(self) -> bool:
        return bool(self._meant())

    def hide_lanes(self) -> None:
        if self._stage.shown is not None:
            for band in self._meant():
                self._stage.shown.lanes.hide_band(band)
            self._stage.here = None
            self.filtered.emit()

    def show_lanes(self) -> None:
        """Shows all lanes that were hidden one by one."""
        if self._stage.shown is not None and self._stage.shown.lanes.any_hidden:
            self._stage.shown.lanes.hide(frozenset())
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
        shown.lanes.move(band, drop)
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
        if self._stage.shown is not None:
            self._stage.shown.lanes.restore_order()

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
