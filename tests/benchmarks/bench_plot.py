"""A plot of 200,000 places: ``PYTHONPATH=.:tests python tests/benchmarks/bench_plot.py``.

Target (T10): a frame at most 3 ms. The baseline is a filled step curve of pyqtgraph with the same figures.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from app.widgets.display import Display
from app.widgets.plot.canvas import PlotCanvas
from app.widgets.plot.picture import PlotPicture, plot_picture
from app.widgets.tile_axis import TileAxis
from benchmarks.clock import application, frames, line, show, timed

SIZES = (5_888, 50_000, 200_000)


def picture(size: int, layers: int) -> PlotPicture:
    random = np.random.default_rng(1)
    return plot_picture("b", "B", TileAxis(size), [(f"part {n}", random.random(size) * 1e5) for n in range(layers)])


def main() -> None:
    application()
    for size in SIZES:
        for layers in (1, 12):
            canvas = PlotCanvas(Display())
            shown = picture(size, layers)
            line(f"set {size:,} places, {layers} layers", timed(partial(canvas.set_picture, shown)), "")
            show(canvas, 1600, 500)
            middle, worst = frames(canvas._redraw)
            line(f"frame of {size:,} places, {layers} layers", middle, "<= 3 ms", f"worst {worst:.1f} ms")
            canvas.close()
        _pyqtgraph(size)


def _pyqtgraph(size: int) -> None:
    import pyqtgraph

    plot = pyqtgraph.PlotWidget()
    values = np.random.default_rng(1).random(size) * 1e5
    plot.plot(np.arange(size + 1), values, stepMode="center", fillLevel=0, brush="#7C93B5", pen=None)
    show(plot, 1600, 500)
    middle, worst = frames(lambda: plot.viewport().update(), 12)
    line(f"baseline: pyqtgraph, {size:,} places filled", middle, "", f"worst {worst:.1f} ms")
    plot.close()


if __name__ == "__main__":
    main()
