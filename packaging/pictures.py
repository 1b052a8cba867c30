"""Draws the pictures of the bundled samples on the start page: a plot of each.

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
PLOTS = {
    "poplar": "tile-memory-by-category",
    "poplar-measured": "tile-time",
    "ascend": "timeline",
    "ascend-report": "pipe-utilisation",
    "capture": "training-steps",
    "trace": "timeline",
    "popef": "blobs",
    "tensorflow": "timeline",
    "pypto": "task-functions",
    "tenstorrent": "floor-plan",
    "aie": "floor-plan",
}
"""By the id of the sample: what shows at a glance what it is about."""
LANGUAGES = {"en": "", "zh_CN": "-zh_CN"}
"""What the names of the pictures of each language end with."""
SIZE = (400, 225)
"""Of a picture in logical pixels; its texts are legible on the start page, which shows it a little smaller."""
SCALE = 2


def main() -> int:
    """Writes ``<id>-<theme>.png`` beside the samples, and ``<id>-<theme>-<language>.png``; returns the exit status."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    status = 0
    for sample in json.loads((SAMPLES / "index.json").read_text("utf-8")):
        for theme in ("light", "dark"):
            for language, ending in LANGUAGES.items():
                files = [SAMPLES / name for name in sample["files"]]
                target = SAMPLES / f"{sample['id']}-{theme}{ending}.png"
                status |= draw_plot(files, theme, target, PLOTS[sample["id"]], language)
    return status


def draw_plot(files: list[Path], theme: str, target: Path, plot: str, language: str = "en") -> int:
    """Exports a plot as SVG, and renders it sharply."""
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    assert application is not None
    width, height = SIZE
    with tempfile.TemporaryDirectory() as folder:
        drawing = Path(folder) / "plot.svg"
        words = [sys.executable, ROOT / "main.py", "export", *files, "--plot", plot, "--theme", theme]
        done = subprocess.run(
            [str(word) for word in (*words, "--size", f"{width}x{height}", "-o", drawing)],
            check=False,
            env=os.environ | {"TILESIGHT_LANGUAGE": language},
        )
        if done.returncode:
            return done.returncode
        image = QImage(width * SCALE, height * SCALE, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            QSvgRenderer(str(drawing)).render(painter)
        return 0 if image.save(str(target)) else 1


if __name__ == "__main__":
    sys.exit(main())
