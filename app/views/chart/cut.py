"""Clips lines to the visible area: exported pictures are not clipped, and labels are placed on the visible part of
their line."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.views.chart.model import Pair

EDGE = 1e-9


class Box(Struct, frozen=True):
    """The visible interval of both axes, in places."""

    left: float
    right: float
    low: float
    high: float

    def holds(self, place: Pair) -> bool:
        """Whether a place is inside, including the edges."""
        margin_x, margin_y = EDGE * (self.right - self.left), EDGE * (self.high - self.low)
        return (
            self.left - margin_x <= place[0] <= self.right + margin_x
            and self.low - margin_y <= place[1] <= self.high + margin_y
        )


def cut_segment(start: Pair, end: Pair, box: Box) -> tuple[Pair, Pair] | None:
    """The part of a segment inside ``box``; None if there is none (Liang and Barsky, 1984)."""
    run, rise = end[0] - start[0], end[1] - start[1]
    first, last = 0.0, 1.0
    for step, room in (
        (-run, start[0] - box.left),
        (run, box.right - start[0]),
        (-rise, start[1] - box.low),
        (rise, box.high - start[1]),
    ):
        if step == 0:
            if room < 0:
                return None
            continue
        share = room / step
        if step < 0:
            first = max(first, share)
        else:
            last = min(last, share)
    if first > last:
        return None
    return _along(start, end, first), _along(start, end, last)


def segments_seen(line: Sequence[Pair], box: Box) -> list[tuple[Pair, Pair] | None]:
    """For each segment of a line the part inside ``box``."""
    return [cut_segment(line[number], line[number + 1], box) for number in range(len(line) - 1)]


def runs_seen(line: Sequence[Pair], box: Box) -> list[list[Pair]]:
    """The contiguous parts of a line inside ``box``, each with its corners."""
    runs: list[list[Pair]] = []
    for part in segments_seen(line, box):
        if part is None:
            continue
        if runs and runs[-1][-1] == part[0]:
            runs[-1].append(part[1])
        else:
            runs.append([*part])
    return runs


def _along(start: Pair, end: Pair, share: float) -> Pair:
    """The point at ``share`` of a segment: exactly an end at 0 and 1, so that adjacent parts of a line meet exactly."""
    if share in (0.0, 1.0):
        return end if share else start
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
