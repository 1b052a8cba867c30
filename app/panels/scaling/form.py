"""The inputs: a row per input with the source of its value; an empty field uses the profile's value."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.analysis.scaling.inputs import FIELDS, GROUPS, Field, Input, Origin
from app.analysis.scaling.measure import Derived, Measurement, Missing
from app.analysis.scaling.quantities import written
from app.analysis.scaling.scenario import WhatIf
from app.document.document import Document
from app.language import labelled, plural, tr
from app.profile.profile import Profile
from app.views.scaling.study import EXAMPLE, Study, TypedInputs, restored, saved_state
from app.views.texts import shown_line
from app.views.units import format_value
from app.widgets.display import Display
from app.widgets.fields import ChoiceBox
from app.widgets.icons import icon
from app.widgets.sheet import bold
from app.widgets.texts import Label, advance, paint_text, set_style_property
from app.widgets.tips import set_tip

PAD = 8
WIDEST = "0,000 steps"


class Form(QScrollArea):
    """The form of inputs. Signals: ``typed`` (key, text), ``loop_chosen`` (program, -1 for the detected one),
    ``steps_wanted`` (key): select the steps that a value was taken from."""

    typed = Signal(str, str)
    loop_chosen = Signal(int)
    steps_wanted = Signal(str)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Inputs"))
        self._display = display
        self.setAccessibleName(tr("Inputs"))
        self.rows: dict[str, Row] = {}
        self.loops = ChoiceBox(self)
        self.loops.setAccessibleName(tr("Micro-batch loop"))
        self.loops.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.loops.setMinimumContentsLength(12)
        self.loops.activated.connect(self._choose_loop)
        self.loop_label = Label(tr("Micro-batch loop"), self)
        self.more = QToolButton(self)
        self.more.setText(tr("More inputs"))
        self.more.setCheckable(True)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.toggled.connect(self._show_more)
        self._build()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._show_more(False)

    def _build(self) -> None:
        page = QWidget(self)
        column = self._column = QVBoxLayout(page)
        column.setContentsMargins(PAD, PAD, PAD, PAD)
        column.setSpacing(2)
        column.addWidget(self.loop_label)
        column.addWidget(self.loops)
        grid = QGridLayout()
        grid.setContentsMargins(0, PAD // 2, 0, 0)
        grid.setHorizontalSpacing(PAD)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        line = 0
        for group in GROUPS:
            heading = Label(group, page)
            heading.setFont(bold(heading.font()))
            heading.setContentsMargins(0, PAD if line else 0, 0, 0)
            grid.addWidget(heading, line, 0, 1, 3)
            line += 1
            for field in (field for field in FIELDS if field.group == group):
                row = Row(field, self._display, page)
                row.typed.connect(self.typed)
                row.steps_wanted.connect(self.steps_wanted)
                row.place(grid, line)
                self.rows[field.key] = row
                line += 2  # the second is for the baseline
        grid.setColumnMinimumWidth(2, advance(WIDEST, page.fontMetrics()))
        column.addLayout(grid)
        column.addWidget(self.more)
        column.addStretch(1)
        self.setWidget(page)

    def show_study(self, study: Study, typed: TypedInputs, before: Study | None = None) -> None:
        """Shows the values in use, and what was typed; ``before``: the baseline."""
        for key, row in self.rows.items():
            row.show_input(study.inputs[key], typed.texts.get(key, ""), study.problems.get(key, ""))
            row.show_baseline(study.inputs[key], None if before is None else before.inputs[key])

    def show_loops(self, measured: Measurement | None, chosen_program: int | None) -> None:
        """Lists the candidates for the micro-batch loop; ``chosen_program``: the user's choice, if any."""
        loops = measured.loops if measured is not None else None
        chosen = measured.loop if measured is not None else None
        known = loops.all if loops is not None else ()
        for widget in (self.loops, self.loop_label):
            widget.setVisible(bool(known))
        self.loops.clear()
        own = loops.of_micro_batches if loops is not None else None
        self.loops.addItem(
            shown_line(tr("Detected: {part}", part=own.name) if own is not None else tr("Choose the loop")), -1
        )
        for loop in known:
            self.loops.addItem(shown_line(loop.label), loop.program)
        self.loops.setCurrentIndex(max(self.loops.findData(chosen_program if chosen_program is not None else -1), 0))
        set_tip(
            self.loops, chosen.label if chosen is not None else tr("Each repeat of the loop takes one micro-batch.")
        )

    def _choose_loop(self, place: int) -> None:
        self.loop_chosen.emit(self.loops.itemData(place))

    def _show_more(self, wanted: bool) -> None:
        self.more.setIcon(icon("chevron-down" if wanted else "chevron-right"))
        for row in self.rows.values():
            row.show_row(wanted or not row.field.more)
        self._column.activate()
        self.setMinimumWidth(self._column.minimumSize().width() + self.verticalScrollBar().sizeHint().width())


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


