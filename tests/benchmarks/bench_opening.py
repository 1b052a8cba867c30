"""The first profile of a session: ``PYTHONPATH=.:tests python tests/benchmarks/bench_opening.py``.

The samples are opened in the real window, each in a new process, after the idle imports. Measured is the processor
time of every turn of the event loop until the panels are built; no turn may take more than 50 ms.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import targets
from benchmarks.loads import ROOT, environment
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size

SAMPLES = ("resnet-1472-tiles", "matmul_leakyrelu.bin", "resnet_inference.popef")
SCRIPT = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QAbstractEventDispatcher, QTimer
import app.window.application as application
from app.cli import main
from app.window.idle_imports import IdleImports

sample = Path(sys.argv[1])
sys.argv = ["main.py"]
turns = []

class Window(application.MainWindow):
    begun = ended = None

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(100)

    def look(self):
        if self.begun is None:
            imports = self.findChildren(IdleImports)
            if self.docks is None or not imports or any(each._timer.isActive() for each in imports):
                return
            dispatcher = QAbstractEventDispatcher.instance()
            dispatcher.awake.connect(self.turn)
            dispatcher.aboutToBlock.connect(self.turn)
            self.loader.idle.connect(self.finished)
            self.begun = time.thread_time()
            self.open([sample])
        elif self.ended is not None and time.monotonic() > self.ended + 1:
            print(1e3 * max(turns), flush=True)
            self.close()

    def turn(self):
        now = time.thread_time()
        turns.append(now - self.begun)
        self.begun = now

    def finished(self):
        self.ended = time.monotonic()

application.MainWindow = Window
main(["--size", "1600x900"])
"""


def measure(size: Size) -> list[Record]:
    return [
        Record(f"opening {name}: longest turn", "T2", _longest(name, size.starts), "ms", targets.TURN_MS)
        for name in SAMPLES
    ]


def _longest(name: str, runs: int) -> float:
    """The median of the longest turns, in milliseconds of processor time."""
    sample = ROOT / "resources" / "samples" / name
    return statistics.median(_run(sample) for _ in range(runs))


def _run(sample: Path) -> float:
    with tempfile.TemporaryDirectory() as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        own = environment(Path(home)) | places
        command = [sys.executable, "-c", SCRIPT, str(sample)]
        done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=True, timeout=120)
    return float(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    show(measure(FULL))
