"""Details of the selected anchor: how its shape comes about, and how many input elements a call takes."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from app.analysis.popef.runs import input_elements
from app.language import tr
from app.panels.anchors import words
from app.profile.model import Model
from app.widgets.display import Display
from app.widgets.labels import Label, MarkupLabel, selectable

MOST_ACCUMULATION = 1_000_000


class AnchorDetails(QWidget):
    """The details below the table; hidden while no anchor is selected."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._shown: tuple[Model, int] | None = None
        self.title, self.shape = (selectable(MarkupLabel(self)) for _ in range(2))
        self.inference, self.before, self.behind = (selectable(Label(parent=self)) for _ in range(3))
        self.accumulation = QSpinBox(self)
        self.accumulation.setRange(1, MOST_ACCUMULATION)
        self.accumulation.setAccessibleName(tr("Gradient accumulation"))
        self.accumulation.setToolTip(tr("Not in the file: type the factor that the model is trained with"))
        self.accumulation.valueChanged.connect(self._again)
        row = QHBoxLayout()
        row.setSpacing(6)
        self.before.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        for part in (self.inference, self.behind):
            part.setWordWrap(True)
        row.addWidget(self.before)
        row.addWidget(self.accumulation)
        row.addWidget(self.behind, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(4)
        layout.addWidget(self.title)
        layout.addWidget(self.shape)
        layout.addWidget(self.inference)
        layout.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        display.changed.connect(self._again)
        self.hide()

    def show_anchor(self, model: Model | None, anchor: int) -> None:
        """Shows the details of ``anchor``; -1 for none."""
        self._shown = (model, anchor) if model is not None and 0 <= anchor < len(model.anchors) else None
        self._again()

    def _again(self) -> None:
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        model, anchor = self._shown
        look = self._display.look
        self.title.show_markup(words.title(model, anchor, look))
        self.shape.show_markup(words.shape(model, anchor, look.theme))
        elements = input_elements(model, anchor, self.accumulation.value())
        known = elements is not None and elements.inference is not None
        for part in (self.before, self.accumulation, self.behind):
            part.setVisible(known)
        if elements is not None and known:
            self.inference.setText(words.inference(elements))
            before, behind = words.training(elements)
            self.before.setText(before)
            self.behind.setText(behind)
        else:
            self.inference.setText(words.why_none(model, anchor))
        self.inference.setVisible(bool(self.inference.text()))
