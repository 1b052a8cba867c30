"""Frames of the timeline canvas: ``PYTHONPATH=.:tests python tests/benchmarks/bench_timeline.py``.

Every frame is panned by a pixel and fully repainted (1600 x 900, offscreen): medians for 10^5, 10^6 and 10^7 slices on
40 lanes (22 px each) and on 252 lanes (all visible), zoomed out, at 1 % and zoomed in. Target (T6): at most 16 ms at
any zoom, and the worst frame of the largest at most three times that of the smallest.
"""

from __future__ import annotations

import statistics
import time

from PySide6.QtGui import QImage

from app.views.look import Look
from app.views.timeline import view as views
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.views.timeline.view import View
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from benchmarks.clock import application
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size
from generators.timelines import random_timeline

WIDTH, HEIGHT = 1600, 900
SHARES = {"zoomed out": 1.02, "at 10 %": 0.1, "at 1 %": 0.01, "at 0.1 %": 0.001}


def prepared(slices: int, lanes: int) -> tuple[TimelineCanvas, float, float, float]:
    """(canvas, seconds to set the model, seconds to build the pyramid for zoomed-out views, its longest step in ms)."""
    line = random_timeline(slices, lanes, processes=1)
    canvas = TimelineCanvas(Display())
    canvas.resize(WIDTH, HEIGHT)
    begin = time.perf_counter()
    canvas.show_timeline(Shown(Model.of(line), Look(), Place(WIDTH, HEIGHT)))
    model = time.perf_counter() - begin
    assert canvas.shown is not None
    canvas.shown.lanes.set_rows("normal" if lanes <= 40 else "all")
    longest, begin = 0.0, time.perf_counter()
    while True:
        step = time.perf_counter()
        more = canvas.shown.contents.work()
        longest = max(longest, time.perf_counter() - step)
        if not more:
            break
    return canvas, model, time.perf_counter() - begin, longest * 1e3


def frames(canvas: TimelineCanvas, share: float, count: int) -> float:
    """Median milliseconds of a frame that shows ``share`` of the whole."""
    shown = canvas.shown
    assert shown is not None
    span = (shown.model.end - shown.model.start) * share
    start = shown.model.start + (shown.model.end - shown.model.start - span) * 0.1
    target = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    shown.navigation.view = views.clamped(View(start, start + span), shown.bounds)
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        shown.navigation.view = views.panned(shown.view, 1 / WIDTH, shown.bounds)
        canvas.redraw()
        canvas.render(target)
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times[min(2, count - 1) :])


def measure(size: Size) -> list[Record]:
    program = application()
    records = []
    for lanes in (40, 252):
        worst = []
        for slices in size.slices:
            what = f"timeline, {slices:,} slices on {lanes} lanes"
            canvas, model, build, longest = prepared(slices, lanes)
            records.append(Record(f"{what}: model", "", model * 1e3, "ms"))
            note = f"longest step {longest:.1f} ms"
            records.append(Record(f"{what}: pyramid, in idle time", "", build * 1e3, "ms", note=note))
            times = [frames(canvas, share, size.frames) for share in (*SHARES.values(), 40 * lanes / slices)]
            worst.append(max(times))
            for name, took in zip((*SHARES, "deep"), times, strict=True):
                records.append(Record(f"{what}: {name}", "T6", took, "ms", at_most=16))
            canvas.deleteLater()
            program.processEvents()
        name = f"timeline on {lanes} lanes: worst frame of {size.slices[-1]:,} slices"
        against = f"that of {size.slices[0]:,}"
        records.append(Record(name, "T6", worst[-1], "ms", ratio_at_most=3, baseline=worst[0], against=against))
    return records


if __name__ == "__main__":
    show_records(measure(FULL))
