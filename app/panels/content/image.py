"""A slice of two dimensions as an image."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QHelpEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.panels.content.words import number_text, place
from app.profile.arrays import U8, U32, Array
from app.store.payload import Values
from app.widgets.colours import rgb
from app.widgets.display import Display, Look
from app.widgets.heat.scale import ramp
from app.widgets.texts import advance
from app.widgets.theme import Theme
from app.widgets.tips import tip

GAP = 8.0
BAR = 10.0
THINNEST = 24.0
NOT_FINITE, INFINITE, FIRST = 0, 1, 2
STEPS = 254
OTHERS = ((INFINITE, "infinite"), (NOT_FINITE, "no number"))
TALLEST = 160.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """``codes``: uint8[rows, columns]: 0 no number, 1 infinite, from 2 on from ``low`` to ``high``."""

    codes: U8
    low: float
    high: float

    def holds(self, code: int) -> bool:
        """Whether a cell has one of the codes that stand for no finite number."""
        return bool((self.codes == code).any())


def picture(values: Values) -> Picture:
    """The finite values of a slice over the whole ramp."""
    numbers: Array = values.numbers.astype(np.float64)
    known = np.isfinite(numbers)
    if values.missing is not None:
        known &= ~values.missing
    finite = numbers[known]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    codes = np.zeros(numbers.shape, np.uint8)
    scale = max(abs(low), abs(high), 1e-300)  # so that no difference overflows
    width = high / scale - low / scale
    shares = (finite / scale - low / scale) / width if width > 0 else np.full(finite.shape, 0.5)
    codes[known] = FIRST + np.minimum(shares * STEPS, STEPS - 1).astype(np.uint8)
    codes[np.isinf(numbers)] = INFINITE
    return Picture(codes, low, high)


class ImageView(QWidget):
    """Keeps the sides in proportion where it can. Has the ability HoldsPicture."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._values: Values | None = None
        self.picture: Picture | None = None
        self.setMinimumSize(80, 60)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("The slice as an image")
        self.setAccessibleDescription("The table of values holds the same figures.")
        display.changed.connect(self.update)

    def show_picture(self, values: Values | None, shown: Picture | None) -> None:
        """``shown``: the picture of ``values``; None for nothing to see."""
        self._values, self.picture = values, shown
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        if self.picture is not None:
            draw(painter, place, self.picture, replace(self._display.look, theme=theme))

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._display.theme.surface))
            if self.picture is not None:
                draw(painter, QRectF(self.rect()), self.picture, self._display.look)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.describe(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """The cell under ``point``; "" beside the image."""
        values = self._values
        if self.picture is None or values is None:
            return ""
        box = lay_out(QRectF(self.rect()), self.picture, QFontMetricsF(self.font(), self))
        if not box.contains(point):
            return ""
        rows, columns = self.picture.codes.shape
        row = min(int((point.y() - box.top()) / box.height() * rows), rows - 1)
        column = min(int((point.x() - box.left()) / box.width() * columns), columns - 1)
        missing = values.missing is not None and bool(values.missing[row, column])
        shown = "no data" if missing else number_text(values.numbers[row, column].item())
        return f"{place(values.part, row, column)} = {shown}"


def lay_out(space: QRectF, shown: Picture, metrics: QFontMetricsF) -> QRectF:
    """Where the image stands: as large as it fits beside the legend, cells in whole pixels where they have room. A
    side that would vanish is stretched to THINNEST."""
    rows, columns = shown.codes.shape
    longest = max(advance(text, metrics) for text in (*_ends(shown), "no number"))
    wide = max(space.width() - 4 * GAP - BAR - longest, 1.0)
    high = max(space.height() - 2 * GAP, 1.0)
    cell = min(wide / columns, high / rows)
    cell = float(int(cell)) if cell >= 2 else cell
    width, height = max(cell * columns, min(THINNEST, wide)), max(cell * rows, min(THINNEST, high))
    return QRectF(space.left() + GAP, space.top() + GAP, width, height)


def draw(painter: QPainter, space: QRectF, shown: Picture, look: Look) -> None:
    """The image, and beside it what its colours stand for."""
    theme, metrics = look.theme, QFontMetricsF(painter.font(), painter.device())
    box = lay_out(space, shown, metrics)
    if shown.holds(NOT_FINITE):
        painter.fillRect(box, QColor(theme.no_data))
        painter.fillRect(box, QBrush(QColor(theme.line), Qt.BrushStyle.BDiagPattern))
    rows, columns = shown.codes.shape
    pixels: U32 = np.ascontiguousarray(np.take(colours(theme), shown.codes))
    image = QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_ARGB32_Premultiplied)
    shrinks = box.width() < columns or box.height() < rows
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, shrinks)
    painter.drawImage(box, image)
    _draw_legend(
        painter, QRectF(box.right() + GAP, space.top() + GAP, BAR, space.height() - 2 * GAP), shown, theme, metrics
    )


def colours(theme: Theme) -> U32:
    """uint32[256], premultiplied ARGB of each code; what is no number is transparent."""
    table = np.zeros((256, 3), np.uint32)
    table[INFINITE] = rgb(infinite_colour(theme))
    table[FIRST:] = np.rint(ramp(theme)).astype(np.uint32)
    packed = 0xFF000000 | table[:, 0] << 16 | table[:, 1] << 8 | table[:, 2]
    packed[NOT_FINITE] = 0
    return packed.astype(np.uint32)


def infinite_colour(theme: Theme) -> str:
    """One that the ramp of the theme does not have."""
    return theme.accent if theme.dark else theme.error


def _ends(shown: Picture) -> tuple[str, str]:
    low, high = (number_text(float(f"{value:.4g}")) for value in (shown.low, shown.high))
    return low, high


def _draw_legend(painter: QPainter, bar: QRectF, shown: Picture, theme: Theme, metrics: QFontMetricsF) -> None:
    line = metrics.height()
    others = [(code, text) for code, text in OTHERS if shown.holds(code)]
    bar.setHeight(max(min(bar.height(), TALLEST) - len(others) * (line + 2), line))
    steps = np.ascontiguousarray(colours(theme)[: FIRST - 1 : -1].reshape(-1, 1))
    image = QImage(steps.data, 1, len(steps), 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(bar, image)
    low, high = _ends(shown)
    _write(painter, QPointF(bar.right(), bar.top()), high, theme, metrics)
    _write(painter, QPointF(bar.right(), bar.bottom() - line), low, theme, metrics)
    for number, (code, text) in enumerate(others):
        swatch = QRectF(bar.left(), bar.bottom() + 4 + number * (line + 2), BAR, line - 4)
        if code == INFINITE:
            painter.fillRect(swatch, QColor(infinite_colour(theme)))
        else:
            painter.fillRect(swatch, QColor(theme.no_data))
            painter.fillRect(swatch, QBrush(QColor(theme.muted), Qt.BrushStyle.BDiagPattern))
        _write(painter, QPointF(bar.right(), swatch.top() - 2), text, theme, metrics)


def _write(painter: QPainter, at: QPointF, text: str, theme: Theme, metrics: QFontMetricsF) -> None:
    painter.setPen(QColor(theme.muted))
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    box = QRectF(at.x() + GAP / 2, at.y(), advance(text, metrics) + 4, metrics.height())
    painter.drawText(box, flags, text)
