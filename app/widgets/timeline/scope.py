"""What the panels share of a timeline: the timeline panel sets it, the statistics follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.language import tr

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.profile.arrays import I64
    from app.profile.selection import TimeRange
    from app.profile.timeline import Timeline
    from app.views.timeline.model import Model
    from app.views.timeline.request import BaselineSide, Follows
    from app.views.timeline.state import Shown


class TimelineScope(QObject):
    """``shown``: the timeline on the canvas, None while there is none; ``live``: the range while it is being drawn;
    ``hits`` of the search in stepping order, None without a search; ``baseline``: what figures are compared with;
    ``table``: id of the table of statistics that was asked for last, "" if none was.

    Signals: ``replaced``: another timeline or another baseline; ``followed`` (Follows): what changed on the same
    timeline; ``drawn``: the range that is being drawn; ``table_wanted``: ``table`` should come forward;
    ``stretch_wanted`` (TimeRange, bool): to show a stretch on the canvas, filling it if the second is True."""

    replaced = Signal()
    followed = Signal(str)
    drawn = Signal()
    table_wanted = Signal()
    stretch_wanted = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self.shown: Shown | None = None
        self.live: TimeRange | None = None
        self.hits: I64 | None = None
        self.baseline: BaselineSide | None = None
        self.table = ""
        self._model: Model | None = None

    def model_of(self, timeline: Timeline) -> Model:
        """The model of a timeline; made at the first call, which takes long for a large one."""
        if self.shown is not None and self.shown.model.timeline is timeline:
            return self.shown.model
        if self._model is None or self._model.timeline is not timeline:
            from app.views.timeline.model import Model  # imports numpy: after the first paint

            self._model = Model.of(timeline)
        return self._model

    def show(self, shown: Shown | None, baseline: BaselineSide | None) -> None:
        """Sets the timeline on the canvas, and what figures are compared with."""
        self.shown, self.baseline = shown, baseline
        self.live = self.hits = self._model = None
        self.replaced.emit()

    def forget(self) -> None:
        """Releases the timeline of a profile that is not shown any more."""
        self._model = None

    def set_baseline(self, baseline: BaselineSide | None, *, refill: bool) -> None:
        """Sets what figures are compared with; ``refill``: they follow at once."""
        self.baseline = baseline
        if refill:
            self.replaced.emit()

    def set_live(self, stretch: TimeRange | None) -> None:
        """Sets the range while it is being drawn."""
        self.live = stretch
        self.drawn.emit()

    def set_hits(self, hits: I64 | None) -> None:
        """Sets the hits of the search; None when it ends."""
        if hits is not None or self.hits is not None:
            self.hits = hits
            self.followed.emit("hits")

    def follow(self, what: Follows) -> None:
        """Reports a change of the timeline that ``shown`` holds already."""
        self.followed.emit(what)

    def want_table(self, table: str) -> None:
        """Brings a table of the statistics forward, at once or as soon as the panel is made."""
        self.table = table
        self.table_wanted.emit()


def why_no_timeline(entry: Entry | None) -> str:
    """Why an open profile shows no timeline; "" if it has one."""
    if entry is None:
        return tr("Nothing is open.")
    if entry.profile.timeline is not None:
        return ""
    return tr("This profile has no timeline: its files contain no steps, trace or events.")
