"""The whole window: ``PYTHONPATH=.:tests python tests/benchmarks/bench_window.py [EVENTS]``.

Start: from the start of the process to the first painted window, beside a bare Qt window. Loading: a generated
trace (a million events unless told otherwise) is opened while a small one is panned by a pixel a frame; prints
the time until all is there beside `orjson.loads` of the same bytes (collector off), and the frames before and
during it. Zooming: frames of the loaded trace, from fully out to deep in.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTS = 7
WARM_FRAMES = 120
SIZE = (1600, 900)

BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event); print("painted", flush=True)
app = QApplication([]); window = Window(); window.resize(1600, 900); window.show(); app.exec()
"""

OURS = """
from app.window.application import make_application
app = make_application()
from app.document.document import Document
from app.document.loader import Loader
from app.widgets.display import Display
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
document = Document(); loader = Loader(document)
window = MainWindow(loader, document, Display(), SettingsFile(None))
window.resize(1600, 900)
window.painted.connect(lambda: print("painted", flush=True))
window.show(); app.exec()
"""


def start(script: str) -> float:
    """Median milliseconds from the start of the process until it says that it has painted."""
    times = []
    for _ in range(STARTS):
        begin = time.perf_counter()
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT)
        assert child.stdout is not None
        child.stdout.readline()
        times.append((time.perf_counter() - begin) * 1e3)
        child.kill()
        child.communicate()
    return statistics.median(times)


def plain(path: Path) -> float:
    """Seconds of `orjson.loads` alone, collector off."""
    code = "import gc,orjson,sys,time; gc.disable(); b=open(sys.argv[1],'rb').read(); t=time.perf_counter(); "
    code += "orjson.loads(b); print(time.perf_counter()-t)"
    best = [float(subprocess.check_output([sys.executable, "-c", code, str(path)])) for _ in range(3)]
    return min(best)


def told(name: str, frames: list[float]) -> None:
    ordered = sorted(frames)
    print(
        f"{name:16} {len(frames):5} frames  median {statistics.median(frames):6.1f} ms  "
        f"95 % {ordered[int(len(ordered) * 0.95)]:6.1f} ms  worst {ordered[-1]:6.1f} ms"
    )


def windowed(small: Path, large: Path) -> None:
    """Frames of the real window before, while and after it loads ``large``."""
    from app.document.collecting import Collecting
    from app.document.document import Document
    from app.document.loader import Loader
    from app.widgets.display import Display
    from app.widgets.timeline.canvas import TimelineCanvas
    from app.window.application import make_application
    from app.window.main_window import MainWindow
    from app.window.settings import SettingsFile

    application = make_application()
    document = Document()
    loader = Loader(document)
    window = MainWindow(loader, document, Display(), SettingsFile(None))
    collecting = Collecting(window)
    window.resize(*SIZE)
    window.show()

    def until(done: Callable[[], bool], each: Callable[[], None] | None = None) -> list[float]:
        frames = []
        while not done():
            begin = time.perf_counter()
            if each is not None:
                each()
            application.processEvents()
            frames.append((time.perf_counter() - begin) * 1e3)
            if each is None:
                time.sleep(0.001)
        return frames

    def open_and_wait(path: Path) -> None:
        loader.open([path])
        until(lambda: not loader.busy)

    open_and_wait(small)
    (canvas,) = [c for c in window.findChildren(TimelineCanvas) if c.isVisible()]
    small_id = document.entries[0].id

    def pan() -> None:
        canvas.zoom(1.25 if pan_count[0] % 40 < 20 else 0.8)
        canvas.repaint()
        pan_count[0] += 1

    pan_count = [0]
    left = [WARM_FRAMES]

    def count_down() -> bool:
        left[0] -= 1
        return left[0] < 0

    told("before", until(count_down, pan))
    begin = time.perf_counter()
    loader.open([large])
    during = until(lambda: len(document.entries) > 1, pan)
    document.show(small_id)
    during += until(lambda: not loader.busy, pan)
    seconds = time.perf_counter() - begin
    told("while loading", during)
    print(f"loaded in {seconds:.2f} s; orjson.loads alone {plain(large):.2f} s")
    begin = time.perf_counter()
    document.show(document.entries[1].id)
    application.processEvents()
    print(f"shown after {(time.perf_counter() - begin) * 1e3:.0f} ms")
    canvas.fit()
    left[0] = WARM_FRAMES
    until(count_down)
    left[0] = WARM_FRAMES
    told("zooming", until(count_down, pan))
    loader.close()
    collecting.stop()
    window.close()


def main(events: int) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from generators import ascend_trace

    bare, ours = start(BARE), start(OURS)
    print(f"first paint: bare Qt window {bare:.0f} ms, ours {ours:.0f} ms, ratio {ours / bare:.2f}")
    folder = Path(tempfile.gettempdir()) / "tilesight-bench"
    folder.mkdir(exist_ok=True)
    small, large = folder / "small.json", folder / f"trace-{events}.json"
    for path, count in ((small, 20_000), (large, events)):
        if not path.exists():
            ascend_trace.write(path, count, cores=14)
    print(f"{large.name}: {large.stat().st_size / 1e6:.0f} MB, {events:,} events")
    gc.collect()
    windowed(small, large)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
