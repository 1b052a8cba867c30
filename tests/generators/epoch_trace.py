"""Traces whose timestamps count from 1970, as PyTorch writes them (``trace_view.json``), told exactly."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Written: TypeAlias = Literal["bare", "quoted", "mixed"]

EPOCH = 1_718_180_919_106_042_250
"""Nanoseconds of the first slice."""


class Step(Struct, frozen=True):
    """One slice; ``start``, ``duration`` in nanoseconds."""

    start: int
    duration: int
    lane: int
    name: str

    @property
    def end(self) -> int:
        return self.start + self.duration


def steps(count: int, lanes: int = 3, seed: int = 1, first: int = EPOCH) -> list[Step]:
    """Slices that follow one another closely (often without a gap), lane by lane, the first at ``first``."""
    dice = random.Random(seed)
    made: list[Step] = []
    for lane in range(lanes):
        at = first + lane * 17
        for number in range(count // lanes):
            length = dice.choice((1, 250, 407, 1_300, 9_999, 24_125))
            made.append(Step(at, length, lane, f"aten::op_{number % 12}"))
            at += length + dice.choice((0, 0, 0, 1, 125, 5_003))
    return made


def microseconds(nanoseconds: int) -> str:
    """With three decimals, as Kineto prints them."""
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03d}"


def trace(made: Iterable[Step], written: Written = "bare", seed: int = 1, more: Sequence[str] = ()) -> bytes:
    """The text of a trace, in the order given, with ``more`` events behind."""
    dice = random.Random(seed)
    events = ['{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}']
    for step in made:
        quote = '"' if written == "quoted" or (written == "mixed" and dice.random() < 0.5) else ""
        start, duration = (f"{quote}{microseconds(value)}{quote}" for value in (step.start, step.duration))
        events.append(
            f'{{"ph":"X","cat":"cpu_op","name":"{step.name}","pid":1,"tid":{step.lane},"ts":{start},"dur":{duration},'
            f'"args":{{"External id":{len(events)}}}}}'
        )
    return ('{"schemaVersion":1,"traceEvents":[' + ",\n".join([*events, *more]) + "]}").encode()


def write(path: Path, count: int = 6_000, lanes: int = 3, seed: int = 1, written: Written = "bare") -> list[Step]:
    """A trace at ``path``; returns its slices."""
    made = steps(count, lanes, seed)
    path.write_bytes(trace(made, written, seed))
    return made


def busy(made: Iterable[Step]) -> Fraction:
    """Microseconds in which at least one of them runs."""
    total, reach = 0, None
    for step in sorted(made, key=lambda step: step.start):
        total += max(0, step.end - (step.start if reach is None else max(step.start, reach)))
        reach = step.end if reach is None else max(reach, step.end)
    return Fraction(total, 1000)


def gaps(made: Iterable[Step]) -> list[Fraction]:
    """Microseconds between them in which none runs, in the order of time."""
    lengths, reach = [], None
    for step in sorted(made, key=lambda step: step.start):
        if reach is not None and step.start > reach:
            lengths.append(Fraction(step.start - reach, 1000))
        reach = step.end if reach is None else max(reach, step.end)
    return lengths


def moved(made: Iterable[Step], by: int) -> list[Step]:
    """The same, so many nanoseconds later."""
    return [replace(step, start=step.start + by) for step in made]
