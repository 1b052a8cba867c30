"""Frames of the timeline canvas: ``PYTHONPATH=.:tests python tests/benchmarks/bench_timeline.py [SLICES ...]``.

Every frame is panned by a pixel and painted in full (1600 x 900, offscreen). Prints medians in milliseconds for 10^5,
10^6 and 10^7 slices on 40 lanes (22 px each) and on 252 lanes (all of them in sight), fully out, at 1 % and deep in.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.widgets.display import Display, Look
from app.widgets.timeline import view as views
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.model import Model
from app.widgets.timeline.scene import Place
from app.widgets.timeline.state import Shown
from app.widgets.timeline.view import View
from generators.timelines import random_timeline

FRAMES = 25
WIDTH, HEIGHT = 1600, 900


def prepared(slices: int, lanes: int) -> tuple[TimelineCanvas, float, float, float]:
    """(canvas, seconds to set the model, seconds to build what zoomed-out views need, its longest step in ms)."""
    line = random_timeline(slices, lanes, processes=1)
    canvas = TimelineCanvas(Display())
    canvas.resize(WIDTH, HEIGHT)
    begin = time.perf_counter()
    canvas.show_timeline(Shown(Model.of(line), Look(), Place(WIDTH, HEIGHT)))
    model = time.perf_counter() - begin
    assert canvas.shown is not None
    canvas.shown.set_rows("normal" if lanes <= 40 else "all")
    longest, begin = 0.0, time.perf_counter()
    while True:
        step = time.perf_counter()
        more = canvas.shown.contents.work()
        longest = max(longest, time.perf_counter() - step)
        if not more:
            break
    return canvas, model, time.perf_counter() - begin, longest * 1e3


def frames(canvas: TimelineCanvas, share: float) -> float:
    """Median milliseconds of a frame that shows ``share`` of the whole."""
    shown = canvas.shown
    assert shown is not None
    span = (shown.model.end - shown.model.start) * share
    start = shown.model.start + (shown.model.end - shown.model.start - span) * 0.1
    target = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    shown.view = views.clamped(View(start, start + span), shown.bounds)
    times = []
    for _ in range(FRAMES):
        begin = time.perf_counter()
        shown.view = views.panned(shown.view, 1 / WIDTH, shown.bounds)
        canvas.redraw()
        canvas.render(target)
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times[2:])


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or [10**5, 10**6, 10**7]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    print("lanes    slices   model ms  build ms  step ms |  fully out   10 %    1 %   0.1 %   deep (ms a frame)")
    for lanes in (40, 252):
        fully = []
        for slices in sizes:
            canvas, model, build, longest = prepared(slices, lanes)
            shares = [frames(canvas, share) for share in (1.02, 0.1, 0.01, 0.001, 40 * lanes / slices)]
            fully.append(max(shares))
            shown = "  ".join(f"{ms:6.2f}" for ms in shares)
            print(
                f"{lanes:5}  {slices:9,}  {model * 1e3:7.1f}  {build * 1e3:8.0f}  {longest:7.1f} |     {shown}",
                flush=True,
            )
            canvas.deleteLater()
            application.processEvents()
        print(f"{lanes:5}  worst frame of the largest to that of the smallest: {fully[-1] / fully[0]:.2f}")


if __name__ == "__main__":
    main()
