"""The iterations of the outermost loop of a run as parts of a profile, found in a sequence of names: the same names
in the same order, again and again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.names import without_numbers
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.timelines import step_starts
from app.analysis.timeline.times import extent, row_lanes
from app.language import tr
from app.profile.arrays import F64, I64, distinct
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline

PERIODS: Final = 24
"""So many distances at which names come again are tried."""
FEWEST: Final = 2
COVERED: Final = 0.5
"""A loop takes at least this share of the time of its sequence."""
EVEN: Final = 0.25
"""The spread of the lengths of iterations (standard deviation over mean) that are recognised by one name alone."""


class Loop(Struct, frozen=True, eq=False):
    """``starts``: int64, ascending: where each iteration begins in the sequence; ``end``: where the last one ends."""

    starts: I64
    end: int

    def __len__(self) -> int:
        return len(self.starts)


def outermost_loop(names: I64, start: F64, end: F64) -> Loop | None:
    """The loop of the most items whose iterations are alike, else the fewest evenly spaced repetitions of one name;
    None without a loop that takes half of the time. ``names``: int64 ids of the items in their order, which go from
    ``start`` to ``end`` (float64, starts ascending)."""
    if len(names) < FEWEST:
        return None
    length = float(end.max() - start[0])
    loop = _periodic(names)
    if loop is not None and _span(loop, start, end) >= COVERED * length:
        return loop
    return _spaced(names, start, length)


def _span(loop: Loop, start: F64, end: F64) -> float:
    return float(end[loop.starts[0] : loop.end].max() - start[loop.starts[0]])


def _periodic(names: I64) -> Loop | None:
    """The longest stretch that repeats with one period, of several as long ones that with the shortest period."""
    best: tuple[int, int, int] | None = None
    for period in _periods(names):
        first, count = _longest_run(names[period:] == names[:-period])
        repeats = (count + period) // period
        if repeats >= FEWEST and count >= period:
            covered = repeats * period
            if best is None or covered > best[0] or (covered == best[0] and period < best[1]):
                best = covered, period, first
    if best is None:
        return None
    covered, period, first = best
    return Loop(np.arange(first, first + covered, period, dtype=np.int64), first + covered)


def _periods(names: I64) -> list[int]:
    """Distances between one name and the next of the same, those that take most of the sequence first."""
    order = np.argsort(names, kind="stable")
    same = names[order][1:] == names[order][:-1]
    gaps, counts = np.unique(np.diff(order)[same], return_counts=True)
    return [int(gap) for gap in gaps[np.argsort(-gaps * counts, kind="stable")][:PERIODS]]


def _longest_run(mask: F64 | I64) -> tuple[int, int]:
    """(first, length) of the longest run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    if not len(edges):
        return 0, 0
    begins, lengths = edges[::2], edges[1::2] - edges[::2]
    longest = int(np.argmax(lengths))
    return int(begins[longest]), int(lengths[longest])


def _spaced(names: I64, start: F64, length: float) -> Loop | None:
    """Iterations that begin with the same name at even distances: the fewest, of several such names the first."""
    order = np.argsort(names, kind="stable")
    bounds = np.flatnonzero(np.diff(names[order])) + 1
    best: tuple[int, int, I64] | None = None
    for places in np.split(order, bounds):
        if len(places) <= FEWEST or (best is not None and len(places) > best[0]):
            continue
        gaps = np.diff(start[places])
        mean = float(gaps.mean())
        if mean > 0 and gaps.std() <= EVEN * mean and mean * len(places) >= COVERED * length:
            key = len(places), int(places[0])
            if best is None or key < best[:2]:
                best = *key, places
    return None if best is None else Loop(best[2].astype(np.int64), len(names))


ROWS: Final = 64
"""So many rows of lanes, those with the most time, are searched for a loop."""
SLICES: Final = 4_000_000
"""So many slices are searched."""
MOST: Final = 10_000
"""Iterations that are listed."""
ABOUT: Final = 0.5
"""Iterations may be so much longer or shorter than their median, but for one in four."""
WHOLE: Final = 0.5
"""A loop takes at least this share of the time of the timeline."""


class _Candidate(Struct, frozen=True, eq=False):
    """A loop in a sequence of items: their starts and ends (float64) and own names, and what they are of."""

    loop: Loop
    start: F64
    end: F64
    names: list[str]
    where: str

    @property
    def rank(self) -> tuple[bool, int]:
        """Fewer iterations are those of an outer loop; two may be by chance."""
        return len(self.loop) < 3, len(self.loop)


