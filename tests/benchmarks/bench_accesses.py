"""Frames of memory accesses: ``PYTHONPATH=.:tests python tests/benchmarks/bench_accesses.py``.

Every frame is drawn in full (1600 x 600, offscreen). Medians in milliseconds for 10^5, 10^6 and 4 x 10^6
accesses: all of them, zoomed both ways, zoomed along the records, zoomed along the addresses.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from app.panels.memory_accesses.picture import AccessScene, scene_of
from app.profile.arrays import sealed
from app.profile.ascend import MemoryAccesses
from app.views.memory_accesses.records import Filter
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from benchmarks.clock import application
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size

FRAMES = 11
ZOOMS = (1.0, 2.0, 5.0, 20.0, 200.0)


def accesses(count: int) -> MemoryAccesses:
    """Accesses to eight tensors at distant addresses, each traversed repeatedly with some jitter."""
    rng = np.random.RandomState(0)
    tensor = rng.randint(0, 8, count).astype(np.uint64) << np.uint64(32)
    place = (np.arange(count) % 50_000 * 512 + rng.randint(0, 1 << 20, count)).astype(np.uint64)
    return MemoryAccesses(
        operation=sealed(rng.choice([3, 4], count).astype(np.uint8)),
        core=sealed((np.arange(count) % 40).astype(np.int32)),
        space=sealed(np.ones(count, np.int32)),
        block_type=sealed(np.zeros(count, np.uint8)),
        record=sealed(np.arange(count)),
        address=sealed(np.uint64(0x12C0_0000_0000) + tensor + place),
        size=sealed(np.full(count, 512, np.uint64)),
        pc=sealed(np.zeros(count, np.uint64)),
        stacks=None,
    )


def frame(canvas: PlaneCanvas[AccessScene], x: float, y: float) -> float:
    """Median milliseconds of a frame zoomed by ``x`` and ``y``."""
    assert canvas.scene is not None
    assert canvas.history is not None
    whole = canvas.scene.whole()
    canvas.history.view = whole.zoomed(x, y, (whole.x.size * 0.4, whole.y.size * 0.3))
    times = []
    for _ in range(FRAMES):
        begin = time.perf_counter()
        canvas._redraw()
        canvas.grab()
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times)


def measure(size: Size) -> list[Record]:
    application()
    records = []
    for count in size.accesses:
        what, section = f"{count:,} accesses", accesses(count)
        begin = time.perf_counter()
        scene = scene_of(section, Filter(), compact=True)
        records.append(Record(f"{what}: placed", "", 1e3 * (time.perf_counter() - begin), "ms"))
        canvas: PlaneCanvas[AccessScene] = PlaneCanvas(Display())
        canvas.resize(1600, 600)
        canvas.set_scene(scene)
        for name, ways in (("both", (1, 1)), ("records", (1, 0)), ("addresses", (0, 1))):
            shown = [frame(canvas, zoom if ways[0] else 1.0, zoom if ways[1] else 1.0) for zoom in ZOOMS]
            note = "  ".join(f"x{zoom:g} {ms:.1f}" for zoom, ms in zip(ZOOMS, shown, strict=True))
            records.append(Record(f"{what}: worst frame, zoomed along {name}", "", max(shown), "ms", note=note))
    return records


if __name__ == "__main__":
    show_records(measure(FULL))
