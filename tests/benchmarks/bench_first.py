"""Something true on the screen: ``PYTHONPATH=.:tests python tests/benchmarks/bench_first.py``.

Large files are opened in the real window (T18). Measured from the call that a drop makes: until the document has the
first section, and until a panel that shows data of the file has been painted for the first time; each with a worker
that waits (the idle window) and without one (the file is dropped as soon as the window can be used, while panels and
readers are not imported yet). Every window runs in a new process with an empty cache.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import inputs, targets
from benchmarks.loads import ROOT, environment
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size
from benchmarks.styled import FAMILIES, chosen

STYLES = ("different", "kineto", "lanes", "plain", "steps", "exchanges", "cbor")
OTHERS = {
    "trace.json.gz": inputs.packed_trace,
    "log": inputs.log,
    "operator": inputs.operator,
    "popef": inputs.popef,
}
SCRIPT = """
import json, sys, time
from pathlib import Path
from PySide6.QtCore import QEvent, QObject, QTimer
import app.window.application as application
from app.cli import main
from app.panels.panel import Panel
from app.window.idle_imports import IdleImports

files, waiting = [Path(word) for word in sys.argv[2:]], sys.argv[1] == "waiting"
sys.argv = ["main.py"]
times = {}

def note(what, detail=""):
    if what not in times:
        worked = time.process_time() - times["drop"][2]
        times[what] = [1e3 * (time.perf_counter() - times["drop"][0]), detail, 1e3 * worked]

class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and "painted" not in times:
            QTimer.singleShot(0, lambda: note("painted", self.panel))
        return False

class Window(application.MainWindow):
    ready = None

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(20)

    def look(self):
        if self.docks is None:
            return
        if waiting:
            imports = self.findChildren(IdleImports)
            if not imports or any(each._timer.isActive() for each in imports):
                return
            self.ready = self.ready or time.perf_counter()
            if time.perf_counter() < self.ready + 1.5:
                return
        self.timer.stop()
        self.document.updated.connect(self.updated)
        self.loader.idle.connect(lambda: QTimer.singleShot(300, self.end))
        times["drop"] = [time.perf_counter(), "", time.process_time()]
        self.open(files)

    def updated(self, update):
        if update.profile is not None:
            note("began")
            if update.profile.filled():
                note("section", ",".join(update.profile.filled()))

    def end(self):
        note("whole")
        print(json.dumps(times), flush=True)
        self.close()

filled = Panel._filled
painted = Painted()

def watch(panel):
    filled(panel)
    profile = panel.profile
    if profile is not None and profile.filled() and panel.isVisible() and not panel.stack.is_empty:
        painted.panel = painted.__dict__.setdefault("panel", panel.spec.id)
        panel.stack.content.installEventFilter(painted)
        for child in panel.stack.content.findChildren(QObject):
            child.installEventFilter(painted)
        panel.stack.content.update()

Panel._filled = watch
application.MainWindow = Window
main(["--size", "1600x900"])
"""


def measure(size: Size) -> list[Record]:
    records = []
    for family in FAMILIES:
        for each in chosen(family, size, STYLES):
            records += _waiting_or_not(each.name, each.make(size), size)
    others = {
        "trace.json.gz": inputs.packed_trace,
        "log": inputs.log,
        "operator": inputs.operator,
        "popef": inputs.popef,
    }
    for name, make in others.items():
        if not size.only or any(word in name for word in size.only):
            records += _waiting_or_not(name, [make(size)], size)
    return records


def _waiting_or_not(name: str, files: Sequence[Path], size: Size) -> list[Record]:
    return [record for waiting in (True, False) for record in _of_input(name, files, waiting, size)]


def _of_input(name: str, files: Sequence[Path], waiting: bool, size: Size) -> list[Record]:
    runs = [_run(files, waiting) for _ in range(3 if size.full else 1)]
    start = "a worker waits" if waiting else "just started"

    def record(what: str, key: str, at_most: float | None) -> Record:
        of_run = [run[key][0] for run in runs if key in run]
        value = statistics.median(of_run) if len(of_run) == len(runs) else None
        worked = statistics.median(run[key][2] for run in runs if key in run) if of_run else 0
        what_it_is, whole = runs[0].get(key, ["", "nothing"])[1], runs[0]["whole"][0]
        note = f"{what_it_is}; CPU of the window until then {worked:.0f} ms; the whole after {whole:.0f} ms"
        return Record(f"{name}, {start}: {what}", "T18", value, "ms", at_most, note=note, input=name)

    return [
        record("first section", "section", None),
        record("first painted", "painted", targets.FIRST_MS),
    ]


def _run(files: Sequence[Path], waiting: bool) -> dict[str, Any]:
    """Milliseconds from the drop, and what came, by ``section``, ``painted``, ``whole``."""
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        words = ["waiting" if waiting else "started", *map(str, files)]
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *words],
            cwd=ROOT,
            env=environment(Path(home)) | places,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
    times: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return times


if __name__ == "__main__":
    show(measure(FULL))
