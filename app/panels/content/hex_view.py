"""Bytes of a blob as hexadecimal text, read when they come into view."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.store.payload import Payload, read_bytes
from app.store.token import Token
from app.views.content.words import NARROW, WIDE, HexLine, digits_of, hex_line, letter_of, letters_of, lines_of
from app.views.texts import paragraph
from app.widgets.abilities import Copies
from app.widgets.announce import announce
from app.widgets.display import Display
from app.widgets.texts import number_font

AHEAD = 1 << 16
"""Bytes to read around the visible ones."""
MOST_STEPS = 1 << 30
"""Greatest range of the scroll bar, as Qt's counts to 2^31; for longer payloads a step is several lines."""
PAD = 8.0
TINT = 0.25
"""Opacity of the marks of differing bytes."""


class HexView(QAbstractScrollArea, Copies):
    """A hex view that can copy the visible lines."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._payload: Payload | None = None
        self._baseline: Payload | None = None
        self._start, self._content = 0, b""
        self._before: bytes | None = None
        self._problem = ""
        self._width = WIDE
        self._background = Background(self)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setAccessibleName(tr("Bytes"))
        self.verticalScrollBar().valueChanged.connect(self._moved)
        display.changed.connect(self._look_changed)
        self._look_changed()

    def _look_changed(self) -> None:
        self.setFont(number_font(QApplication.font()))
        self._measure()
        self._moved()

    def show_payload(self, payload: Payload | None) -> None:
        """Shows another payload from its beginning; None for none. It is not compared."""
        if payload == self._payload and not self._problem:
            self.compare_with(None)
            return
        self._background.cancel()
        self._payload, self._content, self._problem = payload, b"", ""
        self._baseline = self._before = None
        self._measure()
        self.verticalScrollBar().setValue(0)
        self._moved()

    def compare_with(self, baseline: Payload | None) -> None:
        """Marks the bytes that differ from those of ``baseline`` at the same place; None for none."""
        if baseline != self._baseline:
            self._baseline, self._before, self._content = baseline, None, b""
            self._moved()

    def go_to(self, place: int) -> None:
        """Scrolls to a byte."""
        if self._payload is not None:
            line = place // self._width
            self.verticalScrollBar().setValue(line // self._lines_a_step(lines_of(self._payload.size, self._width)))

    def lines(self) -> list[HexLine]:
        """The visible lines; those still being read have no bytes."""
        payload = self._payload
        if payload is None:
            return []
        first, digits = self._first_line(), digits_of(payload.size)
        lines = []
        for number in range(first, min(first + self._visible() + 1, lines_of(payload.size, self._width))):
            offset = number * self._width
            inside = self._start <= offset < self._start + len(self._content)
            at = offset - self._start
            before = None if self._before is None or not inside else self._before[at : at + self._width]
            lines.append(hex_line(offset, self._content[at : at + self._width] if inside else b"", digits, before))
        return lines

    def copy_text(self) -> str:
        room = 3 * self._width + self._width // 8
        return "\n".join(f"{line.offset}  {line.bytes:<{room}}{line.text}" for line in self.lines())

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), QColor(theme.surface))
            if self._problem:
                painter.setPen(QColor(theme.error))
                painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter.value, paragraph(self._problem))
                return
            metrics = QFontMetricsF(self.font(), self)
            letter, left = metrics.horizontalAdvance("0"), PAD - self.horizontalScrollBar().value()
            room = 3 * self._width + self._width // 8
            for row, line in enumerate(self.lines()):
                x, y = left, row * metrics.height() + PAD / 2
                self._draw_differences(painter, line, QRectF(x, y, letter, metrics.height()))
                for text, letters, colour in (
                    (line.offset, len(line.offset) + 2, theme.muted),
                    (line.bytes or "…", room, theme.text),
                    (line.text, self._width, theme.muted),
                ):
                    painter.setPen(QColor(colour))
                    box = QRectF(x, y, letters * letter + 2, metrics.height())
                    painter.drawText(box, Qt.TextFlag.TextSingleLine.value, text)
                    x += letters * letter

    def _draw_differences(self, painter: QPainter, line: HexLine, first: QRectF) -> None:
        """Marks the bytes of a line that differ, by colour and underlined; ``first``: the place of its first letter."""
        bytes_at = len(line.offset) + 2
        text_at = bytes_at + 3 * self._width + self._width // 8
        fill = QColor(self._display.theme.more)
        for place in line.differs:
            for letter, count in ((bytes_at + letter_of(place), 2), (text_at + place, 1)):
                box = QRectF(first.left() + letter * first.width(), first.top(), count * first.width(), first.height())
                fill.setAlphaF(TINT)
                painter.fillRect(box, fill)
                fill.setAlphaF(1.0)
                painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), fill)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        self._moved()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        else:
            super().keyPressEvent(event)
        line = next(iter(self.lines()), None)
        if line is not None:
            announce(self, f"{line.offset}: {line.bytes}")

    def _measure(self) -> None:
        """Fits as many bytes into a line as there is room for, and sets the ranges of the scroll bars."""
        letter = QFontMetricsF(self.font(), self).horizontalAdvance("0")
        size, room = 0 if self._payload is None else self._payload.size, self.viewport().width() - 2 * PAD
        self._width = WIDE if letters_of(size, WIDE) * letter <= room else NARROW
        lines = lines_of(size, self._width)
        hidden = max(lines - self._visible(), 0)
        bar = self.verticalScrollBar()
        bar.setRange(0, -(-hidden // self._lines_a_step(lines)))
        bar.setPageStep(max(self._visible(), 1))
        across = self.horizontalScrollBar()
        across.setRange(0, max(round(letters_of(size, self._width) * letter - room), 0))
        across.setPageStep(self.viewport().width())

    def _lines_a_step(self, lines: int) -> int:
        return max(1, -(-lines // MOST_STEPS))

    def _visible(self) -> int:
        return max(int((self.viewport().height() - PAD) / QFontMetricsF(self.font(), self).height()), 1)

    def _first_line(self) -> int:
        assert self._payload is not None
        return self.verticalScrollBar().value() * self._lines_a_step(lines_of(self._payload.size, self._width))

    def _moved(self) -> None:
        """Starts reading the visible bytes unless they are there already."""
        self.viewport().update()
        payload = self._payload
        if payload is None or not payload.size or self._problem or not self.viewport().height():
            return
        first = self._first_line() * self._width
        last = min(first + (self._visible() + 1) * self._width, payload.size)
        if self._start <= first and last <= self._start + len(self._content):
            return
        start = max(first - AHEAD, 0) // WIDE * WIDE
        count, baseline = last - start + AHEAD, self._baseline

        def work(_token: Token, _report: object) -> tuple[int, bytes, bytes | None]:
            before = None if baseline is None else read_bytes(baseline, start, count)
            return start, read_bytes(payload, start, count), before

        self._background.run(Task(work, self._take, self._fail))

    def _take(self, answer: tuple[int, bytes, bytes | None]) -> None:
        self._start, self._content, self._before = answer
        self.viewport().update()

    def _fail(self, error: FormatError) -> None:
        self._problem = str(error)
        self.viewport().update()
