"""Leaving slices and lanes out of a timeline's picture, by commands and controls."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from app.language import tr
from app.views.timeline.colour_choice import ColourBy
from app.views.timeline.colouring import Colours
from app.views.timeline.filters import acting_filters
from app.views.timeline.state import Shown
from app.widgets.timeline.stage import Stage


class Filtering(QObject):
    """Signal ``filtered`` when other things are left out."""

    filtered = Signal()

    def __init__(self, stage: Stage, preparation: Preparation, parent: QObject) -> None:
        super().__init__(parent)
        self._stage, self._preparation = stage, preparation

    def hide_names(self, names: frozenset[str]) -> None:
        """Slices of these names, and no others, are left out."""
        shown = self._stage.shown
        if shown is not None and self._stage.leave_out(tr("hide slices"), names, shown.contents.only):
            self.draw_others(shown)

    def keep_names(self, names: frozenset[str]) -> None:
        """Slices of other names are left out, unless there are no ``names``."""
        shown = self._stage.shown
        if shown is not None and self._stage.leave_out(tr("hide slices"), shown.contents.hidden, names):
            self.draw_others(shown)

    def hide_selected(self) -> None:
        shown, selected = self._stage.shown, self._stage.selected
        if shown is not None and len(selected):
            self.hide_names(shown.contents.hidden | shown.model.names_of(selected))

    def keep_selected(self) -> None:
        shown, selected = self._stage.shown, self._stage.selected
        if shown is not None and len(selected):
            self.keep_names(shown.model.names_of(selected))

    def colour(self, wanted: ColourBy) -> None:
        """Colours by another choice; all of them are shown."""
        shown = self._stage.shown
        if shown is not None and wanted != shown.contents.colours.wanted:
            shown.colour(wanted)
            self.draw_others(shown)

    def colour_by_argument(self, colours: Colours) -> None:
        """Colours by the values of an argument."""
        shown = self._stage.shown
        if shown is not None:
            shown.colour_by_argument(colours)
            self.draw_others(shown)

    def keep_slots(self, slots: frozenset[int]) -> None:
        """Leaves slices of other colours out, unless there are no ``slots`` or they are what is left already."""
        shown = self._stage.shown
        if shown is not None:
            own = shown.contents
            shown.colour(own.colours.wanted, frozenset() if slots == own.only_slots else slots)
            self.draw_others(shown)

    def show_colours(self) -> None:
        """Shows slices of all colours."""
        if self._stage.shown is not None and self._stage.shown.contents.only_slots:
            self.keep_slots(frozenset())

    def colour_like(self, above: Shown) -> None:
        """The colours of the timeline above, and what is left of them."""
        shown = self._stage.shown
        if shown is not None and shown.colour_like(above):
            self.draw_others(shown)

    def filter_lanes(self, text: str) -> None:
        """Only lanes whose names hold all words of ``text`` are shown."""
        shown = self._stage.shown
        if shown is not None and text != shown.lanes.filter:
            shown.lanes.set_filter(text)
            self.filtered.emit()

    @property
    def has_pipes(self) -> bool:
        return self._stage.shown is not None and self._stage.shown.has_pipes

    @property
    def pipes_only(self) -> bool:
        return self._stage.shown is not None and self._stage.shown.pipes_only

    def show_pipes_only(self, wanted: bool) -> None:
        """Leaves out what is not the work of a pipe, or shows it again."""
        shown = self._stage.shown
        if shown is not None and wanted != shown.pipes_only:
            shown.show_pipes_only(wanted)
            self.draw_others(shown)

    @property
    def any(self) -> bool:
        """Whether anything is left out."""
        return self._stage.shown is not None and bool(acting_filters(self._stage.shown))

    def end(self) -> None:
        """Shows all slices again, and all lanes but those that were hidden one by one."""
        self.filter_lanes("")
        self.hide_names(frozenset())
        self.keep_names(frozenset())
        self.show_colours()
        self.show_pipes_only(False)

    def draw_others(self, shown: Shown) -> None:
        """Other things are left out of the timeline that is shown."""
        shown.contents.choose(self._stage.selected)  # in the colours of now
        self._preparation.start()
        shown.changed()
        self.filtered.emit()


REDRAW_MS = 120
"""While it goes on, the picture is refreshed this often."""


class Preparation(QObject):
    """Works a few milliseconds at a time. Signals: ``progressed`` now and then; ``settled`` when nothing is left to
    do."""

    progressed = Signal()
    settled = Signal()

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage
        self._idle = QTimer(self, interval=0)
        self._idle.timeout.connect(self._work)
        self._refresh = QTimer(self, interval=REDRAW_MS, singleShot=True)
        self._refresh.timeout.connect(self.progressed)

    @property
    def active(self) -> bool:
        return self._idle.isActive()

    def start(self) -> None:
        """There is something to do."""
        self._idle.start()

    def _work(self) -> None:
        shown = self._stage.shown
        before = None if shown is None else shown.contents.chosen
        if shown is None or not shown.contents.work():
            self._idle.stop()
            self._refresh.stop()
            self.progressed.emit()
            self.settled.emit()
        elif shown.contents.chosen is not before:
            self.progressed.emit()
        elif not self._refresh.isActive():
            self._refresh.start()
