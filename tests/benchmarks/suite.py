"""The list of benchmarks. A new one is a module with ``measure(size)`` and one line here."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass

from benchmarks.record import Record
from benchmarks.size import Size


@dataclass(frozen=True, slots=True)
class Benchmark:
    """``name``: as on the command line; ``module``: the module of its ``measure``; it runs in a separate process."""

    name: str
    targets: str
    what: str

    @property
    def module(self) -> str:
        return f"benchmarks.bench_{self.name}"

    def measure(self, size: Size) -> list[Record]:
        """One record that says so where the module is not there."""
        if importlib.util.find_spec(self.module) is None:
            return [Record(self.what, self.targets, None, "", note=f"there is no {self.module}")]
        records: list[Record] = importlib.import_module(self.module).measure(size)
        return records


BENCHMARKS = (
    Benchmark("loading", "T1, T3, T4, T14, T15, T19", "files of every style to mapped columns; info, .json.gz, PopEF"),
    Benchmark("parts", "", "parts of loading a large trace, and what more cores would give"),
    Benchmark("cache", "T5", "opening a file again, in some styles"),
    Benchmark("window", "T2, T3", "the real window: frames and memory while it loads traces, clicks in large profiles"),
    Benchmark("opening", "T2", "turns of the event loop while the first profile opens"),
    Benchmark("first", "T18", "the first data of a large file on the screen"),
    Benchmark("many", "", "a folder of hundreds of small profiles in the window"),
    Benchmark("timeline", "T6", "frames of the timeline"),
    Benchmark("timelines", "T6", "frames of two timelines that are compared"),
    Benchmark("poplar", "T4, T6", "64 IPUs and a million steps in the window"),
    Benchmark("tile_content", "", "what takes one tile, sixteen, all"),
    Benchmark("table", "T7", "sort, filter and scroll a table"),
    Benchmark("source", "T7", "source lines and instructions"),
    Benchmark("tree", "T8", "show, search and scroll a program tree"),
    Benchmark("heat", "T9", "frames of the heat table"),
    Benchmark("plot", "T10", "frames of a line"),
    Benchmark("compare", "", "a million slices matched with a million (target: 2 s)"),
    Benchmark("time", "", "critical path and replay of a million slices (target: 4 s)"),
    Benchmark("query", "", "a million slices grouped by SQL, beside numpy"),
    Benchmark("accesses", "", "frames of memory accesses (no target)"),
    Benchmark("start", "T11, T20", "start-up, and commands without a window"),
)
NOT_HERE = (
    Record(
        "load, viewport and memory beside MindStudio Insight's server",
        "T12",
        None,
        "s",
        note="the rival is no package; when it was built by hand: load 0.22-0.43, viewport 0.005-0.01, memory 0.2",
    ),
    Record(
        "load beside Perfetto UI",
        "T13",
        None,
        "s",
        note="the rival needs a browser; when it was run by hand: 0.06-0.13",
    ),
)
"""Rivals."""
