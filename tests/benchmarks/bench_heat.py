"""A heat map of 3,000 x 5,888 cells: ``PYTHONPATH=.:tests python tests/benchmarks/bench_heat.py``.

Target (T9): a frame and a change of level at most 5 ms; a single hot cell stays visible when zoomed out. The baseline
draws the same cells without a pyramid: it colours all of them, and the painter scales the image down.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from app.analysis.compare.comparison import Comparison
from app.analysis.matrix import Matrix
from app.panels.heat_table.compared import View, made
from app.profile.arrays import Array
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from app.views.axis import TileAxis
from app.views.heat.scale import lookup, scale_of
from app.views.look import LIGHT
from app.widgets.display import Display
from app.widgets.heat.picture import heat_picture
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from benchmarks.clock import application, frames, median, show, timed
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size

PIXELS = ((600, 1400), (50, 80), (1, 1))


def measure(size: Size) -> list[Record]:
    application()
    rows, tiles = size.compute_sets, size.tiles
    random = np.random.default_rng(1)
    values = random.integers(0, 100_000, (rows, tiles)).astype(np.int32)
    values[random.random(values.shape) < 0.3] = 0
    axis = TileAxis(tiles, group=tiles // 4)
    what = f"heat {rows:,} x {tiles:,}"
    records = []
    for log in (False, True):
        took = timed(partial(heat_picture, "b", values, "cycles", "Set", str, axis, log=log))
        records.append(Record(f"{what}: made, {'logarithmic' if log else 'linear'}", "", took, "ms"))
    canvas: PlaneCanvas[HeatScene] = PlaneCanvas(Display())
    canvas.set_scene(HeatScene(heat_picture("b", values, "cycles", "Set", str, axis)))
    show(canvas, 1600, 700)
    plain = median(partial(_plain, values), min(3, size.repeats))
    middle = QPointF(canvas.width() / 2, canvas.height() / 2)
    for name, change in (
        ("frame, everything in view", canvas._redraw),
        ("frame while zooming in", lambda: canvas._zoom_about(1.12, middle, "bench")),
        ("frame while zooming out", lambda: canvas._zoom_about(1 / 1.12, middle, "bench")),
        ("frame while the pointer moves", canvas.update),
    ):
        half, worst = frames(change, size.frames)
        note = f"worst {worst:.1f} ms"
        records.append(
            Record(f"{what}: {name}", "T9", half, "ms", at_most=5, baseline=plain, against="no pyramid", note=note)
        )
    unseen = sum(not seen for seen in hot_cell(rows, tiles, axis))
    records.append(Record(f"{what}: sizes at which a single hot cell is lost", "T9", unseen, "", at_most=0))
    canvas.close()
    return [*records, *_difference(what, values, size)]


def _difference(what: str, values: Array, size: Size) -> list[Record]:
    """The difference of two such matrices: made in the background, and a frame of it."""
    other = values.copy()
    other[::7] += 500
    names = Strings.of(f"set {row}" for row in range(len(values)))
    before, after = (
        Matrix("m", "Cycles", "Sets", side, "cycles", "", "compute_set", names) for side in (values, other)
    )
    profile = Profile(name="p", origin=Origin("poplar", (Path("graph.json"),)))
    none = np.empty(0, np.int64)
    view = View("difference", False, ("file", "file"), (none, none))
    work = partial(made, Comparison(profile, profile), before, after, view, None, lambda: None)
    took = timed(work)
    canvas: PlaneCanvas[HeatScene] = PlaneCanvas(Display())
    canvas.set_scene(HeatScene(work().picture))
    show(canvas, 1600, 700)
    half, worst = frames(canvas._redraw, size.frames)
    canvas.close()
    return [
        Record(f"{what}: difference of two, in the background", "", took, "ms"),
        Record(f"{what}: frame of the difference", "T9", half, "ms", at_most=5, note=f"worst {worst:.1f} ms"),
    ]


def hot_cell(rows: int, tiles: int, axis: TileAxis) -> list[bool]:
    """Whether one cell among zeros is visible at each size of PIXELS."""
    hot = np.zeros((rows, tiles), np.int32)
    hot[rows * 2 // 5, tiles * 2 // 5] = 9
    picture = heat_picture("hot", hot, "cycles", "Set", str, axis)
    return [bool((picture.pyramid.window((0, rows), (0, tiles), h, w) == 255).any()) for h, w in PIXELS]


def _plain(values: np.ndarray) -> None:
    pixels = np.take(lookup(LIGHT), scale_of(values).codes(values))
    rows, tiles = values.shape
    image = QImage(pixels.data, tiles, rows, tiles * 4, QImage.Format.Format_ARGB32_Premultiplied)
    target = QImage(1400, 600, QImage.Format.Format_RGB32)
    with QPainter(target) as painter:
        painter.drawImage(QRectF(0, 0, 1400, 600), image)


if __name__ == "__main__":
    show_records(measure(FULL))
