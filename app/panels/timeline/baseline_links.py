"""Links the baseline's timeline to the one above it and to the document: selection, hover, range, differences."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QObject, QPointF
from PySide6.QtWidgets import QWidget

from app.analysis.compare.timelines import SliceDifferences
from app.document.document import Document
from app.language import plural, tr
from app.panels.timeline import SOURCE
from app.panels.timeline.baseline_half import BaselineHalf
from app.panels.timeline.matching import Matching
from app.profile.arrays import I64, distinct
from app.profile.selection import Selection, TimeRange
from app.views.timeline.compared_words import about_difference, about_pair, alone_text
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.state import Shown
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.pair_picture import Connector, Ends, middle
from app.widgets.timeline.shared_view import SharedView


class BaselineLinks(QObject):
    """``above`` and ``half.canvas`` show the two timelines. ``alone``: the selected slice that only the baseline has,
    which is no item of the shared selection."""

    def __init__(
        self, document: Document, above: TimelineCanvas, half: BaselineHalf, matching: Matching, over: QWidget
    ) -> None:
        """``over``: the widget over which the line from the selected slice to its match is drawn."""
        super().__init__(half)
        self._document, self._above, self._half, self._matching, self._over = document, above, half, matching, over
        self.shared = SharedView(above, half.canvas)
        self.connector = Connector(half.display, self._ends, over)
        self.alone: int | None = None
        canvas = half.canvas
        canvas.chosen.connect(self._chosen)
        canvas.lanes_chosen.connect(self._lanes_chosen)
        canvas.pointed.connect(self._pointed)
        canvas.range_chosen.connect(self._range_chosen)
        canvas.notes.wanted.connect(self._note)
        above.pointed.connect(lambda index: self.show_hover(() if index is None else (index,)))
        for part in (above, canvas):
            part.view_changed.connect(self.connector.follow)
        matching.changed.connect(self._matched)
        half.bar.stepped.connect(self.step_difference)
        half.bar.together.toggled.connect(self._join_rows)

    @property
    def _both(self) -> tuple[Shown, Shown] | None:
        """(before, after) while both are shown together."""
        before, after = self._half.canvas.shown, self._above.shown
        return None if before is None or after is None or after.counterpart is None else (before, after)

    def _partner(self, index: int | None) -> int:
        """The slice above that a slice of the baseline belongs to; -1 for none."""
        before = self._half.canvas.shown
        return -1 if index is None or before is None or before.counterpart is None else before.counterpart.of(index)

    @property
    def selected_pair(self) -> tuple[int, int] | None:
        """(before, after): the selected slice with its match."""
        both, selected = self._both, self._above.selected
        if both is None or both[1].counterpart is None or len(selected) != 1:
            return None
        before = both[1].counterpart.of(int(selected[0]))
        return (before, int(selected[0])) if before >= 0 else None

    def _join_rows(self, together: bool) -> None:
        self.shared.rows_together = together

    def end(self) -> None:
        """The two are no longer shown together."""
        self.alone = None
        self.shared.part()
        self.connector.follow()

    # -- from above ---------------------------------------------------------------------------------------

    def mark(self) -> None:
        """Marks below what is selected above."""
        both = self._both
        if both is None or both[1].counterpart is None:
            return
        before, counterpart, selected = both[0], both[1].counterpart, self._above.selected
        if len(selected):
            self.alone = None
        partners = counterpart.all_of(selected) if self.alone is None else np.array([self.alone], np.int64)
        lanes = (counterpart.lane_of(lane) for lane in self._above.stage.marks.lanes)
        self._half.canvas.set_selected(partners, tuple(lane for lane in lanes if lane >= 0))
        if len(partners) == 1:
            before.navigation.reveal_row(int(partners[0]))
        self.say()
        self.connector.follow()

    def show_hover(self, index: I64 | tuple[int, ...]) -> None:
        """Marks below what is pointed at above, or in another panel."""
        both = self._both
        if both is not None and both[1].counterpart is not None:
            partners = both[1].counterpart.all_of(np.asarray(index, np.int64))
            self._half.canvas.set_hovered(distinct(partners))

    def show_range(self) -> None:
        """Shows the range where it lies in the baseline."""
        stretch, time_map = self._above.stage.range, self.shared.time_map
        if time_map is not None:
            self._half.canvas.set_range(None if stretch is None else time_map.range_before(stretch))
            self._matching.measure(stretch, time_map)

    # -- from below ---------------------------------------------------------------------------------------

    def _chosen(self, index: int | None) -> None:
        """A slice of the baseline was clicked: its match is selected, where it has one."""
        partner, above = self._partner(index), self._above.shown
        if partner < 0 or above is None:
            self._select_alone(index)
            return
        self._document.selection.set(Selection("slice", (partner,), SOURCE))
        above.navigation.reveal_row(partner)

    def _select_alone(self, index: int | None) -> None:
        """Selects a slice that only the baseline has."""
        self.alone = index
        self._document.selection.clear()
        self.mark()

    def _pointed(self, index: int | None) -> None:
        partner = self._partner(index)
        self._above.set_hovered((partner,) if partner >= 0 else ())
        self._document.hover.set(Selection("slice", (partner,), SOURCE) if partner >= 0 else None)

    def _lanes_chosen(self, lanes: tuple[int, ...], add: bool) -> None:
        before = self._half.canvas.shown
        if before is not None and before.counterpart is not None:
            above = tuple(lane for lane in map(before.counterpart.lane_of, lanes) if lane >= 0)
            if above:
                self._above.lanes_chosen.emit(above, add)

    def _range_chosen(self, stretch: TimeRange) -> None:
        if self.shared.time_map is not None:
            self._above.range_chosen.emit(self.shared.time_map.range_after(stretch))

    def _note(self, stretch: TimeRange, text: str) -> None:
        """Notes are those of the comparison."""
        if self.shared.time_map is not None:
            self._above.notes.wanted.emit(self.shared.time_map.range_after(stretch), text)

    # -- what differs -------------------------------------------------------------------------------------

    def _matched(self) -> None:
        """More is known of what belongs together."""
        both, differences, lanes = self._both, self._matching.differences, self._matching.lanes
        if both is None:
            return
        matches = None if differences is None else differences.matches
        partners = (None, None) if matches is None else (matches.of_before, matches.of_after)
        for canvas, shown, partner in zip((self._half.canvas, self._above), both, partners, strict=True):
            counterpart: Counterpart | None = shown.counterpart
            if counterpart is not None:
                canvas.show_counterpart(replace(counterpart, partner=partner, lanes=lanes))
        self.shared.match_order()
        self.mark()

    @property
    def can_step(self) -> bool:
        """Whether there are differences to step to."""
        differences = self._matching.differences
        return self._both is not None and differences is not None and len(differences.difference) > 0

    def step_difference(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) difference, by falling size, and reveals it."""
        differences = self._matching.differences
        if differences is None or not self.can_step:
            return
        here, count = self._difference_here(differences), len(differences.difference)
        place = (here + direction) % count if here is not None else 0 if direction > 0 else count - 1
        before, after = int(differences.before[place]), int(differences.after[place])
        if after >= 0:
            self._document.selection.set(Selection("slice", (after,), SOURCE))
            self._above.reveal(after)
        else:
            self._select_alone(before)
            self._half.canvas.reveal(before)
        self._reveal_lanes(before, after)

    def _reveal_lanes(self, before: int, after: int) -> None:
        """Scrolls to the lane on the side that has no such slice."""
        both = self._both
        if both is None or (before >= 0 and after >= 0):
            return
        has, lacks = both if after < 0 else both[::-1]
        lane = has.model.lane_of(max(before, after))
        partner = -1 if has.counterpart is None else has.counterpart.lane_of(lane)
        if partner >= 0:
            lacks.navigation.reveal_lane(partner)

    def _difference_here(self, differences: SliceDifferences) -> int | None:
        """Which of the differences is selected."""
        here: I64 = np.empty(0, np.int64)
        if self.alone is not None:
            here = np.flatnonzero((differences.before == self.alone) & (differences.after < 0))
        elif len(self._above.selected) == 1:
            here = np.flatnonzero(differences.after == self._above.selected[0])
        return int(here[0]) if len(here) else None

    # -- what is said -------------------------------------------------------------------------------------

    def say(self) -> None:
        """Says what is selected, and how much differs."""
        bar, matching = self._half.bar, self._matching
        bar.show_steps(self.can_step)
        bar.show_matching(self._summary(), running=matching.busy, stopped=matching.stopped)

    def _summary(self) -> str:
        both, differences = self._both, self._matching.differences
        if both is None:
            return ""
        if self._matching.problem:
            return self._matching.problem
        before, after = both[0].model, both[1].model
        if differences is None:
            count = len(after.rows.start) - len(after.timeline.instants.slice)
            running = plural("Matching {count:,} slice…", "Matching {count:,} slices…", count=count)
            return running if self._matching.busy else tr("The slices are not matched.")
        texts = [self._about_selected(both, differences), alone_text(differences, before, after)]
        changed = differences.changed
        if changed:
            texts.append(plural("{count:,} differs in duration", "{count:,} differ in duration", count=changed))
        elif differences.matches.whole:
            texts.append(tr("no difference in duration"))
        return " · ".join(text for text in texts if text)

    def _about_selected(self, both: tuple[Shown, Shown], differences: SliceDifferences) -> str:
        """The difference of the selected slice, and its place among all."""
        before, after = both
        here, pair = self._difference_here(differences), self.selected_pair
        if here is not None:
            return about_difference(differences, here, before.model, after.model, after.look)
        if pair is None or after.counterpart is None:
            return ""
        return ", ".join(about_pair(after.counterpart, pair[1], after.look)[-1:])

    def _ends(self) -> Ends | None:
        """Where the line from the selected slice to its match begins and ends."""
        both, pair = self._both, self.selected_pair
        if both is None or pair is None:
            return None
        lower, upper = (shown.scene() for shown in both)
        one, other = upper.slice_box(pair[1]), lower.slice_box(pair[0])
        if one is None or other is None:
            return None
        start = self._above.mapTo(self._over, QPointF(middle(upper, one), one.y + one.height))
        end = self._half.canvas.mapTo(self._over, QPointF(middle(lower, other), other.y))
        return (start.x(), start.y()), (end.x(), end.y())
