"""Slices and lanes of two timelines are matched in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.analysis.compare.timelines import (
    LaneDifferences,
    SliceDifferences,
    TimeMap,
    lane_differences,
    lane_matches,
    slice_differences,
    slice_matches,
)
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from app.store.token import Token

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.analysis.compare.comparison import Comparison


class Matching(QObject):
    """``differences`` of slices and times of ``lanes``: None until they are known; ``stopped``: the user cancelled;
    ``problem``: why slices cannot be matched, "" if they can. Signal ``changed``."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._slices, self._lanes = Background(self), Background(self)
        self._comparison: Comparison | None = None
        self._timelines: tuple[Timeline, Timeline] | None = None
        self._rules: tuple[object, ...] = ()
        self._measured: tuple[TimeRange | None, TimeMap | None] = (None, None)
        self.differences: SliceDifferences | None = None
        self.lanes: LaneDifferences | None = None
        self.stopped = False
        self.problem = ""

    @property
    def busy(self) -> bool:
        """Whether slices are being matched."""
        return self._slices.busy

    @property
    def measuring(self) -> bool:
        """Whether lanes are being measured."""
        return self._lanes.busy

    def is_for(self, before: Timeline, after: Timeline) -> bool:
        """Whether these two are matched, or being matched."""
        return self._timelines is not None and self._timelines[0] is before and self._timelines[1] is after

    def run(self, comparison: Comparison, before: Timeline, after: Timeline) -> None:
        """Matches two timelines, unless that has been done."""
        rules = comparison.pairs, comparison.names
        same = self.is_for(before, after)
        known = same and rules == self._rules and (self.differences is not None or self.busy)
        self._comparison, self._timelines, self._rules = comparison, (before, after), rules
        if known:
            self.changed.emit()
            return
        if not same:
            self.differences = self.lanes = None
        self.stopped, self.problem = False, ""

        def work(token: Token, _progress: Callable[[int, int], None]) -> SliceDifferences:
            return slice_differences(before, after, slice_matches(comparison, token.check))

        self._slices.run(Task(work, self._take, self._fail))
        self._measure()
        self.changed.emit()

    def measure(self, stretch: TimeRange | None, time_map: TimeMap | None) -> None:
        """Measures how busy lanes are inside a range of the comparison."""
        wanted = (stretch, time_map if stretch is not None else None)
        if wanted != self._measured:
            self._measured = wanted
            self._measure()

    def stop(self) -> None:
        """Cancels the matching of slices."""
        self._slices.cancel()
        self.stopped = True
        self.changed.emit()

    def cancel(self) -> None:
        """Forgets everything."""
        self._slices.cancel()
        self._lanes.cancel()
        self._comparison = self._timelines = self.differences = self.lanes = None
        self._measured = (None, None)
        self.stopped, self.problem = False, ""

    def _measure(self) -> None:
        comparison, timelines, (stretch, time_map) = self._comparison, self._timelines, self._measured
        if comparison is None or timelines is None:
            return

        def work(token: Token, _progress: Callable[[int, int], None]) -> LaneDifferences:
            return lane_differences(*timelines, lane_matches(comparison, token.check), time_map, stretch)

        self._lanes.run(Task(work, self._take_lanes, self._fail))

    def _take(self, differences: SliceDifferences) -> None:
        self.differences = differences
        self.changed.emit()

    def _take_lanes(self, lanes: LaneDifferences) -> None:
        self.lanes = lanes
        self.changed.emit()

    def _fail(self, error: FormatError) -> None:
        self.problem = tr("The timelines cannot be matched: {error}", error=error)
        self.changed.emit()
