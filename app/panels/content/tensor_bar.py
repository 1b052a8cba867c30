"""What stands above the values of a tensor (title, statistics, notes), and the choosers of page and slice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.analysis.popef.values import BadSlice, Slice, first_slice, parse, stepped
from app.language import tr
from app.views.look import Look
from app.views.markup import Markup
from app.widgets.buttons import icon_button
from app.widgets.controls import Controls
from app.widgets.display import Display
from app.widgets.texts import Label, MarkupLabel, paint_text, selectable
from app.widgets.tips import set_tip

MOST_NUMBER = 2**31 - 1
VALUES, IMAGE, HISTOGRAM, BYTES = range(4)
PAGES = (tr("Values"), tr("Image"), tr("Histogram"), tr("Bytes"))
BEFORE, AFTER, DIFFERENCE = range(3)
SIDES = (
    (tr("Before"), tr("The values of the baseline")),
    (tr("After"), tr("The values of the comparison")),
    (tr("Difference"), tr("After minus before, element by element")),
)
SAVE_TIP = tr("Save the whole tensor (of a feed: all its tensors) as a NumPy file")
LOG_TIP = tr("Logarithmic counts, so that rare values stay visible")


class TensorBar(QWidget):
    """Signals: ``page_wanted`` (VALUES and so on): another page was chosen; ``number_wanted``: another tensor of a feed
    was chosen; ``side_wanted``: the values before, after or their difference were chosen. ``controls``: the choosers of
    page and slice, for the heading of the panel."""

    page_wanted = Signal(int)
    number_wanted = Signal()
    side_wanted = Signal()

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._wrong = False
        self.title = selectable(MarkupLabel(self))
        self.statistics, self.note = (selectable(Label(parent=self)) for _ in range(2))
        self.feed = Label(tr("Tensor"), self)
        self.number_field = QSpinBox(self)
        self.number_field.setAccessibleName(tr("Tensor of the feed"))
        self.save = button(tr("Save .npy…"), SAVE_TIP, self)
        self.compute = button(tr("Compute statistics"), tr("Read the whole tensor"), self)
        self.log = button(tr("Log"), LOG_TIP, self)
        self.log.setCheckable(True)
        self.slice_bar = SliceBar(self)
        self.choice = QButtonGroup(self)
        for number, text in enumerate(PAGES):
            page = button(text, tr("Show the {text}", text=text.lower()), self)
            page.setCheckable(True)
            self.choice.addButton(page, number)
        self.choice.button(VALUES).setChecked(True)
        self.compared = selectable(Label(parent=self))
        self.sides = QButtonGroup(self)
        for number, (text, about) in enumerate(SIDES):
            side = button(text, about, self)
            side.setCheckable(True)
            side.hide()
            self.sides.addButton(side, number)
        self.sides.button(DIFFERENCE).setChecked(True)
        self.sides.idClicked.connect(lambda _: self.side_wanted.emit())
        self._build()
        self.choice.idClicked.connect(self.page_wanted)
        self.slice_bar.refused.connect(lambda why: self.say(f"{why[0].upper()}{why[1:]}.", wrong=True))
        self.number_field.valueChanged.connect(lambda _: self.number_wanted.emit())
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def _build(self) -> None:
        first = _row(self.title, 1, self.feed, self.number_field)
        buttons = self.choice.buttons()
        folds = self.save, *buttons[::-1]
        self.controls = Controls(self, *buttons, (self.slice_bar, 1), self.log, self.save, folds=folds, spacing=4)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(3)
        column.addLayout(first)
        column.addLayout(_row(self.statistics, 1, self.compute))
        column.addLayout(_row(self.compared, 1, *self.sides.buttons()))
        column.addWidget(self.note)
        self.note.setWordWrap(True)
        self.statistics.setWordWrap(True)
        self.compared.setWordWrap(True)
        for hidden in (self.compared, self.feed, self.number_field, self.compute, self.log, self.note):
            hidden.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    @property
    def number(self) -> int:
        """Index of the chosen tensor of a feed, from 0."""
        return max(self.number_field.value() - 1, 0)

    @property
    def side(self) -> int:
        """BEFORE, AFTER or DIFFERENCE: the chosen side, AFTER if there is no choice."""
        return self.sides.checkedId() if not self.sides.button(DIFFERENCE).isHidden() else AFTER

    def offer_sides(self, text: str, *, values: bool) -> None:
        """Says how the tensor differs from the baseline (``text``, "" without one); ``values``: offers the values of
        both sides and their difference."""
        for side in self.sides.buttons():
            side.setVisible(values)
        self.compared.setText(text)
        self.compared.setVisible(bool(text))

    @property
    def statistics_text(self) -> str:
        return self.statistics.text()

    def offer_numbers(self, count: int) -> None:
        """Fills the chooser of a feed's tensors; 0 if the tensor is not in a feed."""
        with QSignalBlocker(self.number_field):
            self.number_field.setRange(min(count, 1), min(count, MOST_NUMBER))
            self.number_field.setValue(min(count, 1))
            self.number_field.setSuffix(tr(" of {count:,}", count=count))
        for part in (self.feed, self.number_field):
            part.setVisible(count > 0)

    def offer_pages(self, values: bool) -> None:
        """Enables the pages; without values only the bytes can be shown."""
        for number in (VALUES, IMAGE, HISTOGRAM):
            self.choice.button(number).setVisible(values)
        self.save.setVisible(values)
        shown = self.choice.checkedId()
        if not values and shown != BYTES:
            self.choice.button(BYTES).setChecked(True)
            self.page_wanted.emit(BYTES)

    def offer_statistics(self, why: str) -> None:
        """Shows the button that computes the statistics, with the reason for not computing them right away."""
        self.say_statistics(why)
        self.compute.show()

    def set_title(self, text: Markup) -> None:
        self.title.show_markup(text)

    def say_statistics(self, text: str) -> None:
        self.compute.hide()
        self.statistics.setText(text)
        self.statistics.setVisible(bool(text))

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Shows a note below the statistics."""
        self._wrong = wrong
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self._look_changed(self._display.look)

    def _look_changed(self, look: Look) -> None:
        theme = look.theme
        paint_text(self.note, theme.error if self._wrong else theme.muted)
        paint_text(self.feed, theme.muted)


def button(text: str, what: str, parent: QWidget) -> QToolButton:
    made = QToolButton(parent)
    made.setText(text)
    made.setAutoRaise(True)
    set_tip(made, what)
    return made


def _row(first: QWidget, stretch: int, *others: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(6)
    row.addWidget(first, stretch)
    for other in others:
        row.addWidget(other)
    return row


HELP = tr(
    "An index or a range for each dimension: [0, 2, :, 10:20].\n"
    "At most two dimensions can be ranges; ... stands for all dimensions that are not listed."
)


class SliceBar(QWidget):
    """Signals: ``changed``: another slice was chosen; ``refused`` (reason): the typed text is not a slice."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape: tuple[int, ...] = ()
        self.part = first_slice(())
        self.field = QLineEdit(self)
        self.field.setAccessibleName(tr("Slice"))
        set_tip(self.field, HELP)
        self.field.setMinimumWidth(80)
        self.before = icon_button("chevron-left", tr("Previous plane (last fixed index)"), self)
        self.after = icon_button("chevron-right", tr("Next plane (last fixed index)"), self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.before)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.after)
        self.field.editingFinished.connect(self._typed)
        self.before.clicked.connect(lambda: self._step(-1))
        self.after.clicked.connect(lambda: self._step(1))

    def set_shape(self, shape: Sequence[int]) -> None:
        """Sets the shape of another tensor; the slice stays if the shape is the same."""
        if tuple(shape) != self._shape:
            self._shape = tuple(shape)
            self.part = first_slice(shape)
        self._show()

    def _typed(self) -> None:
        try:
            part = parse(self.field.text(), self._shape)
        except BadSlice as error:
            self.refused.emit(str(error))
            return
        self._go(part)

    def _step(self, direction: int) -> None:
        self._go(stepped(self.part, self._shape, direction))

    def _go(self, part: Slice) -> None:
        changed = part != self.part
        self.part = part
        self._show()
        if changed:
            self.changed.emit()

    def _show(self) -> None:
        self.field.setText(_typed_text(self.part, self._shape))
        fixed = len(self.part.open) < len(self._shape)
        self.before.setEnabled(fixed and stepped(self.part, self._shape, -1) != self.part)
        self.after.setEnabled(fixed and stepped(self.part, self._shape, 1) != self.part)


def _typed_text(part: Slice, shape: Sequence[int]) -> str:
    """The slice as a person would write it: a whole dimension is a colon."""
    words = part.text[1:-1].split(", ") if shape else []
    for dim, size in enumerate(shape):
        if dim in part.open and part.picks[dim] == range(size):
            words[dim] = ":"
    return f"[{', '.join(words)}]"
