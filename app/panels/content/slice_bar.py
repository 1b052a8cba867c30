"""The bar that chooses the slice of a tensor: typed, or stepped plane by plane."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.analysis.popef.values import BadSlice, Slice, first_slice, parse, stepped
from app.language import tr
from app.widgets.tips import set_tip
from app.widgets.tool_buttons import icon_button

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
