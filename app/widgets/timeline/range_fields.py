"""The range as editable numbers: start, end and length."""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from app.language import tr
from app.profile.selection import TimeRange
from app.views.look import Look
from app.views.texts import shown_line
from app.views.timeline.times import Clock, parse
from app.widgets.fields import mark_invalid
from app.widgets.texts import Label
from app.widgets.tips import set_tip

WHOLE = 1e5
"""From this many cycles on, fractions are omitted, which come from dragging only."""
MOST_DIGITS = 15
HELP = tr("a number with ns, µs, ms, s or cycles")
Name: TypeAlias = Literal["from", "to", "length"]
NAMES: Final[dict[Name, str]] = {"from": tr("From"), "to": tr("To"), "length": tr("Length")}


class RangeFields(QWidget):
    """Signal ``entered`` (TimeRange or None). Times count from the origin of the ruler."""

    entered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock: Clock | None = None
        self._look = Look()
        self._extent = (0.0, 0.0)
        self._range: TimeRange | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(6)
        self.start, self.end, self.length = (self._field(row, name) for name in NAMES)
        self.clear = QToolButton(self)
        self.clear.setText(tr("Clear range"))
        self.clear.setAutoRaise(True)
        self.clear.clicked.connect(lambda: self.entered.emit(None))
        row.addWidget(self.clear)
        row.addStretch(1)

    def show_range(self, stretch: TimeRange | None, clock: Clock, look: Look, extent: tuple[float, float]) -> None:
        """Shows the range; without one, the extent of the whole timeline."""
        self._range, self._clock, self._look, self._extent = stretch, clock, look, extent
        start, end = (stretch.start, stretch.end) if stretch is not None else extent
        digits = _digits(start, end, 9 if stretch is not None else 4)
        for field, value in (
            (self.start, start),
            (self.end, end),
            (self.length, end - start),
        ):
            if not field.hasFocus() or not field.isModified():
                field.setText(written(value, clock, look, digits))
                field.setModified(False)
                mark_invalid(field, "")
        self.clear.setEnabled(stretch is not None)

    def _field(self, row: QHBoxLayout, name: Name) -> QLineEdit:
        label = Label(NAMES[name], self)
        field = QLineEdit(self)
        field.setAccessibleName(shown_line(tr("Range: {name}", name=NAMES[name])))
        set_tip(field, HELP)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setMaximumWidth(150)
        field.setMinimumWidth(92)
        field.returnPressed.connect(lambda: self._enter(name, field))
        row.addWidget(label)
        row.addWidget(field)
        return field

    def _enter(self, name: Name, field: QLineEdit) -> None:
        if self._clock is None:
            return
        value = parse(field.text(), self._clock, self._look)
        start, end = (self._range.start, self._range.end) if self._range is not None else self._extent
        if value is not None:
            if name == "from":
                start = value
            elif name == "to":
                end = value
            else:
                end = start + value
        if value is None or not end > start:
            why = tr("Not a valid time: type {help}. The end must be after the start.", help=HELP)
            set_tip(field, why)
            mark_invalid(field, why)
            return
        field.setModified(False)
        set_tip(field, HELP)
        self.entered.emit(TimeRange(start, end))


def _digits(start: float, end: float, least: int) -> int:
    """The significant digits that both ends need: ``least``, and more where the length is small beside them."""
    farthest, length = max(abs(start), abs(end)), end - start
    more = math.log10(farthest / length) if 0 < length < farthest else 0.0
    return min(MOST_DIGITS, least + math.ceil(more))


def written(value: float, clock: Clock, look: Look, digits: int = 9) -> str:
    """A time in a form that can be typed again, with ``digits`` significant digits; the default tells slices apart."""
    seconds = clock.shown_seconds(look)
    if seconds is None:
        if float(value).is_integer() or abs(value) >= WHOLE:
            return f"{value:,.0f}"  # a cycle count: all integer digits, no fraction
        return f"{value:,.{digits + 1}g}"
    factor, unit = next(
        ((factor, unit) for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")) if abs(value * seconds) >= factor),
        (1e-9, "ns"),
    )
    return f"{value * seconds / factor:,.{digits}g} {unit}"
