"""A plot of 200,000 points: ``PYTHONPATH=.:tests python tests/benchmarks/bench_plot.py``.

Target (T10): a frame at most 3 ms. The baseline is a filled step curve of pyqtgraph with the same values.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from app.views.axis import TileAxis
from app.views.plot import PlotPicture, difference_plot, plot_picture, sides_of
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene
from benchmarks.clock import application, frames, show, timed
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size


def picture(size: int, layers: int) -> PlotPicture:
    random = np.random.default_rng(1)
    return plot_picture("b", "B", TileAxis(size), [(f"part {n}", random.random(size) * 1e5) for n in range(layers)])


def measure(size: Size) -> list[Record]:
    application()
    records = []
    for places in size.places:
        plain = _pyqtgraph(places, min(12, size.frames))
        for layers in (1, 12):
            what = f"line of {places:,} points" + (f", {layers} layers" if layers > 1 else "")
            canvas: PlaneCanvas[PlotScene] = PlaneCanvas(Display())
            made = timed(partial(canvas.set_scene, PlotScene(picture(places, layers))))
            records.append(Record(f"{what}: made", "", made, "ms"))
            show(canvas, 1600, 500)
            middle, worst = frames(canvas._redraw, size.frames)
            note = f"worst {worst:.1f} ms"
            records.append(
                Record(f"{what}: frame", "T10", middle, "ms", 3, baseline=plain, against="pyqtgraph", note=note)
            )
            canvas.close()
            records += _compared(what, places, layers, size)
    return records


def _compared(what: str, places: int, layers: int, size: Size) -> list[Record]:
    """The same with a baseline: its outline, and the difference."""
    random = np.random.default_rng(2)
    after = [(f"part {n}", random.random(places) * 1e5) for n in range(layers)]
    names, sides = sides_of([(name, values * random.random(places)) for name, values in after], after, (places, places))
    axis, records = TileAxis(places), []
    for title, made in (
        ("with the baseline's outline", plot_picture("b", "B", axis, after, sides=sides)),
        ("difference", difference_plot("b", "B", axis, names, sides)),
    ):
        canvas: PlaneCanvas[PlotScene] = PlaneCanvas(Display())
        canvas.set_scene(PlotScene(made))
        show(canvas, 1600, 500)
        middle, worst = frames(canvas._redraw, size.frames)
        records.append(Record(f"{what}, {title}: frame", "", middle, "ms", note=f"worst {worst:.1f} ms"))
        canvas.close()
    return records


def _pyqtgraph(places: int, count: int) -> float:
    import pyqtgraph

    plot = pyqtgraph.PlotWidget()
    values = np.random.default_rng(1).random(places) * 1e5
    plot.plot(np.arange(places + 1), values, stepMode="center", fillLevel=0, brush="#7C93B5", pen=None)
    show(plot, 1600, 500)
    middle, _ = frames(lambda: plot.viewport().update(), count)
    plot.close()
    return middle


if __name__ == "__main__":
    show_records(measure(FULL))
