"""Renders resources/icons/tilesight.svg to PNG files in the sizes that desktops need."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SIZES = (16, 22, 24, 32, 48, 64, 128, 256)
FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icons"


def main() -> int:
    """Writes ``tilesight-<size>.png`` beside the SVG file."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    app = QGuiApplication(sys.argv[:1])
    drawing = QSvgRenderer(str(FOLDER / "tilesight.svg"))
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            drawing.render(painter)
        image.save(str(FOLDER / f"tilesight-{size}.png"))
    app.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
