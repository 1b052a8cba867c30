"""The loops that a run executed, and where each of their repeats begins."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.graph import edges
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
