"""The loops that a run executed: where each of their repeats begins, how long it took, and how that time was spent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.graph import edges
from app.analysis.timeline.intervals import union_lengths
from app.language import plural
from app.profile.arrays import I32, I64, Bool, Ragged, distinct, others
from app.profile.poplar import Programs, Steps
from app.profile.profile import Profile

LOOP_TYPES: Final = ("Repeat", "RepeatWhileTrue", "RepeatWhileFalse", "RepeatWhile")
CONDITIONAL: Final = ("If", "IfElse", "Switch", "OnEveryTileSwitch")
MOST_LOOPS: Final = 100


class Loop(Struct, frozen=True, eq=False):
    """``program``: the index of the loop; ``inside``: bool[programs], those below it; ``starts``: int64, the steps at
    which a repeat begins, rising; ``fed``: whether its own body (without nested loops) takes data from the host."""

    program: int
    name: str
    inside: Bool
    starts: I64
    fed: bool

    @property
    def label(self) -> str:
        count = len(self.starts)
        return plural(
            "{name} (program {program:,}, {count:,} repeat)",
            "{name} (program {program:,}, {count:,} repeats)",
            count=count,
            name=self.name,
            program=self.program,
        )


class Loops(Struct, frozen=True, eq=False):
    """``complete``: whether these are all loops that ran."""

    all: tuple[Loop, ...] = ()
    complete: bool = True

    def of_program(self, program: int) -> Loop | None:
        return next((loop for loop in self.all if loop.program == program), None)

    @property
    def of_micro_batches(self) -> Loop | None:
        """The loop that processes one micro-batch per repeat: the only loop, or the only one that takes data from the
        host. None if that is ambiguous."""
        fed = self.all if len(self.all) == 1 else [loop for loop in self.all if loop.fed]
        return fed[0] if len(fed) == 1 and self.complete else None


def loops(profile: Profile) -> Loops:
    """The loops whose repeats can be distinguished in the steps of the run, in the order of their programs. A repeat is
    identified by a program that runs exactly once in it, and nowhere else."""
    programs, steps = profile.programs, profile.steps
    if programs is None or steps is None or not len(programs) or not len(steps):
        return Loops()
    below = edges(programs)
    walk = _Walk(profile, programs, steps, below, _first_steps(steps.program, len(programs)))
    candidates = [program for program in programs.of_type(*LOOP_TYPES).tolist() if walk.above[program]]
    made = [loop for program in candidates[:MOST_LOOPS] if (loop := walk.loop(program)) is not None]
    return Loops(tuple(made), len(candidates) <= MOST_LOOPS)


class _Walk:
    """What all loops of one profile share. ``first``: the first step of each program; ``above``: bool[programs], those
    that ran or contain one that did."""

    def __init__(self, profile: Profile, programs: Programs, steps: Steps, below: Ragged, first: I64) -> None:
        self.profile, self.programs, self.steps, self.below, self.first = profile, programs, steps, below, first
        self.ran = first < len(steps)
        self.above = reached(_turned(below), np.flatnonzero(self.ran))
        self.loops = np.zeros(len(programs), np.bool_)
        self.loops[programs.of_type(*LOOP_TYPES)] = True
        self.stops = self.loops.copy()
        self.stops[programs.of_type(*CONDITIONAL)] = True
        self.roots = _roots(programs, below)

    def loop(self, program: int) -> Loop | None:
        ways = counted_ways(self.below, program, self.stops)
        if ways is None:
            return None
        once, every = ways
        outside = reached(self.below, self.roots, closed=_only(program, len(self.below)))
        marks = np.flatnonzero((once == 1) & (every == 1) & self.ran & ~outside)
        if not len(marks):
            return None
        mark = int(marks[np.argmin(self.first[marks])])
        starts = np.flatnonzero(self.steps.program == mark).astype(np.int64)
        texts = self.programs.strings
        name = texts.get(int(self.programs.name[program])) or texts.get(int(self.programs.type[program]))
        return Loop(program, name, every > 0, starts, self._fed(program))

    def _fed(self, program: int) -> bool:
        """Whether the loop's own body contains a copy from the host. If the file does not state the direction of an
        exchange, any copy counts."""
        programs = self.programs
        kids = children(np.array([program]), self.below)[1]
        body = reached(self.below, kids, closed=self.loops)
        copies = programs.of_type(*(name for name in programs.strings if name.startswith("StreamCopy")))
        host = self.profile.exchanges.host if self.profile.exchanges is not None else None
        for row in copies[body[copies]].tolist():
            exchange = int(programs.exchange[row])
            if host is None or host.received is None or not 0 <= exchange < len(host.received):
                return True
            if int(host.received[exchange].max(initial=0)) > 0:
                return True
        return False


def _roots(programs: Programs, below: Ragged) -> I64:
    """Where a run begins: the control programs, else those that no program contains."""
    control = programs.control.astype(np.int64)
    control = control[(control >= 0) & (control < len(programs))]
    if len(control):
        return control
    return others(len(programs), below.items)


def _turned(below: Ragged) -> Ragged:
    """The reverse edges: for each program, those directly above it."""
    order = np.argsort(below.items, kind="stable")
    lengths = np.bincount(below.items, minlength=len(below)).astype(np.int64)
    return Ragged.of(lengths, below.owner[order])


def _only(program: int, count: int) -> Bool:
    out = np.zeros(count, np.bool_)
    out[program] = True
    return out


def _first_steps(program: I32, count: int) -> I64:
    """int64[programs]: the first step of each; the number of steps for programs that never ran."""
    out = np.full(count, len(program), np.int64)
    inside = np.flatnonzero((program >= 0) & (program < count))[::-1]
    out[program[inside]] = inside
    return out


MOST_LEVELS: Final = 256
MANY: Final = 2
"""Paths are counted up to here."""


def children(level: I64, below: Ragged) -> tuple[I64, I64]:
    """(index in ``level``, child) of every edge below it."""
    edges = below.gather(level)
    return edges.owner, edges.items.astype(np.int64)


def reached(below: Ragged, roots: I64, closed: Bool | None = None) -> Bool:
    """bool[programs]: ``roots`` and everything below them; ``closed`` programs are reached, but not descended into."""
    seen = np.zeros(len(below), np.bool_)
    level = distinct(roots)
    while len(level):
        seen[level] = True
        open_ = level if closed is None else level[~closed[level]]
        kids = children(open_, below)[1]
        level = distinct(kids[~seen[kids]])
    return seen


def counted_ways(below: Ragged, program: int, stops: Bool) -> tuple[I64, I64] | None:
    """(number of paths from ``program`` that pass through no program in ``stops``, number of all paths) to each
    program: int64[programs], counted up to MANY. None if a program contains itself, or is nested deeper than
    MOST_LEVELS."""
    once, every = np.zeros(len(below), np.int64), np.zeros(len(below), np.int64)
    level, plain, all_ = np.array([program], np.int64), np.ones(1, np.int64), np.ones(1, np.int64)
    for _ in range(MOST_LEVELS):
        owners, kids = children(level, below)
        if not len(kids):
            return np.minimum(once, MANY), np.minimum(every, MANY)
        passed = np.where(stops[level] & (level != program), 0, plain)
        level, place = np.unique(kids, return_inverse=True)
        plain = np.minimum(np.bincount(place, passed[owners]), MANY).astype(np.int64)
        all_ = np.minimum(np.bincount(place, all_[owners]), MANY).astype(np.int64)
        once[level] += plain
        every[level] += all_
        if every[program]:
            return None
    return None


def shares(low: int, high: int, classes: Sequence[tuple[I64, I64]]) -> tuple[list[float], float]:
    """How much of low..high each class of ranges (starts, ends) covers beyond the classes before it, and how much none
    covers: together all of it."""
    covered, lengths = 0.0, []
    starts, ends = np.empty(0, np.int64), np.empty(0, np.int64)
    for start, end in classes:
        starts = np.concatenate((starts, np.clip(start, low, high)))
        ends = np.concatenate((ends, np.clip(end, low, high)))
        now = float(union_lengths(starts, ends, np.zeros(len(starts), np.int64), 1)[0])
        lengths.append(now - covered)
        covered = now
    return lengths, high - low - covered


class Repeats(Struct, frozen=True, eq=False):
    """``starts``, ``ends``: int64, first step of each measured repeat and the step after its last; ``length``: int64,
    cycles. ``whole``: each repeat is directly followed by the next, and its length extends to that; else it ends with
    its last step. ``belongs``: bool[steps], those of the loop (or of no program, such as syncs)."""

    loop: Loop
    clock: float
    starts: I64
    ends: I64
    length: I64
    whole: bool
    belongs: Bool


def repeats(steps: Steps, loop: Loop, clock_hz: float) -> Repeats:
    """The repeats with nothing else between them and the next; if there are none (one repeat per update), those up to
    the first step of something else."""
    belongs = np.ones(len(steps), np.bool_)
    inside = (steps.program >= 0) & (steps.program < len(loop.inside))
    belongs[inside] = loop.inside[steps.program[inside]]
    begins = loop.starts
    others = np.concatenate((np.zeros(1, np.int64), np.cumsum(~belongs, dtype=np.int64)))
    start, end = begins[:-1], begins[1:]
    length = steps.cycles_from[end] - steps.cycles_from[start]
    good = (others[start] == others[end]) & (length > 0) & (steps.cycles_from[start] >= 0)
    if bool(np.any(good)):
        return Repeats(loop, clock_hz, start[good], end[good], length[good], True, belongs)
    return _apart(steps, Repeats(loop, clock_hz, begins, begins, begins, False, belongs), others)


def _apart(steps: Steps, own: Repeats, others: I64) -> Repeats:
    starts = own.starts
    ends = np.searchsorted(others, others[starts], "right") - 1  # the first step of something else
    ends = np.minimum(ends, np.append(starts[1:], len(steps)))
    latest = np.array([steps.cycles_to[a:b].max(initial=-1) for a, b in zip(starts, ends, strict=True)], np.int64)
    length = latest - steps.cycles_from[starts]
    good = (length > 0) & (steps.cycles_from[starts] >= 0)
    return Repeats(own.loop, own.clock, starts[good], ends[good], length[good], False, own.belongs)


def middle(values: I64) -> int:
    """The index of the median (the lower one of two)."""
    return int(np.argsort(values, kind="stable")[(len(values) - 1) // 2])


class Parts(Struct, frozen=True, eq=False):
    """Cycles of one repeat; time that steps of several kinds cover counts for the first of ``reduce``, ``ipu``,
    ``links``, ``transfer``. ``steps``: those of the repeat."""

    reduce: float
    ipu: float
    links: float
    transfer: float
    waiting: float
    steps: I64


def parts(steps: Steps, own: Repeats, repeat: int, reduces: Bool) -> Parts:
    """Split a repeat by how its time was spent. ``reduces``: bool[steps], those that reduce gradients."""
    rows = np.arange(own.starts[repeat], own.ends[repeat])
    low = int(steps.cycles_from[rows[0]])
    high = low + int(own.length[repeat])
    timed = rows[(steps.cycles_from[rows] >= 0) & (steps.cycles_to[rows] >= steps.cycles_from[rows])]
    kinds = kinds_of(steps)[timed]
    reduce = reduces[timed]
    chosen = [reduce, ~reduce & (kinds == IPU), ~reduce & (kinds == LINKS), ~reduce & (kinds == TRANSFER)]
    stretches = [(steps.cycles_from[timed[rows_]], steps.cycles_to[timed[rows_]]) for rows_ in chosen]
    (first, ipu, links, transfer), rest = shares(low, high, stretches)
    return Parts(first, ipu, links, transfer, rest, rows.astype(np.int64))


IPU, LINKS, TRANSFER, NOTHING = range(4)


def kinds_of(steps: Steps) -> I64:
    """int64[steps]: how each step spends its time. Unknown types count as work of the IPU."""
    kinds = np.full(len(steps.strings) + 1, IPU, np.int64)
    for number, text in enumerate(steps.strings.tolist()):
        if text == "GlobalExchange":
            kinds[number] = LINKS
        elif text.startswith("StreamCopy"):
            kinds[number] = TRANSFER
        elif text.lower() == "sync":
            kinds[number] = NOTHING
    return kinds[steps.type]  # -1 (no type) indexes the last
