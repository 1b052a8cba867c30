"""A window with limited memory, in a separate process.

``python -m fakes.wide_window SMALL BIG MEGABYTES``: opens the profile in the folder SMALL and draws all its panels, so
that everything is imported; then allows MEGABYTES more than it has, opens BIG, draws its panels, navigates in its heat
map, exports every table completely, and prints errors and the memory used as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import numpy as np

from app.analysis.export import export
from app.analysis.figures import figures
from app.analysis.tables import each
from app.document.document import Document
from app.document.loader import Loader
from app.formats.poplar import read as poplar_reader
from app.store import process
from app.store.cache.limit import CacheLimit
from app.widgets.display import Display
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.window.application import make_application, quieten
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from app.window.self_test import SelfTestResult, _draw, _errors_into
from app.window.settings import SettingsFile


def main(small: Path, big: Path, megabytes: int) -> None:
    quieten()
    application = make_application()
    told = SelfTestResult()
    document = Document()
    loader = Loader(document, choice=CacheLimit(1 << 50))
    loader.failed.connect(lambda failure: told.trouble.append(failure.text))
    window = MainWindow(SettingsFile())
    window.fill(loader, document, Display(parent=application))
    window.resize(1280, 800)
    window.show()
    with _errors_into(told.trouble):
        window.open([small])
        read_all(window)
        _draw(window, told)
        vars(poplar_reader)["HEAVY_BYTES"] = 0  # cached columns are used although the files are small
        process.worker_command = lambda: ["no such program"]  # and nothing can be read again
        before = data_bytes()
        limit = before + megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        prove_the_limit(megabytes)
        window.open([big])
        read_all(window)
        told.panels.clear()
        (_, entry) = document.entries
        document.show(entry.id)
        _draw(window, told)
        roam(window)
        figures(entry.profile)
        sizes = {table.id: sum(len(text) for text in export(table, "csv")) for table in each(entry.profile)}
    tiles = 0 if entry.profile.tile_memory is None else entry.profile.tile_memory.tiles
    more = (data_bytes() - before) / 1e6
    print(json.dumps({"trouble": told.trouble, "panels": told.panels, "csv": sizes, "tiles": tiles, "more": more}))
    window.close()
    loader.close()


def roam(window: MainWindow) -> None:
    """Through the heat maps: in, along, across, out."""
    window.show_panel("heat")
    settle(window)
    canvases = window.findChildren(PlaneCanvas)
    canvases = [canvas for canvas in canvases if isinstance(canvas.scene, HeatScene) and canvas.isVisible()]
    assert canvases
    for canvas in canvases:
        for step in range(24):
            canvas.zoom(1.5 if step < 12 else 1 / 1.5)
            canvas.pan(0.3 if step % 3 else -0.4)
            canvas.scroll_rows(3)
            canvas.grab()
        canvas.fit()
        canvas.grab()


def prove_the_limit(megabytes: int) -> None:
    """Checks that the limit works; otherwise the test would be meaningless."""
    try:
        np.ones(megabytes * 1_200_000, np.uint8)
    except MemoryError:
        return
    raise SystemExit("the limit of memory does not hold")


def data_bytes() -> int:
    """The memory that the limit counts: private memory, without mapped files."""
    return _status("VmData")


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
