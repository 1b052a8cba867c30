"""One line of text that never widens its panel: what does not fit is in the tool tip."""

from __future__ import annotations

from bisect import bisect

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.language import joined
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.texts import advance, shortened
from app.widgets.tips import set_tip

PAD = 8
LEAST = 24
AIR = 6
DOTS = "…"


def cut(text: str, metrics: QFontMetrics, room: int) -> str:
    """As many whole words of ``text`` as fit in ``room`` pixels, so that no number loses digits: "1,377 programs" may
    become "1,377", but never "1,3…". If the first word is too long, it is elided; a number becomes dots."""
    text = shown_line(text)
    if metrics.horizontalAdvance(text) <= room:
        return text
    words = text.split(" ")

    def first(count: int) -> str:
        return " ".join(words[:count]).rstrip(" ·,(")

    fitting = bisect(range(1, len(words)), room, key=lambda count: metrics.horizontalAdvance(f"{first(count)} {DOTS}"))
    if fitting:
        return f"{first(fitting)} {DOTS}"
    if metrics.horizontalAdvance(first(1)) <= room:
        return first(1)
    return DOTS if text[:1].isdigit() else shortened(text, metrics, room)


class Readout(QWidget):
    """A muted or plain line of text, set with ``say``; with ``pad`` 0 it lines up with plain labels, ``indent`` pixels
    further to the right. Its height never changes, so that hovering moves nothing. ``least``: it is not elided to less
    than this width in pixels. ``right``: it stands at the right."""

    def __init__(
        self,
        display: Display,
        parent: QWidget | None = None,
        *,
        pad: int = PAD,
        indent: int = 0,
        least: int = LEAST,
        right: bool = False,
    ) -> None:
        super().__init__(parent)
        self._display = display
        self._text = ""
        self._more = ""
        self._muted = True
        self._pad = pad
        self._indent = indent
        self._least = least
        self._side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        display.changed.connect(self.update)

    @property
    def text(self) -> str:
        return self._text

    def say(self, text: str, *, muted: bool = False, more: str = "") -> None:
        """Shows ``text``; ``more``: what only the tool tip says behind it."""
        if (text, muted, more) != (self._text, self._muted, self._more):
            self._text, self._muted, self._more = text, muted, more
            whole = joined(" ", [text, more]) if more else text
            set_tip(self, whole)
            self.setAccessibleName(shown_line(whole))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        width = advance(self._text, self.fontMetrics()) + 2 * self._pad + self._indent
        return QSize(width, self._height)

    def minimumSizeHint(self) -> QSize:
        width = LEAST + self._indent
        if self._least > LEAST:
            width = max(width, min(self.sizeHint().width(), self._least))
        return QSize(width, self._height)

    @property
    def _height(self) -> int:
        return self.fontMetrics().height() + (AIR if self._pad else 0)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self) as painter:
            painter.setPen(QColor(theme.muted if self._muted else theme.text))
            left = self._pad + self._indent
            box = QRect(left, 0, self.width() - left - self._pad, self.height())
            shown = cut(self._text, self.fontMetrics(), box.width())
            flags = Qt.AlignmentFlag.AlignVCenter.value | self._side.value | Qt.TextFlag.TextSingleLine.value
            painter.drawText(box, flags, shown)
