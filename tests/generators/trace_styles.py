"""Traces in the styles in which they are written by others, each of any size and from a seed: ``STYLES`` by name.

``python -m generators.trace_styles STYLE OUT.json EVENTS`` writes one. Left out: events spread over several files,
duplicate keys, comments or NaN (see ``hostile_streams`` for broken texts), UTF-16, and flows of more than two ends.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from generators import instruction_trace, kineto_trace, small_events, task_trace
from generators.event_writing import Writing
from generators.instruction_trace import Shape

Lines: TypeAlias = Callable[[int, int], Iterable[bytes]]
"""The texts of about as many events as the first argument says, from a seed."""

PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Around:
    """The text before, between and after the events."""

    head: bytes = b'{"displayTimeUnit":"ns","profilingType":"op","schemaVersion":2,"traceEvents":['
    between: bytes = b","
    tail: bytes = b"]}"


COMPACT = Around()
PRETTY = Around(b'{\n  "displayTimeUnit": "ns",\n  "traceEvents": [', tail=b"\n  ]\n}\n")
SPACED = Around(b'{"displayTimeUnit": "ns", "traceEvents": [', b", ", b'], "otherData": {}}')
LINES = Around(b"[\r\n", b",\r\n", b"\r\n]\r\n")
"""The bare array of tools that append events."""
KINETO = Around(kineto_trace.HEAD, tail=kineto_trace.TAIL)


@dataclass(frozen=True, slots=True)
class TraceStyle:
    """``what``: in words; ``lines``: the events; ``per_million``: how many events a benchmark's million becomes, so
    that all files have about the same size."""

    what: str
    lines: Lines
    around: Around = COMPACT
    per_million: int = 1_000_000

    def pieces(self, events: int, seed: int = 0) -> Iterator[bytes]:
        """The text of a trace of about ``events`` events."""
        yield self.around.head
        between = b""
        for line in self.lines(events, seed):
            yield between + line
            between = self.around.between
        yield self.around.tail

    def write(self, path: Path, events: int, seed: int = 0) -> None:
        """That trace at ``path``."""
        with path.open("wb", buffering=PIECE) as file:
            file.writelines(self.pieces(events, seed))


def _instructions(writing: Writing, shape: Shape, events: int, seed: int) -> Iterator[bytes]:
    return writing.lines(instruction_trace.events(events, seed, shape), seed)


def _tasks(writing: Writing, events: int, seed: int) -> Iterator[bytes]:
    return writing.lines(task_trace.events(events, seed), seed)


def _shuffled(lines: Lines, events: int, seed: int) -> list[bytes]:
    made = list(lines(events, seed))
    random.Random(seed).shuffle(made)
    return made


def _simulator(writing: Writing | None = None, shape: Shape | None = None) -> Lines:
    return partial(_instructions, writing or Writing(), shape or Shape())


USUAL = Writing(order="usual")
STYLES: dict[str, TraceStyle] = {
    "different": TraceStyle("all args differ: register values, program counters", _simulator()),
    "pretty": TraceStyle("the same, indented by two", _simulator(Writing("pretty"), Shape(lanes=56)), PRETTY),
    "spaced": TraceStyle(
        "the same as json.dump writes it", _simulator(Writing("spaced", "usual"), Shape(times="nanoseconds")), SPACED
    ),
    "order": TraceStyle(
        "keys in another order in each event", _simulator(Writing(order="mixed"), Shape(lanes=120, times="nanoseconds"))
    ),
    "strings": TraceStyle("numbers as strings", _simulator(Writing(order="usual", quoted=True), Shape(lanes=48))),
    "lanes": TraceStyle("30,000 lanes", _simulator(shape=Shape(lanes=30_000, times="nanoseconds"))),
    "flows": TraceStyle("an arrow for each slice", _simulator(shape=Shape(arrows=True)), per_million=1_500_000),
    "escaped": TraceStyle("names not in ASCII, escaped", _simulator(Writing("spaced"), Shape(names="foreign")), SPACED),
    "raw": TraceStyle("names not in ASCII, in UTF-8", _simulator(USUAL, Shape(names="foreign", times="whole"))),
    "many_names": TraceStyle("all names differ", _simulator(shape=Shape(names="many", times="nanoseconds")), LINES),
    "nested": TraceStyle(
        "args with objects and lists", _simulator(shape=Shape(nested=True, lanes=400)), per_million=500_000
    ),
    "epoch": TraceStyle("times since 1970", _simulator(shape=Shape(times="epoch"))),
    "quoted_epoch": TraceStyle("times since 1970 as strings", _simulator(USUAL, Shape(times="quoted epoch")), LINES),
    "unsorted": TraceStyle("events in random order of time", partial(_shuffled, _simulator(shape=Shape(lanes=99)))),
    "tasks": TraceStyle("long hints as args, all names differ", partial(_tasks, USUAL), per_million=900_000),
    "kineto": TraceStyle("PyTorch profiler with shapes and stacks", kineto_trace.lines, KINETO, 500_000),
    "pairs": TraceStyle("begins and ends", small_events.pairs, per_million=2_000_000),
    "shortest": TraceStyle("the shortest events", small_events.shortest, per_million=3_000_000),
    "counters": TraceStyle("as many counters as slices", small_events.counters),
}


def text_of(style: str, events: int, seed: int = 0) -> bytes:
    """The whole text of a small trace."""
    return b"".join(STYLES[style].pieces(events, seed))


if __name__ == "__main__":
    STYLES[sys.argv[1]].write(Path(sys.argv[2]), int(sys.argv[3]))
