"""Renders resources/icons/tilesight.svg to PNG files in the sizes that desktops need, and writes the drawings of style
sheets, which cannot recolour a file, in the colours of every theme."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = (16, 22, 24, 32, 48, 64, 128, 256)
FOLDER = ROOT / "resources" / "icons"
THEMED = (
    *((name, name, "text") for name in ("check", "chevron-down", "chevron-left", "chevron-right", "chevron-up")),
    ("check-on", "check", "surface"),
    ("minus-on", "minus", "surface"),
)
"""(name in style sheets, icon, token of its colour)"""


def main() -> int:
    """Writes ``tilesight-<size>.png`` beside the SVG file, and ``resources/themes``."""
    sys.path.insert(0, str(ROOT))
    for path, text in themed():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _render()
    return 0


def themed() -> Iterator[tuple[Path, str]]:
    """Returns path and text of each drawing of the style sheets."""
    from app.views.look import THEMES

    for theme in THEMES.values():
        for name, icon, token in THEMED:
            text = (FOLDER / f"{icon}.svg").read_text("utf-8").replace("currentColor", getattr(theme, token))
            path = ROOT / "resources" / "themes" / theme.name / f"{name}.svg"
            yield path, text.replace('stroke-width="2"', 'stroke-width="3"') if name.endswith("-on") else text


def _render() -> None:
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


if __name__ == "__main__":
    sys.exit(main())
