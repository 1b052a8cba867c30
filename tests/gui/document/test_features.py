"""What importing the window does not do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

READ = """
import sys, linecache
import app.document
import app.window.main_window, app.panels.registry
assert hasattr(sys.modules["shibokensupport.feature"], "_mod_uses_pyside")
print(any("main_window" in name for name in linecache.cache))
"""
USABLE = """
import os, sys
from PySide6.QtCore import QTimer
import app.window.application as application

class Window(application.MainWindow):
    def prepare(self):
        docks = super().prepare()
        heavy = ("numpy", "pyqtgraph", "app.profile.profile", "app.formats.registry", "app.window.about")
        print([name for name in heavy if name in sys.modules], flush=True)
        os._exit(0)

application.MainWindow = Window
application.run([])
"""


def run(script: str, root: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def test_sources_are_not_searched_for_optional_features(root: Path) -> None:
    assert run(READ, root) == "False"


def test_the_window_can_be_used_before_anything_large_is_imported(root: Path) -> None:
    assert run(USABLE, root) == "[]"
