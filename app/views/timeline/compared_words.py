"""What a timeline says of differences: of a slice, of a lane, of all of them."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.lanes import unit_factor
from app.analysis.compare.timelines import SliceDifferences, durations_apart
from app.language import plural, tr
from app.profile.arrays import I64, among
from app.views.look import Look
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.model import Model
from app.views.timeline.times import Clock
from app.views.units import NO_DATA, percent_change

NOT_HERE, SAME = tr("only here"), tr("same")


def change_text(difference: float, before: float, clock: Clock, look: Look) -> str:
    """A signed difference with its percentage of the figure before (in the same unit): ``+12.3 µs (+10.0 %)``."""
    if difference != difference:
        return NO_DATA
    amount = signed_span(difference, clock, look)
    if not difference or not before > 0:
        return amount
    return tr("{amount} ({share})", amount=amount, share=percent_change(difference, before))


def signed_span(difference: float, clock: Clock, look: Look) -> str:
    """``+12.3 µs``, ``−340 ns``; nothing at all has no sign."""
    text = clock.short_span(difference, look)
    return f"+{text}" if difference > 0 else text


def about_pair(counterpart: Counterpart, index: int, look: Look) -> list[str]:
    """Lines about a slice and its partner: before, after, difference; that it has none; nothing before slices are
    matched."""
    if counterpart.partner is None:
        return []
    other = counterpart.of(index)
    if other < 0:
        return [tr("only in the baseline") if counterpart.baseline else tr("only in the comparison")]
    own = (counterpart.own, index)
    (first, before), (second, after) = (own, (counterpart.other, other))[:: 1 if counterpart.baseline else -1]
    lines: list[str] = []
    if first.name(before) != second.name(after):
        lines.append(tr("before: {name}", name=first.name(before)))
    if first.is_instant(before) and second.is_instant(after):
        return lines
    factor = unit_factor(first.timeline, second.timeline)
    difference = pair_difference(first, second, before, after)
    whole = first.duration_of(before) * (factor or 0.0)
    took = [
        model.clock.span(model.duration_of(which), look) if model.timed(which) else NO_DATA
        for model, which in ((first, before), (second, after))
    ]
    change = change_text(difference, whole, second.clock, look)
    lines.append(
        tr("before {before}, after {after}, difference {change}", before=took[0], after=took[1], change=change)
    )
    return lines


def pair_difference(before: Model, after: Model, slice_before: int, slice_after: int) -> float:
    """The difference of the durations of two slices in units of the comparison, NaN where it is not known."""
    one, other = np.array([slice_before]), np.array([slice_after])
    return float(durations_apart(before.timeline, after.timeline, one, other)[0])


def about_difference(differences: SliceDifferences, place: int, before: Model, after: Model, look: Look) -> str:
    """One of the differences, and its place among all: ``3 of 1,204: +12.3 µs (+10.0 %)``."""
    slice_before, difference = int(differences.before[place]), float(differences.difference[place])
    if slice_before < 0 or differences.after[place] < 0:
        where = tr("only in the comparison") if slice_before < 0 else tr("only in the baseline")
        took = signed_span(difference, after.clock, look) if difference == difference else NO_DATA
        alone = tr("{where}, {took}", where=where, took=took)
        return tr("{place:,} of {count:,}: {change}", place=place + 1, count=differences.count, change=alone)
    factor = unit_factor(before.timeline, after.timeline) or 0.0
    change = change_text(difference, before.duration_of(slice_before) * factor, after.clock, look)
    return tr("{place:,} of {count:,}: {change}", place=place + 1, count=differences.count, change=change)


def lane_texts(counterpart: Counterpart, lane: int, look: Look) -> tuple[str, ...]:
    """What stands beside the name of a lane of the comparison, the fullest first; empty for nothing (yet)."""
    if counterpart.lanes is None:
        return ()
    if counterpart.lane_of(lane) < 0:
        return (NOT_HERE,)
    if counterpart.baseline:
        return ()
    difference, before = float(counterpart.lanes.difference[lane]), float(counterpart.lanes.before[lane])
    if difference != difference:
        return ()
    if not difference:
        return (SAME,)
    amount = signed_span(difference, counterpart.own.clock, look)
    if not before > 0:
        return (amount,)
    share = percent_change(difference, before)
    return (f"{amount}  {share}", share)


def lane_sign(counterpart: Counterpart, lane: int) -> float:
    """Positive where a lane is busy longer than in the baseline (or is only in the comparison), negative where shorter
    (or only in the baseline), 0 for no difference."""
    if counterpart.lanes is not None and counterpart.lane_of(lane) < 0:
        return -1.0 if counterpart.baseline else 1.0
    if counterpart.lanes is None or counterpart.baseline:
        return 0.0
    return float(np.nan_to_num(counterpart.lanes.difference[lane]))


def about_lane(counterpart: Counterpart, lane: int, look: Look) -> list[str]:
    """Lines about how long a lane is busy on both sides."""
    times = counterpart.lanes
    if times is None:
        return []
    partner = counterpart.lane_of(lane)
    if partner < 0:
        return [tr("only in the baseline") if counterpart.baseline else tr("only in the comparison")]
    after, model = (partner, counterpart.other) if counterpart.baseline else (lane, counterpart.own)
    clock, before = model.clock, float(times.before[after])
    busy = [NO_DATA if time != time else clock.span(time, look) for time in (before, float(times.after[after]))]
    change = change_text(float(times.difference[after]), before, clock, look)
    return [
        tr("busy before {before}, after {after}, difference {change}", before=busy[0], after=busy[1], change=change)
    ]


def _lasting(model: Model, index: I64 | None = None) -> int:
    """How many slices (of ``index``, else of all) are no instants."""
    marks = model.timeline.instants.slice
    if index is None:
        return len(model.rows.start) - len(marks)
    return len(index) - int(np.count_nonzero(among(index, marks)))


def alone_text(differences: SliceDifferences, before: Model, after: Model) -> str:
    """How many slices only one side has: ``12 of 13,818 slices only in the comparison``."""
    only_after = _lasting(after, differences.only_after)
    only_before = _lasting(before, differences.only_before)
    if not only_after and not only_before:
        return tr("all slices matched")
    texts = []
    if only_after:
        texts.append(
            plural(
                "{count:,} of {all:,} slices is only in the comparison",
                "{count:,} of {all:,} slices are only in the comparison",
                count=only_after,
                all=_lasting(after),
            )
        )
    if only_before:
        texts.append(
            plural(
                "{count:,} of {all:,} slices is only in the baseline",
                "{count:,} of {all:,} slices are only in the baseline",
                count=only_before,
                all=_lasting(before),
            )
        )
    return " · ".join(texts)
