"""One input: its name, a field, and the source of its value."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QToolButton, QWidget

from app.analysis.scaling.fields import Field
from app.analysis.scaling.finding import Derived, Missing
from app.analysis.scaling.inputs import Input, Origin
from app.analysis.scaling.quantities import written
from app.language import labelled, plural, tr
from app.views.texts import shown_line
from app.views.units import format_value
from app.widgets.display import Display
from app.widgets.labels import Label, paint_text
from app.widgets.style_property import set_style_property
from app.widgets.tips import set_tip

NARROWEST = 64
MANY = 9999

ORIGINS: Final[dict[Origin, str]] = {
    "typed": tr("typed"),
    "profile": tr("profile"),
    "default": tr("default"),
    "missing": tr("missing"),
}


class Row(QObject):
    """One row of the form. Signals: ``typed`` (key, text; "" resets the field), ``steps_wanted`` (key). A value that
    was not typed is shown muted in the field."""

    typed = Signal(str, str)
    steps_wanted = Signal(str)

    def __init__(self, field: Field, display: Display, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = field
        self._display = display
        self._text = ""
        self._listed, self._differs = True, False
        self.label = Label(field.label, parent)
        set_tip(self.label, field.help)
        self.edit = QLineEdit(parent)
        self.edit.setAccessibleName(shown_line(labelled(field.group, field.label)))
        self.edit.setMinimumWidth(NARROWEST)
        self.edit.editingFinished.connect(self._finish)
        self.before = Label(parent=parent)
        self.before.hide()
        paint_text(self.before, display.theme.muted)
        self.check = QCheckBox(field.label, parent)
        set_tip(self.check, field.help)
        self.check.clicked.connect(self._tick)
        self.source = QToolButton(parent)
        self.source.setAutoRaise(True)
        self.source.clicked.connect(self._want_steps)

    def place(self, grid: QGridLayout, line: int) -> None:
        if self.field.kind == "flag":
            grid.addWidget(self.check, line, 0, 1, 2)
            for unused in (self.label, self.edit):
                unused.hide()
        else:
            self.check.hide()
            grid.addWidget(self.label, line, 0)
            grid.addWidget(self.edit, line, 1)
        grid.addWidget(self.source, line, 2)
        grid.addWidget(self.before, line + 1, 1, 1, 2)

    def show_row(self, wanted: bool) -> None:
        widgets = (self.check, self.source) if self.field.kind == "flag" else (self.label, self.edit, self.source)
        for widget in widgets:
            widget.setVisible(wanted)
        self._listed = wanted
        self.before.setVisible(self._listed and self._differs)

    def show_baseline(self, given: Input, before: Input | None) -> None:
        """Shows the value of the baseline below, if it is another one."""
        same = before is None or before.value == given.value
        self._differs = not same
        self.before.setVisible(self._listed and self._differs)
        if before is not None and not same:
            value = tr("missing") if before.value is None else _shown(before.value, self.field)
            self.before.setText(tr("baseline: {value}", value=shown_line(value)))

    def show_input(self, given: Input, text: str, problem: str) -> None:
        """Shows the value and its source. ``text``: as typed; ``problem``: why it is invalid."""
        self._text = text
        if self.edit.text() != text:
            self.edit.setText(text)
        self.check.setChecked(bool(given.value))
        shown = "" if given.value is None or given.origin == "typed" else _shown(given.value, self.field)
        needed = given.origin == "missing" and self.field.measured != ""
        self.edit.setPlaceholderText(shown_line(shown or (tr("needed") if needed else "")))
        self._say_source(given, problem, needed)
        note = problem or _finding(given)
        set_tip(self.edit, "\n".join(part for part in (note, self.field.help) if part))

    def _say_source(self, given: Input, problem: str, needed: bool) -> None:
        steps = len(given.finding.steps) if isinstance(given.finding, Derived) else 0
        words, tone, link = "", "muted", False
        if problem:
            words, tone = "✕", "error"
        elif given.origin == "profile":
            words = _steps(steps) if steps else ORIGINS["profile"]
            tone, link = ("accent", True) if steps else ("muted", False)
        elif given.origin == "typed":
            words = ORIGINS["typed"]
        elif needed:
            words, tone = "▲", "warning"
        self.source.setText(words)
        self.source.setEnabled(link)
        set_style_property(self.source, "tone", tone)
        act = tr("Select the steps that the value comes from") if link else ""
        set_tip(self.source, "\n".join(part for part in (problem, _finding(given), act) if part))
        self.source.setAccessibleName(shown_line(labelled(self.field.label, words or ORIGINS[given.origin])))

    def _tick(self, on: bool) -> None:
        self.typed.emit(self.field.key, "yes" if on else "no")

    def _want_steps(self) -> None:
        self.steps_wanted.emit(self.field.key)

    def _finish(self) -> None:
        if self.edit.text() != self._text:
            self._text = self.edit.text()
            self.typed.emit(self.field.key, self._text)


def _steps(count: int) -> str:
    """The number of steps, limited to the width of its column."""
    return plural("{count:,} step", "{count:,} steps", count=count) if count <= MANY else f"> {MANY:,}"


def _shown(value: float, field: Field) -> str:
    if field.kind == "time":
        return format_value(value, "s")
    return f"{value:,.0f}" if field.kind == "count" else written(value, field.kind)


def _finding(given: Input) -> str:
    """The value from the profile and how it was determined, or why it is missing."""
    if isinstance(given.finding, Missing):
        return tr("Not in the profile: {why}", why=given.finding.why)
    if not isinstance(given.finding, Derived):
        return ""
    value = format_value(given.finding.value, given.finding.unit)
    return tr("Value in the profile: {value}. {how}", value=value, how=given.finding.how)
