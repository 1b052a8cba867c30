"""The largest machines and runs in the real window: ``PYTHONPATH=.:tests python tests/benchmarks/bench_poplar.py``.

94,208 tiles (64 IPUs) in JSON and in CBOR: memory while opening (T4), time to show each panel, frames afterwards. A run
of a million steps: frames of the timeline, the flame graph and tiles over time during panning and zooming (T6).
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from PySide6.QtWidgets import QApplication, QWidget

from app.document.document import Document
from app.document.loader import Loader
from app.panels.steps.panel import StepsPanel
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.timeline.canvas import TimelineCanvas
from app.window.idle import Collecting
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from benchmarks import inputs, loads
from benchmarks.clock import application
from benchmarks.memory import AVAILABLE, WHY_NOT
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size
from generators import poplar

MB = 1e6
PANELS = ("summary", "tree", "tile_memory", "heat", "liveness", "vertex_types", "exchanges", "timeline", "steps")
WINDOW = (1600, 900)
SETTLE = 0.5
ZOOMS = (1, 8, 64, 1000)


def machine(size: Size, suffix: str = ".json") -> tuple[Path, Path]:
    """Graph and execution of 64 IPUs with 50 compute sets: about 236 MB of JSON."""
    per_ipu = 1472 if size.full else 8
    scale = poplar.Scale(
        seed=5,
        mode="COMPUTE_SETS",
        estimates=True,
        ipus=64,
        tiles_per_ipu=per_ipu,
        compute_sets=50,
        loops=2,
        spread=0.3,
    )

    def make(place: Path) -> None:
        poplar.write_pair(place, scale, suffix)

    place = inputs.kept(f"machine-{size.name}{suffix}", inputs.POPLAR, repr(scale), make)
    return place / f"graph{suffix}", place / f"execution{suffix}"


def opening(size: Size) -> list[Record]:
    """Peak of the worker, or of this process where the files are small, against 1.5 x the columns + 200 MB."""
    records = []
    for suffix in (".json", ".cbor"):
        paths = machine(size, suffix)
        runs = loads.measure(("worker",), paths, 1)["worker"]
        what = f"64 IPUs, {sum(path.stat().st_size for path in paths) / MB:,.0f} MB of {suffix[1:].upper()}"
        records.append(Record(f"{what}: opened", "", runs.best, "s"))
        bound, peak = 1.5 * runs.columns / MB + 200, max(runs.own, runs.children) / MB
        note = f"columns {runs.columns / MB:,.0f} MB" if AVAILABLE else WHY_NOT
        records.append(Record(f"{what}: memory", "T4", peak if AVAILABLE else None, "MB", at_most=bound, note=note))
    return records


def panels(size: Size) -> list[Record]:
    """The time that the window is blocked when a panel of 64 IPUs is brought to the front, and by the next frames."""
    records = []
    with window_of(machine(size)) as window:
        for panel in PANELS:
            begin = time.perf_counter()
            window.show_panel(panel)
            QApplication.processEvents()
            shown = (time.perf_counter() - begin) * 1e3
            worst = max([0.0, *settle()])
            records.append(Record(f"64 IPUs: {panel} shown", "", shown, "ms", note=f"worst frame after {worst:.0f} ms"))
    return records


def steps(size: Size) -> list[Record]:
    """Frames of the run of many steps in the window, panned at several zoom levels."""
    records = []
    with window_of(inputs.execution(size)) as window:
        count = len(window.document.entries[0].profile.steps or ())
        window.show_panel("timeline")
        settle()
        records += _frames(f"timeline of {count:,} steps", _seen(window, TimelineCanvas), size, 16)
        window.show_panel("steps")
        settle()
        records += _frames(f"flame of {count:,} steps", _seen(window, TimelineCanvas), size, 16)
        panel = window.findChild(StepsPanel)
        assert panel is not None
        titles = [panel.tabs.tabText(place) for place in range(panel.tabs.count())]
        if "Tiles over time" in titles:
            panel.tabs.setCurrentIndex(titles.index("Tiles over time"))
            settle()
            records += _frames(f"tiles over {count:,} steps", _seen(window, PlaneCanvas), size, None)
    return records


def measure(size: Size) -> list[Record]:
    application()
    return [*opening(size), *panels(size), *steps(size)]


def _frames(what: str, canvas: TimelineCanvas | PlaneCanvas[Any], size: Size, bound: float | None) -> list[Record]:
    records = []
    for zoom in ZOOMS:
        canvas.fit()
        canvas.zoom(zoom)
        QApplication.processEvents()
        times = []
        for number in range(size.frames):
            begin = time.perf_counter()
            canvas.pan(0.02 if number % 20 < 10 else -0.02)
            canvas.repaint()
            QApplication.processEvents()
            times.append((time.perf_counter() - begin) * 1e3)
        note = f"worst {max(times):.1f} ms"
        target = "T6" if bound else ""
        middle = statistics.median(times)
        records.append(Record(f"{what}: frame, panned at {zoom} x", target, middle, "ms", at_most=bound, note=note))
    return records


def _seen(window: MainWindow, kind: type[QWidget]) -> TimelineCanvas | PlaneCanvas[Any]:
    """The canvas in front; Qt considers canvases behind a tab visible as well."""
    visible = (canvas for canvas in window.findChildren(kind) if not canvas.visibleRegion().isEmpty())
    return next(visible)  # type: ignore[return-value]


@contextmanager
def window_of(paths: tuple[Path, ...]) -> Iterator[MainWindow]:
    """The whole window with one complete profile, read without the cache."""
    with tempfile.TemporaryDirectory(dir=inputs.folder()) as cache, mock.patch.dict("os.environ", _homes(cache)):
        document = Document()
        loader = Loader(document)
        window = MainWindow(SettingsFile(None))
        window.fill(loader, document, Display(parent=window))
        collecting = Collecting(window)
        window.resize(*WINDOW)
        window.show()
        window.prepare()
        try:
            loader.open(list(paths))
            pumped(lambda: not loader.busy)
            settle()
            yield window
        finally:
            loader.close()
            collecting.stop()
            window.close()


def _homes(cache: str) -> dict[str, str]:
    return {"XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache}


def settle() -> list[float]:
    """Runs all deferred work; returns the milliseconds of each turn of the event loop."""
    until = time.perf_counter() + SETTLE
    return pumped(lambda: time.perf_counter() > until)


def pumped(done: Callable[[], bool]) -> list[float]:
    """Milliseconds of each turn of the event loop until it is done."""
    times = []
    while not done():
        begin = time.perf_counter()
        QApplication.processEvents()
        times.append((time.perf_counter() - begin) * 1e3)
        time.sleep(0.001)
    return times


if __name__ == "__main__":
    show(measure(FULL))
