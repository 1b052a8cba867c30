"""A sample on the start page: one button with a picture, a title and a line of text."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.labels import Label
from app.widgets.tips import set_tip
from app.window.samples import Sample

MARGIN = 8
CORNER = 5
NARROWEST, WIDEST = 204, 420
"""Of a card in pixels."""
USUAL = 256
"""Width of the picture until the page knows its own."""


class Card(QPushButton):
    """The button of one sample; emits ``clicked`` like any other."""

    def __init__(self, sample: Sample, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sample = sample
        self.setObjectName("card")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(shown_line(tr("Open sample {sample}", sample=sample.title)))
        set_tip(self, "\n".join(str(path) for path in sample.paths()))
        self._picture = Picture(sample, theme, self)
        title = Label(sample.title, self)
        title.setObjectName("headingText")
        title.setWordWrap(True)
        text = Label(sample.description, self)
        text.setObjectName("muted")
        text.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(4)
        for part in (self._picture, title, text):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(part)
        layout.addStretch(1)
        self._inside = layout
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.MinimumExpanding)
        self.set_width(USUAL + 2 * MARGIN)

    def set_width(self, width: int) -> None:
        """Makes the card and its picture as wide as the page has room for."""
        if width != self.maximumWidth():
            self._picture.setFixedSize(width - 2 * MARGIN, height_of(width - 2 * MARGIN))
            self.setFixedWidth(width)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self.maximumWidth()
        return QSize(width, max(self._inside.heightForWidth(width), self._inside.sizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Picture(QWidget):
    """The picture of a sample. It is read when it is painted: the page gets its width in steps, and the window is there
    before."""

    def __init__(self, sample: Sample, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._sample = sample
        self._theme = theme
        self._made = QPixmap()

    def paintEvent(self, _event: QPaintEvent) -> None:
        scale, made = self.devicePixelRatioF(), self._made
        if made.deviceIndependentSize().toSize() != self.size() or made.devicePixelRatioF() != scale:
            self._made = sample_picture(self._sample, self._theme, self.width(), scale)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._made)


def height_of(width: int) -> int:
    """Returns the height of a picture in the shape 16:9."""
    return width * 9 // 16


def sample_picture(sample: Sample, theme: Theme, width: int = USUAL, scale: float = 1.0) -> QPixmap:
    """Returns the bundled picture for this theme, ``width`` logical pixels wide, for a screen of that ``scale``; a
    placeholder drawing if there is none."""
    target = QPixmap(QSize(width, height_of(width)) * scale)
    target.fill(Qt.GlobalColor.transparent)
    path = QPainterPath()
    path.addRoundedRect(QRectF(0, 0, target.width(), target.height()), CORNER * scale, CORNER * scale)
    loaded = QPixmap(str(sample.picture(dark=theme.dark)))
    with QPainter(target) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(path)
        if loaded.isNull():
            _draw_placeholder(painter, QRectF(target.rect()), theme)
        else:
            part = loaded.size().scaled(target.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            painter.drawPixmap(0, 0, loaded.scaled(part, mode=Qt.TransformationMode.SmoothTransformation))
    target.setDevicePixelRatio(scale)
    return target


def _draw_placeholder(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draws rows of slices above a row of tiles, as a profile looks from a distance."""
    painter.fillRect(place, QColor(theme.surface))
    lengths = (0.34, 0.12, 0.22, 0.08, 0.28, 0.16)
    row_height = place.height() / 9
    for row in range(5):
        left = place.width() * (0.05 + 0.03 * (row % 3))
        for step in range(4):
            width = place.width() * lengths[(row * 2 + step) % len(lengths)] * 0.7
            colour = QColor(theme.categories[(row + step) % 7])
            painter.fillRect(QRectF(left, row_height * (0.8 + row * 1.1), width, row_height * 0.8), colour)
            left += width + place.width() * 0.03
    side = place.width() / 30
    for tile in range(26):
        colour = QColor(theme.accent)
        colour.setAlphaF(0.2 + 0.8 * ((tile * 7) % 11) / 11)
        painter.fillRect(QRectF(place.width() * 0.05 + tile * side * 1.05, row_height * 7, side, side * 1.3), colour)
