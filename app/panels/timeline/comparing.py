"""The baseline below the timeline: which one, and where it lies on the axis of the comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.analysis.compare.lanes import unit_factor
from app.analysis.compare.timelines import TimeMap, at_slices, at_start, stretched
from app.language import tr
from app.panels.timeline.baseline_half import Alignment, BaselineHalf, needs_scrolling, set_scroller
from app.panels.timeline.baseline_links import BaselineLinks
from app.panels.timeline.matching import Matching
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.views.names_apart import side_names
from app.views.texts import shown_line
from app.views.timeline.find import Query
from app.views.timeline.model import Model
from app.views.timeline.request import BaselineSide
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.widgets.context import Context
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.pair_picture import Lower

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


class Comparing(QObject):
    """Shows the baseline in the lower part of ``halves``. ``half`` and ``links`` are made for the first baseline.
    Signals: ``aligned``: the baseline lies elsewhere, or is another one; ``viewed``: other rows of it are in view."""

    aligned = Signal()
    viewed = Signal()

    def __init__(self, context: Context, canvas: TimelineCanvas, halves: QSplitter, over: QWidget) -> None:
        """``over``: the widget over which lines from one timeline to the other are drawn."""
        super().__init__(canvas)
        self._context, self._canvas, self._halves, self._over = context, canvas, halves, over
        self._comparison: Comparison | None = None
        self._alignment: Alignment = "start"
        self._pair: tuple[int, int] | None = None
        self.half: BaselineHalf | None = None
        self.links: BaselineLinks | None = None
        self.matching = Matching(self)
        self.matching.changed.connect(self.follow_filters)

    def _made(self) -> tuple[BaselineHalf, BaselineLinks]:
        """The lower half and its links, created on first use."""
        if self.half is None or self.links is None:
            half = self.half = BaselineHalf(self._context.display, self._halves)
            self._halves.addWidget(half)
            self._halves.setChildrenCollapsible(False)
            links = BaselineLinks(self._context.document, self._canvas, half, self.matching, self._over)
            self.links = links
            half.bar.aligned.connect(self._align)
            half.bar.cancelled.connect(self._cancel)
            half.canvas.colour_wanted.connect(self._canvas.set_colour_by)
            half.canvas.view_changed.connect(self.viewed)
            self._halves.splitterMoved.connect(links.connector.follow)
        return self.half, self.links

    # -- which baseline -----------------------------------------------------------------------------------

    @property
    def below(self) -> Shown | None:
        """The timeline of the baseline; None without one."""
        return None if self.half is None or self._comparison is None else self.half.canvas.shown

    @property
    def baseline(self) -> Profile | None:
        """The baseline, if its timeline is shown."""
        return None if self._comparison is None else self._comparison.before

    @property
    def time_map(self) -> TimeMap | None:
        """Where the baseline lies on the axis; None without one."""
        return None if self.links is None else self.links.shared.time_map

    def show(self, comparison: Comparison | None, shown: Shown) -> Iterator[None]:
        """Shows the baseline of a comparison below ``shown``, which is on the canvas; None: ends that. A large timeline
        is built in pieces."""
        timeline = None if comparison is None else comparison.before.timeline
        if comparison is None or timeline is None:
            self.end()
            if comparison is not None:
                self._say_missing(comparison)
            return
        before = self.below
        if before is None or before.model.timeline is not timeline:
            model = Model.of(timeline)
            yield
            before = self._begin(model, shown)
            yield
        half, links = self._made()
        self._comparison = comparison
        if not self.matching.is_for(timeline, shown.model.timeline):
            self._alignment, self._pair, links.alone = "start", None, None
            shown.counterpart = before.counterpart = None
        half.bar.show_baseline(side_names(comparison.after, comparison.before)[1])
        half.show_timelines()
        half.show()
        self._join(shown, before)
        self.matching.run(comparison, timeline, shown.model.timeline)

    def end(self) -> None:
        """Shows the timeline alone again, as it was."""
        self.matching.cancel()
        self._comparison = None
        shown = self._canvas.shown
        if self.half is None or self.links is None:
            return
        self.half.hide()
        self.half.canvas.show_timeline(None)
        self.links.end()
        if shown is not None and shown.counterpart is not None:
            shown.end_comparison()
            self._canvas.redraw()
            self.aligned.emit()

    def _begin(self, model: Model, shown: Shown) -> Shown:
        """The baseline's timeline, with rows and filters as above."""
        half, _ = self._made()
        before = Shown(model, self._context.display.look, Place(half.canvas.width(), half.canvas.height()))
        before.lanes.set_rows(shown.lanes.rows_as)
        if half.isHidden():
            height = max(self._halves.height(), 2)
            self._halves.setSizes([height // 2, height - height // 2])
        half.canvas.show_timeline(before)
        self.follow_filters()
        return before

    def _say_missing(self, comparison: Comparison) -> None:
        half, _ = self._made()
        half.bar.show_baseline(side_names(comparison.after, comparison.before)[1])
        half.say_missing(tr("It has no timeline: its files contain no steps, trace or events."))
        half.show()

    def _cancel(self) -> None:
        """Stops matching, or starts it again."""
        before, shown = self.below, self._canvas.shown
        if self.matching.busy:
            self.matching.stop()
        elif self._comparison is not None and before is not None and shown is not None:
            self.matching.run(self._comparison, before.model.timeline, shown.model.timeline)

    # -- how both are aligned -----------------------------------------------------------------------------

    def _join(self, shown: Shown, before: Shown) -> None:
        half, links = self._made()
        common = unit_factor(before.model.timeline, shown.model.timeline) is not None
        wanted: list[Alignment] = ["start"] if common else []
        if common and self._pair is not None:
            wanted += ["slice", "slice_end"]
        offered: tuple[Alignment, ...] = (*wanted, "stretch")
        self._alignment = self._alignment if self._alignment in offered else offered[0]
        half.bar.show_alignment(self._alignment, offered)
        links.shared.join(shown, before, self._map(before, shown))
        links.show_range()
        links.mark()
        self.aligned.emit()

    def _map(self, before: Shown, after: Shown) -> TimeMap:
        one, other = before.model.timeline, after.model.timeline
        aligned = None
        if self._alignment == "start":
            aligned = at_start(one, other)
        elif self._alignment in ("slice", "slice_end") and self._pair is not None:
            aligned = at_slices(one, other, *self._pair, end=self._alignment == "slice_end")
        return aligned or stretched(one, other)

    def _align(self, alignment: Alignment) -> None:
        before, shown = self.below, self._canvas.shown
        if shown is not None and before is not None:
            self._alignment = alignment
            self._join(shown, before)

    @property
    def can_align(self) -> bool:
        """Whether a single slice with a match is selected."""
        return self.below is not None and self.links is not None and self.links.selected_pair is not None

    def align_here(self, *, end: bool) -> None:
        """Aligns both at the selected slice and its match, at their ``end`` or at their start."""
        if self.links is not None and self.links.selected_pair is not None:
            self._pair = self.links.selected_pair
            self._align("slice_end" if end else "slice")

    @property
    def can_align_with_selected(self) -> bool:
        """Whether a slice of the baseline is meant, and one above is selected."""
        meant = None if self.half is None else self.half.canvas.meant
        return self.below is not None and meant is not None and len(self._canvas.selected) == 1

    def align_with_selected(self, *, end: bool) -> None:
        """Aligns the baseline's slice that is meant with the selected one, at their ``end`` or at their start."""
        meant = None if self.half is None else self.half.canvas.meant
        if meant is not None and len(self._canvas.selected) == 1:
            self._pair = meant, int(self._canvas.selected[0])
            self._align("slice_end" if end else "slice")

    # -- what is done to both -----------------------------------------------------------------------------

    def mark(self) -> None:
        """Marks below what is selected above."""
        if self.links is not None:
            self.links.mark()

    def show_hover(self, index: I64) -> None:
        """Marks below what is pointed at above."""
        if self.links is not None:
            self.links.show_hover(index)

    def show_range(self) -> None:
        """Shows the range where it lies in the baseline."""
        if self.links is not None:
            self.links.show_range()

    def set_rows(self, rows_as: str) -> None:
        if self.below is not None:
            self.below.lanes.set_rows(rows_as)

    def fold_all(self, fold: bool) -> None:
        if self.below is not None:
            self.below.lanes.fold_all(fold)

    def follow_filters(self) -> None:
        """Leaves out below what is left out above, in the same colours."""
        shown, canvas = self._canvas.shown, None if self.half is None else self.half.canvas
        if shown is not None and canvas is not None:
            self._hide_lanes(shown, canvas)
            canvas.filtering.filter_lanes(shown.lanes.filter)
            canvas.filtering.hide_names(shown.contents.hidden)
            canvas.filtering.keep_names(shown.contents.only)
            canvas.filtering.show_pipes_only(shown.pipes_only)
            canvas.filtering.colour_like(shown)

    def _hide_lanes(self, shown: Shown, canvas: TimelineCanvas) -> None:
        """Hides below the lanes that belong to those that are hidden above."""
        counterpart, before = shown.counterpart, canvas.shown
        if counterpart is not None and before is not None:
            partners = (counterpart.lane_of(lane) for lane in shown.lanes.hidden)
            before.lanes.hide(frozenset(lane for lane in partners if lane >= 0), before.lanes.hidden_counters)

    def search(self, query: Query | None) -> None:
        """Brings the slices that match forward; None ends the search."""
        before = self.below
        if self.half is not None and before is not None and (query is not None or before.contents.hits is not None):
            self.half.canvas.set_search(None if query is None else query.matches(before.model.timeline))

    def show_scroller(self, *, needed: bool) -> bool:
        """Shows the scroll bar below where either timeline needs one (``needed``: the one above), so that both are
        equally wide. Returns whether there are any."""
        before = self.below
        if before is None or self.half is None:
            return needed
        set_scroller(self.half.scroller, before)
        scrolls = needed or needs_scrolling(before)
        self.half.scroller.setVisible(scrolls)
        return scrolls

    def side(self) -> BaselineSide | None:
        """What figures are compared with; None without a baseline."""
        below, comparison, time_map = self.below, self._comparison, self.time_map
        if below is None or comparison is None or time_map is None:
            return None
        return BaselineSide(comparison.before, below, time_map)

    def picture(self) -> Lower | None:
        """What a picture shows below the timeline; None without a baseline."""
        if self.below is None or self.half is None or self.links is None:
            return None
        bar = self.half.bar
        return Lower(self.half.canvas, shown_line(bar.name.text()), bar.readout.text, self.links.selected_pair)
