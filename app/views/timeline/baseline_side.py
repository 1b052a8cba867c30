"""What figures of two timelines refer to on the side of the baseline."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.compare.timelines import TimeMap
from app.language import tr
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.views.look import Look
from app.views.timeline.request import Request
from app.views.timeline.state import Shown

NO_LANE = (-1,)
"""Limits figures to nothing, where none of the lanes that they are limited to has a partner."""


class BaselineSide(Struct, frozen=True, eq=False):
    """``profile`` is the baseline, ``shown`` its timeline, ``time_map`` says where its times lie."""

    profile: Profile
    shown: Shown
    time_map: TimeMap

    def request(
        self, above: Shown, stretch: TimeRange | None, lanes: tuple[int, ...], only: tuple[int, ...]
    ) -> Request:
        """The same figures of the baseline: of the range where it lies there, and of the lanes that belong to those
        above; hits of the search are its own."""
        contents = self.shown.contents
        hits = None if contents.hits is None else contents.hits.rows.origin
        own = None if stretch is None else self.time_map.range_before(stretch)
        partners = self._partners(above, lanes), self._partners(above, only) or NO_LANE[: len(only)]
        return Request(self.profile, self.shown.model, contents.counted, own, (), *partners, hits)

    def about_range(self, stretch: TimeRange, look: Look) -> str:
        """Where the range lies in the baseline."""
        own = self.time_map.range_before(stretch)
        return tr("in the baseline {stretch}", stretch=self.shown.model.clock.stretch(own.start, own.end, look))

    def _partners(self, above: Shown, lanes: tuple[int, ...]) -> tuple[int, ...]:
        """The lanes of the baseline that belong to these."""
        counterpart = above.counterpart
        if counterpart is None:
            return ()
        return tuple(dict.fromkeys(lane for lane in map(counterpart.lane_of, lanes) if lane >= 0))
