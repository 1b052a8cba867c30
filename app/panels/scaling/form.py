"""The inputs: a row per input with the source of its value; an empty field uses the profile's value."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.analysis.scaling.fields import FIELDS, GROUPS
from app.analysis.scaling.measure import Measurement
from app.language import tr
from app.panels.scaling.row import Row
from app.views.scaling.study import Study
from app.views.scaling.typed_inputs import TypedInputs
from app.views.texts import shown_line
from app.widgets.choice_box import ChoiceBox
from app.widgets.display import Display
from app.widgets.icons import icon
from app.widgets.labels import Label
from app.widgets.sheet import bold
from app.widgets.texts import advance
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
