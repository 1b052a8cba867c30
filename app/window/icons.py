"""Icons: the application's own from PNG files, the others from SVG files in the text colour."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from app.resources import resource
from app.widgets.colours import blend
from app.widgets.theme import Theme

SIDE = 16
SCALES = (1, 2, 3)


def application_icon() -> QIcon:
    icon = QIcon()
    for path in sorted(resource("icons").glob("tilesight-*.png")):
        icon.addFile(str(path))
    return icon


def tinted(name: str, theme: Theme, colour: str = "") -> QIcon:
    """Returns ``resources/icons/<name>.svg`` as an icon in the theme's text colour (or ``colour``), fainter while
    disabled."""
    text = colour or theme.text
    icon = QIcon()
    for mode, tone in ((QIcon.Mode.Normal, text), (QIcon.Mode.Disabled, blend(theme.raised, text, 0.4))):
        for scale in SCALES:
            icon.addPixmap(drawn(resource("icons", f"{name}.svg"), tone, SIDE, scale), mode)
    return icon


def drawn(path: Path, colour: str, side: int, scale: float = 1.0) -> QPixmap:
    """Returns an SVG file rendered as a square of ``side`` logical pixels, with ``currentColor`` replaced; transparent
    if the file is missing. Cached by QPixmapCache, since every dock uses the same few."""
    key = f"{path} {colour} {side} {scale}"
    cached = QPixmap()
    if QPixmapCache.find(key, cached):
        return cached
    pixmap = _draw(path, colour, side, scale)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def _draw(path: Path, colour: str, side: int, scale: float) -> QPixmap:
    pixmap = QPixmap(QSize(side, side) * scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    try:
        text = path.read_text("utf-8")
    except OSError:
        return pixmap
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))
    with QPainter(pixmap) as painter:
        renderer.render(painter, QRectF(0, 0, side * scale, side * scale))
    pixmap.setDevicePixelRatio(scale)
    return pixmap
