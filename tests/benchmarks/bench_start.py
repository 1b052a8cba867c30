"""Start-up: ``PYTHONPATH=.:tests python tests/benchmarks/bench_start.py``.

Target (T11): from process start to the first painted window at most 1.5 x a bare PySide6 window of the same size, and
until the window is usable (docks created, event loop idle) at most 3 x. The program is started as users do (main.py)
and only observed. `--version` and `info` of a small file take at most a quarter of a second.
T20: processor time of `info` of a small trace at most 3 x that of importing numpy, of `findings` 1.6 x that of `info`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks import commands, inputs, loads, targets
from benchmarks.loads import ROOT, environment
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, QUICK, Size

BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
app = QApplication([])
window = Window()
window.resize(1600, 900)
window.show()
app.exec()
"""
OURS = """
import sys
sys.argv = ["main.py"]
from app.cli import main
import app.window.application as application
from PySide6.QtCore import QTimer
class Window(application.MainWindow):
    def paintEvent(self, event):
        first = not self._painted
        super().paintEvent(event)
        if first:
            print("painted", flush=True)
            self.painted.connect(self.listen)
    def listen(self):
        self.asking = QTimer(self)
        self.asking.timeout.connect(self.ask)
        self.asking.start(0)
    def ask(self):
        if self.docks is not None:
            self.asking.stop()
            print("usable", flush=True)
application.MainWindow = Window
main(["--size", "1600x900"])
"""


INFO, FINDINGS = "info of a small trace", "findings of a small trace"


def measure(size: Size) -> list[Record]:
    times: dict[str, list[float]] = {"bare": [], "painted": [], "usable": []}
    _started(OURS, 2)  # compiles what was edited since the last time
    for _ in range(size.starts):
        times["bare"] += _started(BARE, 1)
        painted, usable = _started(OURS, 2)
        times["painted"].append(painted)
        times["usable"].append(usable)
    bare, first, all_ = (statistics.median(milliseconds) for milliseconds in times.values())
    against = "bare window"
    return [
        Record("start to the first painted window", "T11", first, "ms", None, targets.PAINTED, bare, against),
        Record("start until everything can be used", "T11", all_, "ms", None, targets.USABLE, bare, against),
        *_commands(size),
    ]


def _commands(size: Size) -> list[Record]:
    """Commands without a window, as whole processes, beside an interpreter that imports numpy."""
    graph, run = inputs.styled_pair("plain", QUICK)
    words = {
        "--version": ["--version"],
        INFO: ["info", str(inputs.trace(1_000))],
        "info of a small graph and execution": ["info", str(graph), str(run)],
        FINDINGS: ["findings", str(inputs.trace(1_000))],
    }
    runs = {what: loads.Runs() for what in words}
    numpy = loads.Runs()
    commands.run(["--version"], loads.Runs())  # compiles what was edited since the last time
    for _ in range(size.starts):
        for what, arguments in words.items():
            commands.run(arguments, runs[what])
        commands.run([], numpy, ["-c", "import numpy"])
    beside = f"python -c 'import numpy' {numpy.median * 1e3:.0f} ms, CPU {numpy.worked * 1e3:.0f} ms"
    worked = {what: times.worked * 1e3 for what, times in runs.items()}
    return [
        Record(f"CPU of {INFO}", "T20", worked[INFO], "ms", None, targets.START, numpy.worked * 1e3, "import numpy"),
        Record(f"CPU of {FINDINGS}", "T20", worked[FINDINGS], "ms", None, targets.FINDINGS, worked[INFO], INFO),
    ] + [
        Record(
            f"{what}, whole process", "T11", times.median * 1e3, "ms", targets.COMMAND_MS,
            note=f"CPU {times.worked * 1e3:.0f} ms; {beside}",
        )
        for what, times in runs.items()
        if what != FINDINGS
    ]  # fmt: skip


def _started(script: str, words: int) -> list[float]:
    """Milliseconds from process start until it prints each of its words."""
    with tempfile.TemporaryDirectory() as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}  # the real cache is used: it has the list of fonts
        command = [sys.executable, "-c", script]
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment() | places) as child:
            assert child.stdout is not None
            milliseconds = []
            for _ in range(words):
                if not child.stdout.readline():
                    raise RuntimeError("the window ended before it was painted")
                milliseconds.append((time.perf_counter() - begin) * 1e3)
            child.kill()
    return milliseconds


if __name__ == "__main__":
    show(measure(FULL))
