"""The process that ``bench_window`` measures: a window that is repainted continuously while it loads."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.document.document import Document
from app.document.loader import Loader
from app.store.cache.limit import CacheLimit
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from app.window.application import make_application
from app.window.idle import Collecting
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile

SIZE = (1600, 900)
SETTLE = 0.3
"""Seconds that the empty window is shown, so that its memory can be sampled from outside."""
KEEPING = 1.0
"""Seconds after a load in which its columns are written to the cache."""
TURN = 20
"""Zoom steps in, then as many out."""


def main(small: Path, large: Path, count: int) -> None:
    application = make_application()
    document = Document()
    loader = Loader(document, choice=CacheLimit())
    window = MainWindow(SettingsFile(None))
    window.fill(loader, document, Display(parent=application))
    collecting = Collecting(window)
    window.resize(*SIZE)
    window.show()
    window.prepare()
    begin = time.perf_counter()
    _until(lambda: time.perf_counter() - begin > SETTLE)
    print("empty", flush=True)
    sys.stdin.readline()
    print(json.dumps(_measured(window, small, large, count)), flush=True)
    loader.close()
    collecting.stop()
    window.close()


def _measured(window: MainWindow, small: Path, large: Path, count: int) -> dict[str, Any]:
    loader, document = window.loader, window.document
    loader.open([small])
    _until(lambda: not loader.busy and bool(_timelines(window)))  # panels are built one in a turn
    begin = time.perf_counter()
    _until(lambda: time.perf_counter() - begin > SETTLE)
    (canvas,) = _timelines(window)
    first = document.entries[0].id
    idle = _frames(canvas, lambda frames: len(frames) >= count)
    begin = time.perf_counter()
    loader.open([large])
    during = _frames(canvas, lambda _: len(document.entries) > 1)
    during.append(_turn(lambda: document.show(first)))
    during += _frames(canvas, lambda _: not loader.busy)
    seconds = time.perf_counter() - begin
    end = time.perf_counter() + KEEPING
    keeping = _frames(canvas, lambda _: time.perf_counter() > end)
    shown = _turn(lambda: document.show(document.entries[1].id))
    canvas.fit()
    begin = time.perf_counter()
    _until(lambda: time.perf_counter() - begin > SETTLE)
    loaded = _frames(canvas, lambda frames: len(frames) >= count)
    figures = {"idle": _told(idle), "loading": _told(during), "keeping": _told(keeping), "loaded": _told(loaded)}
    return figures | {"seconds": seconds, "shown": shown}


def _timelines(window: MainWindow) -> list[TimelineCanvas]:
    return [canvas for canvas in window.findChildren(TimelineCanvas) if canvas.isVisible()]


def _until(done: Callable[[], bool]) -> None:
    while not done():
        QCoreApplication.processEvents()
        time.sleep(0.001)


def _turn(step: Callable[[], object]) -> float:
    """Milliseconds of ``step`` and of the events that it causes."""
    begin = time.perf_counter()
    step()
    QCoreApplication.processEvents()
    return (time.perf_counter() - begin) * 1e3


def _frames(canvas: TimelineCanvas, done: Callable[[list[float]], bool]) -> list[float]:
    """Milliseconds of each frame until ``done``: zoomed by a step, painted, events handled."""
    frames: list[float] = []

    def zoom() -> None:
        canvas.zoom(1.25 if len(frames) % (2 * TURN) < TURN else 0.8)
        canvas.repaint()

    while not done(frames):
        frames.append(_turn(zoom))
    return frames


def _told(frames: list[float]) -> dict[str, float]:
    return {"median": statistics.median(frames), "worst": max(frames), "count": len(frames)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