def iterations(profile: Profile) -> PartList:
    """The iterations of the loop that takes most of the run: of the steps, else of the slices of one lane. Numbers in
    names are ignored, so that "step 7" repeats "step 6"."""
    line = profile.timeline
    whole = None if line is None else extent(line)
    if line is None or whole is None:
        return PartList("iteration", (), "")
    length = whole[1] - whole[0]
    candidates = [] if profile.steps is None else [_of_steps(profile.steps, line)]
    if not any(candidates):
        candidates = list(_of_rows(line))
    loops = [one for one in candidates if one is not None and _covered(one) >= WHOLE * length and _even(one)]
    if not loops:
        return PartList("iteration", (), "")
    best = min(loops, key=lambda one: one.rank)
    return PartList("iteration", tuple(_parts(best, line)), tr("Repetitions of the same names: {of}.", of=best.where))


def _even(candidate: _Candidate) -> bool:
    """Whether the iterations take about as long as each other; the first, which may prepare much, may differ."""
    ends = np.append(candidate.start[candidate.loop.starts[1:]], candidate.end[: candidate.loop.end].max())
    lengths = ends - candidate.start[candidate.loop.starts]
    usual = lengths[1:] if len(lengths) > 2 else lengths
    middle = float(np.median(usual))
    return int(np.count_nonzero(np.abs(usual - middle) > ABOUT * middle)) <= len(usual) // 4


def _covered(candidate: _Candidate) -> float:
    first, end = int(candidate.loop.starts[0]), candidate.loop.end
    if len(candidate.loop) == end - first:  # single items: what lies between them is no part of a loop
        return float((candidate.end - candidate.start)[first:end].sum())
    return float(candidate.end[first:end].max() - candidate.start[first])


def _parts(candidate: _Candidate, line: Timeline) -> Iterator[ProfilePart]:
    loop = candidate.loop
    starts = candidate.start[loop.starts]
    after = loop.end < len(candidate.start)
    last = float(candidate.start[loop.end]) if after else float(candidate.end[loop.starts[-1] :].max())
    ends = [*starts[1:].tolist(), last]
    own = [candidate.names[place] for place in loop.starts.tolist()]
    distinct = len(set(own)) == len(own)
    for number, (start, end) in enumerate(zip(starts.tolist()[:MOST], ends, strict=False), 1):
        label = tr("iteration {number}", number=number)
        if distinct:
            label = tr("iteration {number}: {name}", number=number, name=own[number - 1])
        yield ProfilePart("iteration", str(number), label, end - start, line.unit, TimeRange(start, end))


def _of_steps(steps: Steps, line: Timeline) -> _Candidate | None:
    """The loop of the steps, in their order."""
    start = step_starts(line, len(steps))
    record = line.slices.record
    end = start.copy()
    known = (record >= 0) & (record < len(steps))
    end[record[known]] += line.slices.duration[known]
    rows = np.flatnonzero(np.isfinite(start))
    rows = rows[np.argsort(start[rows], kind="stable")]
    if not len(rows):
        return None
    count = len(steps.strings) + 1
    name = np.where(steps.name >= 0, steps.name, steps.type).astype(np.int64)
    ids = ((steps.program.astype(np.int64) + 1) * count + name + 1)[rows]
    loop = outermost_loop(ids, start[rows], end[rows])
    if loop is None:
        return None
    names = [steps.strings.get(number) for number in name[rows].tolist()]
    return _Candidate(loop, start[rows], end[rows], names, tr("steps of the run"))


def _of_rows(line: Timeline) -> Iterator[_Candidate | None]:
    """The loops of single rows of lanes, of those with the most time."""
    slices, lanes = line.slices, row_lanes(line)
    counts = np.diff(slices.first)
    full = np.flatnonzero(counts >= 2)
    if not len(full):
        return
    busy = np.add.reduceat(slices.duration, slices.first[:-1][counts > 0])
    time = np.zeros(len(counts))
    time[counts > 0] = busy
    alike = _without_numbers(line)
    left = SLICES
    for row in full[np.argsort(-time[full], kind="stable")][:ROWS].tolist():
        left -= int(counts[row])
        if left < 0:
            return
        own = slice(int(slices.first[row]), int(slices.first[row + 1]))
        start, ids = slices.start[own], slices.name[own]
        end = start + slices.duration[own]
        loop = outermost_loop(alike[ids], start, end)
        if loop is not None:
            lane = int(lanes[row])
            where = [line.strings.get(int(number)) for number in (line.lanes.process[lane], line.lanes.thread[lane])]
            names = [line.strings.get(number) for number in ids.tolist()]
            yield _Candidate(loop, start, end, names, " / ".join(filter(None, where)))


def _without_numbers(line: Timeline) -> I64:
    """int64[texts]: the same id for names that differ in numbers only."""
    used = distinct(line.slices.name)
    alike = np.arange(len(line.strings), dtype=np.int64)
    first: dict[str, int] = {}
    for number in used.tolist():
        alike[number] = first.setdefault(without_numbers(line.strings.get(number)), number)
    return alike
