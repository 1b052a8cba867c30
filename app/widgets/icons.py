"""Icons: the application's own from PNG files, the others from SVG files (``resources/icons``: Lucide, by its names) in
the colour of the text around them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from app.resources import resource

SIDE = 16
Tone: TypeAlias = Literal["text", "muted", "accent", "error"]
ROLES: dict[Tone, QPalette.ColorRole] = {
    "text": QPalette.ColorRole.ButtonText,
    "muted": QPalette.ColorRole.PlaceholderText,
    "accent": QPalette.ColorRole.Link,
    "error": QPalette.ColorRole.BrightText,
}


def application_icon() -> QIcon:
    icon = QIcon()
    for path in sorted(resource("icons").glob("tilesight-*.png")):
        icon.addFile(str(path))
    return icon


def icon(name: str, tone: Tone = "text") -> QIcon:
    """Returns ``resources/icons/<name>.svg`` as an icon in a colour of the application's palette, fainter while
    disabled. It is drawn when it is painted: sharp on every screen, and in the colours of the current theme."""
    return QIcon(Glyph(name, tone))


class Glyph(QIconEngine):
    """Draws one SVG file; see ``icon``."""

    def __init__(self, name: str, tone: Tone) -> None:
        super().__init__()
        self._name = name
        self._tone: Tone = tone

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        place = QRect(0, 0, side, side)
        place.moveCenter(rect.center())
        painter.drawPixmap(place, self._drawn(side, painter.device().devicePixelRatioF(), mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, _state: QIcon.State) -> QPixmap:
        return self._drawn(min(size.width(), size.height()), 1.0, mode)

    def clone(self) -> QIconEngine:
        return Glyph(self._name, self._tone)

    def _drawn(self, side: int, scale: float, mode: QIcon.Mode) -> QPixmap:
        palette = QGuiApplication.palette()
        if mode == QIcon.Mode.Disabled:
            colour = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
        else:
            colour = palette.color(QPalette.ColorGroup.Active, ROLES[self._tone])
        return drawn(resource("icons", f"{self._name}.svg"), colour.name(), side, scale)


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
    if pixmap.isNull():  # Qt asks for icons without a size where there is no room for any
        return pixmap
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