FAMILY = "poplar"


class Desk(QObject):
    """The inputs of each profile. Signal ``changed``: inputs of the shown profile changed."""

    changed = Signal()

    def __init__(self, document: Document, source: str, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._source = source
        self._inputs: dict[int | None, TypedInputs] = {}
        self._others: dict[int | None, int] = {}
        self._replicas: dict[tuple[int | None, int], tuple[int, int]] = {}
        document.states.restored.connect(self._restored)

    @property
    def entry(self) -> int | None:
        """Entry id of the shown profile; None if there is none."""
        current = self._document.current
        return None if current is None else current.id

    @property
    def inputs(self) -> TypedInputs:
        return self._of(self.entry)

    def _of(self, entry: int | None) -> TypedInputs:
        if entry not in self._inputs:
            state = None if entry is None else self._document.states.view(entry, self._source)
            self._inputs[entry] = TypedInputs() if state is None else restored(state)
        return self._inputs[entry]

    @property
    def baseline(self) -> int | None:
        """Entry id of the baseline of the shown profile, None without one."""
        return self._document.baselines.of(self.entry)

    @property
    def baseline_inputs(self) -> TypedInputs:
        """What was typed for the baseline."""
        return self._of(self.baseline)

    def type_text(self, key: str, text: str) -> None:
        """Sets the text of a field; "" resets it."""
        self._change(self.inputs.with_text(key, text))

    def choose_loop(self, program: int) -> None:
        """Sets the program of the micro-batch loop; -1: the detected one."""
        self._change(replace(self.inputs, loop=program if program >= 0 else None))

    def change_what_if(self, what_if: WhatIf) -> None:
        self._change(replace(self.inputs, what_if=what_if))

    def paste(self, text: str) -> None:
        """Sets the text of measured throughputs."""
        self._change(replace(self.inputs, pasted=text))

    def _change(self, after: TypedInputs) -> None:
        """Sets and saves the inputs."""
        entry, before = self.entry, self.inputs
        self._inputs[entry] = after
        if after == before:
            return
        if entry is not None and saved_state(after) != saved_state(before):
            self._document.states.set_view(entry, self._source, saved_state(after))
        self.changed.emit()

    def fill_example(self) -> None:
        """Fills in the example; typed values stay."""
        self._change(replace(self.inputs, texts={**EXAMPLE, **self.inputs.texts}))

    # -- the other profile --------------------------------------------------------------------------------

    @property
    def others(self) -> list[tuple[int, str]]:
        """Other open profiles that can be compared with: (entry id, name)."""
        entries = [entry for entry in self._document.entries if entry.id != self.entry]
        return [(entry.id, entry.profile.name) for entry in entries if entry.profile.origin.format == FAMILY]

    @property
    def other(self) -> int:
        """Entry id of the profile to compare with: the chosen one, else the baseline; -1 for none."""
        baseline = self.baseline
        chosen = self._others.get(self.entry, -1 if baseline is None else baseline)
        return chosen if chosen in [entry for entry, _ in self.others] else -1

    @property
    def other_profile(self) -> Profile | None:
        return next((entry.profile for entry in self._document.entries if entry.id == self.other), None)

    @property
    def replicas(self) -> tuple[int | None, int | None]:
        """Replicas of the shown profile and of the other one; None unless the user typed them."""
        mine, theirs = self._replicas.get((self.entry, self.other), (0, 0))
        return mine or None, theirs or None

    def choose_other(self, entry: int) -> None:
        self._others[self.entry] = entry
        self.changed.emit()

    def give_replicas(self, mine: int, theirs: int) -> None:
        """Sets the replicas of both profiles; 0: the number in the profile."""
        self._replicas[self.entry, self.other] = mine, theirs
        self.changed.emit()

    def _restored(self, entry: int) -> None:
        """Takes over inputs restored from the last run, unless the user has already typed something."""
        if not saved_state(self._inputs.get(entry, TypedInputs())):
            self._inputs.pop(entry, None)
            if entry == self.entry:
                self.changed.emit()
