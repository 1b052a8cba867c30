"""Texts as widgets show them: sizes and fonts, labels and lines of bounded width, texts of files without what harms.

Qt lays out, measures and passes to the window system whatever it gets: a name of 20 MB freezes it, or crashes it. So
every text that is not our own passes through one of these functions before a widget, a painter or font metrics see it.
Copy, export and search do not use them: they get the whole text.
"""

from __future__ import annotations

import re
from bisect import bisect
from typing import TypeVar, overload

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSizePolicy, QWidget

from app.language import joined
from app.views.markup import Markup, plain
from app.views.texts import LINE, paragraph, shown_line
from app.widgets.display import Display
from app.widgets.tips import set_tip


def elided(
    text: str,
    metrics: QFontMetrics | QFontMetricsF,
    room: float,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """``text`` on one line, elided to ``room`` pixels. Unless ``mode`` elides at the right, a text too long to measure
    keeps both ends."""
    if len(text) > LINE and mode != Qt.TextElideMode.ElideRight:
        text = f"{text[: LINE // 2 - 1]}…{text[-(LINE // 2) :]}"
    shown = shown_line(text)
    if isinstance(metrics, QFontMetricsF):
        return metrics.elidedText(shown, mode, room)
    return metrics.elidedText(shown, mode, int(room))


def _title_and_path(text: str) -> tuple[str, str, str]:
    """``text`` divided at its first colon, which is full-width in Chinese."""
    colon = re.search(": |：", text)
    return (text[: colon.start()], colon[0], text[colon.end() :]) if colon else (text, "", "")


def shortened(text: str, metrics: QFontMetrics, room: int) -> str:
    """``text`` elided to ``room`` pixels. Of a path the end is kept, since paths differ there; a prefix ("function 3:
    …") is kept if it leaves the path at least half of the space. A list is no path."""
    if "/" not in text or ", " in text:
        return elided(text, metrics, room)
    title, colon, path = _title_and_path(text)
    before = advance(title + colon, metrics) if "/" in path else room
    if before > room // 2:
        return end_of_path(text, metrics, room)
    return shown_line(title + colon) + end_of_path(path, metrics, room - before)


def end_of_path(path: str, metrics: QFontMetrics | QFontMetricsF, room: float) -> str:
    """``path`` elided at the left to ``room`` pixels, before a whole name if that keeps most of what fits."""
    shown = elided(path, metrics, room, Qt.TextElideMode.ElideLeft)
    slash = shown.find("/")
    return f"…{shown[slash:]}" if shown.startswith("…") and 0 < slash <= len(shown) // 2 else shown


@overload
def advance(text: str, metrics: QFontMetrics) -> int: ...


@overload
def advance(text: str, metrics: QFontMetricsF) -> float: ...


def advance(text: str, metrics: QFontMetrics | QFontMetricsF) -> float:
    """Width of ``text`` on one line in pixels, as ``shown_line`` shows it."""
    return metrics.horizontalAdvance(shown_line(text))


WIDEST = 640
"""Most pixels of a label's size hint; a longer word is cut off."""


class Label(QLabel):
    """Shows its text literally, truncated by ``paragraph``."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(paragraph(text))

    def sizeHint(self) -> QSize:
        return _bounded(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return _bounded(super().minimumSizeHint())


class MarkupLabel(QLabel):
    """A label for ``Markup`` only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)

    def show_markup(self, markup: Markup) -> None:
        super().setText(markup.html)

    def setText(self, text: str) -> None:
        """Shows ``text`` without markup."""
        self.show_markup(plain(text))


def paint_text(label: QLabel, colour: str) -> None:
    """Text in ``colour``, by the palette: a style sheet for each label costs more than all the rest of it."""
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
    label.setPalette(palette)


AnyLabel = TypeVar("AnyLabel", bound=QLabel)


def selectable(label: AnyLabel) -> AnyLabel:
    """``label``, made selectable with the mouse and unable to widen the panel."""
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def _bounded(size: QSize) -> QSize:
    return QSize(min(size.width(), WIDEST), size.height())


def wrapping_text(parent: QWidget) -> QPlainTextEdit:
    """A plain text editor that wraps lines; only the vertical scroll bar is shown as needed, which cannot reduce the
    number of lines."""
    text = QPlainTextEdit(parent)
    text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return text


def number_font(font: QFont) -> QFont:
    """The system's monospaced font in the size of ``font``, so that digits line up."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if font.pointSizeF() > 0:
        fixed.setPointSizeF(font.pointSizeF())
    else:
        fixed.setPixelSize(font.pixelSize())
    return fixed


HEADLINE, NOTE = 1.5, 0.9
"""Of the size of text."""


def sized(font: QFont, factor: float) -> QFont:
    """``font`` in another size; one that is given in pixels stays as it is."""
    other = QFont(font)
    if font.pointSizeF() > 0:
        other.setPointSizeF(font.pointSizeF() * factor)
    return other


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


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Sets a property of ``widget`` and applies the rules for it: Qt does so by itself only for its own states."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
