"""A heat map of 3,000 x 5,888 cells: ``PYTHONPATH=.:tests python tests/benchmarks/bench_heat.py``.

Target (T9): a frame and a change of level at most 5 ms; a single hot cell survives zooming out. The baseline makes
the picture of the same cells without a pyramid: colours for all of them, then shrunk by the painter.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from app.widgets.display import Display
from app.widgets.heat.canvas import HeatCanvas
from app.widgets.heat.picture import heat_picture
from app.widgets.heat.scale import lookup, scale_of
from app.widgets.theme import LIGHT
from app.widgets.tile_axis import TileAxis
from benchmarks.clock import application, frames, line, median, show, timed

ROWS, TILES = 3000, 5888


def main() -> None:
    application()
    random = np.random.default_rng(1)
    values = random.integers(0, 100_000, (ROWS, TILES)).astype(np.int32)
    values[random.random(values.shape) < 0.3] = 0
    axis = TileAxis(TILES, group=1472)
    for log in (False, True):
        made = timed(partial(heat_picture, "b", values, "cycles", "Set", str, axis, log=log))
        line(f"set {ROWS:,} x {TILES:,}, {'logarithmic' if log else 'linear'}", made, "")
    canvas = HeatCanvas(Display())
    canvas.set_picture(heat_picture("b", values, "cycles", "Set", str, axis))
    show(canvas, 1600, 700)
    line("baseline: all cells coloured, then shrunk", median(lambda: _plain(values), 3), "")
    middle = QPointF(canvas.width() / 2, canvas.height() / 2)
    for what, change in (
        ("frame, everything in view", canvas._redraw),
        ("frame while zooming in", lambda: canvas._zoom_about(1.12, middle, "bench")),
        ("frame while zooming out", lambda: canvas._zoom_about(1 / 1.12, middle, "bench")),
        ("frame while the pointer moves", canvas.update),
    ):
        half, worst = frames(change)
        line(what, half, "<= 5 ms", f"worst {worst:.1f} ms")
    hot = np.zeros((ROWS, TILES), np.int32)
    hot[1234, 2345] = 9
    canvas.set_picture(heat_picture("hot", hot, "cycles", "Set", str, axis))
    picture = canvas.picture
    assert picture is not None
    seen = [
        (picture.pyramid.window((0, ROWS), (0, TILES), h, w) == 255).any() for h, w in ((600, 1400), (50, 80), (1, 1))
    ]
    sys.stdout.write(f"a single hot cell is seen at 1400 x 600, 80 x 50 and 1 x 1 pixels: {seen}\n")


def _plain(values: np.ndarray) -> None:
    pixels = np.take(lookup(LIGHT), scale_of(values).codes(values))
    image = QImage(pixels.data, TILES, ROWS, TILES * 4, QImage.Format.Format_ARGB32_Premultiplied)
    target = QImage(1400, 600, QImage.Format.Format_RGB32)
    with QPainter(target) as painter:
        painter.drawImage(QRectF(0, 0, 1400, 600), image)


if __name__ == "__main__":
    main()
