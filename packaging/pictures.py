"""Draws the thumbnails of the bundled samples on the start page: the window with each sample in it.

Run it again when panels look different: ``python packaging/pictures.py``. No display is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "resources" / "samples"
WINDOW = "1280x720"
WIDTH = 512
"""Width of the thumbnails in pixels: twice the size on the start page."""


def main() -> int:
    """Writes ``<id>-<theme>.png`` beside the samples; returns the exit status."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    status = 0
    for sample in json.loads((SAMPLES / "index.json").read_text("utf-8")):
        for theme in ("light", "dark"):
            status |= draw([SAMPLES / name for name in sample["files"]], theme, SAMPLES / f"{sample['id']}-{theme}.png")
    return status


def draw(files: list[Path], theme: str, target: Path) -> int:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "window.png"
        words = [sys.executable, ROOT / "main.py", "--screenshot", large, "--size", WINDOW, "--theme", theme, *files]
        done = subprocess.run([str(word) for word in words], check=False)
        if done.returncode:
            return done.returncode
        picture = QImage(str(large)).scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
        picture = picture.convertToFormat(QImage.Format.Format_RGB32)
        return 0 if picture.save(str(target)) else 1


if __name__ == "__main__":
    sys.exit(main())
