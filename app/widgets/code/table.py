"""Model and delegate of a table with a column of source code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from app.profile.arrays import I64
from app.views.look import Theme
from app.views.units import NO_DATA
from app.widgets.code.colouring import Colouring, Part, Span, colours
from app.widgets.table.delegate import PADDING, CellDelegate, CellSource
from app.widgets.table.model import Row, SidedModel
from app.widgets.texts import advance

TAB = 4
LONGEST = 1000
UNSEEN = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters and bidirectional controls: each is replaced by one character, so that spans keep their
positions."""
TEXT_FLAGS = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value


class BothTexts(Struct, frozen=True, eq=False):
    """The lines that the rows of two versions of a text are: int64[rows], in the text before and after, -1 none."""

    before: I64
    after: I64


class CodeModel(SidedModel):
    """The code column keeps its indentation; in the other columns a line without measurements is blank (no need to say
    "no data" beside every brace). ``colouring``: the highlighting of its lines, in row order; with ``texts``,
    that of the text after, and ``baseline`` that of the text before."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.colouring = Colouring(self)
        self.baseline = Colouring(self)
        self.texts: BothTexts | None = None

    def spans(self, row: int) -> list[Span]:
        """The highlighting of a row of the table."""
        texts = self.texts
        if texts is None:
            return self.colouring.of_line(row)
        line = int(texts.after[row])
        return self.colouring.of_line(line) if line >= 0 else self.baseline.of_line(int(texts.before[row]))

    @property
    def code_column(self) -> int:
        return next((place for place, column in enumerate(self.table.columns) if column.role == "code"), -1)

    def own_text(self, place: int, source: int) -> str | None:
        if place != self.code_column:
            if self.sides is not None:
                return super().own_text(place, source)
            bare = self.table.keys is not None and self.table.keys[source] < 0
            return "" if bare and not self.column(place).is_key else None
        value = self.column(place).value(source)
        return None if value is None else UNSEEN.sub("\ufffd", str(value)[:LONGEST].rstrip("\r"))


class CodeDelegate(CellDelegate):
    """Draws code in the monospaced font with syntax highlighting."""

    def __init__(self, model: CellSource, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        self._colours: dict[str, QColor] = {}
        super().__init__(model, theme, font, parent)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._colours = {part: QColor(colour) for part, colour in colours(theme).items()}

    def draw_texts(self, painter: QPainter, place: int, rows: Sequence[Row], rooms: Sequence[QRect | None]) -> None:
        model = self.model
        if not isinstance(model, CodeModel) or place != model.code_column:
            super().draw_texts(painter, place, rows, rooms)
            return
        for row, room in zip(rows, rooms, strict=True):
            if room is None:
                continue
            text = model.own_text(place, row.source)
            if text is None:
                painter.setPen(self.muted_pen)
                painter.setFont(self.words.font)
                self.words.draw(painter, room, NO_DATA)
            else:
                self._draw_code(painter, room, text, model.spans(row.source))

    def _draw_code(self, painter: QPainter, rect: QRect, text: str, spans: list[Span]) -> None:
        inner = rect.adjusted(PADDING, 0, 0, -1)
        painter.save()
        painter.setClipRect(inner)
        painter.setFont(self.numbers.font)
        x = inner.left()
        for piece, part in pieces(text, spans):
            painter.setPen(self.text_pen if part is None else self._colours[part])
            shown = piece.expandtabs(TAB)
            painter.drawText(x, inner.top(), inner.right() - x + 1, inner.height(), TEXT_FLAGS, shown)
            x += advance(shown, self.numbers.metrics)
            if x > inner.right():
                break
        painter.restore()


def pieces(text: str, spans: list[Span]) -> Iterator[tuple[str, Part | None]]:
    """Splits a line into highlighted pieces (with a part) and plain ones (None)."""
    at = 0
    for start, length, part in spans:
        if start > at:
            yield text[at:start], None
        if text[start : start + length]:
            yield text[start : start + length], part
        at = start + length
    if text[at:]:
        yield text[at:], None
