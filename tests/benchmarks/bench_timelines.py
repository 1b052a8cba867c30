"""Frames of two timelines that are compared: ``PYTHONPATH=.:tests python tests/benchmarks/bench_timelines.py``.

Both are panned by a pixel and fully repainted (1600 x 450 each, offscreen); one slice in fifty is only on one side.
Processor time. The baseline of each figure is the sum of both before they are compared, at the same zoom. Target (T6):
16 ms a frame, or one and a half times that sum.
"""

from __future__ import annotations

import statistics
import time

from msgspec.structs import replace
from PySide6.QtGui import QImage

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.timelines import slice_differences, slice_matches, stretched
from app.profile.arrays import sealed
from app.profile.profile import Origin, Profile
from app.profile.timeline import Timeline
from app.views.look import Look
from app.views.timeline import view as views
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.views.timeline.view import View
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.shared_view import SharedView
from benchmarks.clock import application
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size
from generators.timelines import random_timeline

WIDTH, HEIGHT, LANES = 1600, 450, 40
SHARES = {"zoomed out": 1.02, "at 10 %": 0.1, "at 1 %": 0.01, "at 0.1 %": 0.001}
EVERY = 50


def renamed(line: Timeline) -> Timeline:
    """The same with another name for every EVERY-th slice."""
    name = line.slices.name.copy()
    name[::EVERY] = (name[::EVERY] + 1) % len(line.strings)
    return replace(line, slices=replace(line.slices, name=sealed(name)))


def canvas_of(line: Timeline) -> TimelineCanvas:
    canvas = TimelineCanvas(Display())
    canvas.resize(WIDTH, HEIGHT)
    canvas.show_timeline(Shown(Model.of(line), Look(), Place(WIDTH, HEIGHT)))
    return canvas


def settle(*canvases: TimelineCanvas) -> None:
    for canvas in canvases:
        assert canvas.shown is not None
        while canvas.shown.contents.work():
            pass


def frames(share: float, count: int, above: TimelineCanvas, *others: TimelineCanvas) -> float:
    """Median milliseconds of a frame of all canvases, the first of which is panned."""
    shown = above.shown
    assert shown is not None
    span = (shown.model.end - shown.model.start) * share
    start = shown.model.start + (shown.model.end - shown.model.start - span) * 0.1
    target = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    shown.navigation.show(views.clamped(View(start, start + span), shown.bounds))
    times = []
    for _ in range(count):
        begin = time.process_time()
        shown.navigation.show(views.panned(shown.view, 1 / WIDTH, shown.bounds))
        for canvas in (above, *others):
            canvas.redraw()
            canvas.render(target)
        times.append((time.process_time() - begin) * 1e3)
    return statistics.median(times[min(2, count - 1) :])


def measure(size: Size) -> list[Record]:
    program = application()
    slices = size.slices[min(1, len(size.slices) - 1)]
    line = random_timeline(slices, LANES, processes=1)
    other = renamed(line)
    above, below = canvas_of(line), canvas_of(other)
    settle(above, below)
    alone = {
        name: sum(frames(share, size.frames, canvas) for canvas in (above, below)) for name, share in SHARES.items()
    }
    origin = Origin("ascend-trace", ())
    before, after = (Profile(name=name, origin=origin, timeline=one) for name, one in (("b", other), ("a", line)))
    begin = time.process_time()
    comparison = Comparison(before, after)
    differences = slice_differences(other, line, slice_matches(comparison))
    matched = time.process_time() - begin
    shared = SharedView(above, below)
    assert above.shown is not None
    assert below.shown is not None
    shared.join(above.shown, below.shown, stretched(other, line))
    for canvas, partner in ((above, differences.matches.of_after), (below, differences.matches.of_before)):
        assert canvas.shown is not None
        assert canvas.shown.counterpart is not None
        canvas.show_counterpart(replace(canvas.shown.counterpart, partner=partner))
    settle(above, below)
    what = f"two timelines of {slices:,} slices"
    note = f"{int((differences.matches.of_after < 0).sum()):,} only in one"
    records = [Record(f"{what}: matching and differences, in the background", "", matched * 1e3, "ms", note=note)]
    for name, share in SHARES.items():
        took = frames(share, size.frames, above, below)
        against = "both alone"
        records.append(
            Record(
                f"{what}: {name}",
                "T6",
                took,
                "ms",
                at_most=16,
                ratio_at_most=1.5,
                baseline=alone[name],
                against=against,
            )
        )
    for canvas in (above, below):
        canvas.deleteLater()
    program.processEvents()
    return records


if __name__ == "__main__":
    show_records(measure(FULL))
