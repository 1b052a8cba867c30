"""The program as it is started: first paint, files, files from the desktop, the end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

import app.window.application as application
from app.window.main_window import MainWindow

target = Path(sys.argv[1])
said = []

def window():
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

def painted():
    late = ("numpy", "app.panels.registry", "app.window.commands", "app.document.document")
    early = [name for name in late if name in sys.modules]
    own = (name for name in sys.modules if name.startswith("app."))
    early += [f"Qt in {name}" for name in own if hasattr(sys.modules[name], "Qt")]  # creates hundreds of enums
    said.append(f"before the first paint: {early}" if early else "painted first")
    QCoreApplication.sendEvent(QApplication.instance(), QFileOpenEvent(str(target)))
    QTimer.singleShot(0, listen)

def listen():
    main = window()
    if main.filled:
        main.loader.idle.connect(idle)
    else:
        QTimer.singleShot(0, listen)

def idle():
    said.append(window().notices.text)
    window().close()

shown = application._show
def show(program, main, *more):
    main.painted.connect(painted)
    return shown(program, main, *more)
application._show = show
status = application.run([], theme="dark", size=(900, 600))
print(status, *said, sep="|")
"""


def test_first_paint_then_what_the_desktop_hands_over(root: Path, home: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.popef"
    empty.write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(empty)],
        cwd=root,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == f"0|painted first|{empty}: the file is empty"
    assert "Traceback" not in done.stderr
    assert list(home.rglob("settings.json"))
