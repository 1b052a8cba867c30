"""Details of the selected anchor: how its shape comes about, and how many input elements a call takes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from app.analysis.popef.anchors import (
    Dim,
    InputElements,
    dims,
    explained,
    input_elements,
    loaded_once,
    own_shape,
    shape_text,
    tensor_bytes,
)
from app.analysis.popef.flow import counterpart_anchor
from app.language import tr
from app.profile.popef import ANCHOR_INPUT, Model, data_type
from app.views.look import Look, Theme
from app.views.markup import GAP, Markup, coloured, grid, plain, strong
from app.views.units import format_value
from app.widgets.display import Display
from app.widgets.texts import Label, MarkupLabel, selectable

MOST_ACCUMULATION = 1_000_000
FROM_METADATA = tr("(set in the metadata)")


class AnchorDetails(QWidget):
    """The details below the table; hidden while no anchor is selected."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._shown: tuple[Model, int] | None = None
        self._baseline: Model | None = None
        self.title, self.shape = (selectable(MarkupLabel(self)) for _ in range(2))
        self.compared = selectable(Label(parent=self))
        self.inference, self.before, self.behind = (selectable(Label(parent=self)) for _ in range(3))
        self.accumulation = QSpinBox(self)
        self.accumulation.setRange(1, MOST_ACCUMULATION)
        self.accumulation.setAccessibleName(tr("Gradient accumulation"))
        self.accumulation.setToolTip(tr("Not in the file. Type the factor used in training."))
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
        layout.addWidget(self.compared)
        layout.addWidget(self.inference)
        layout.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        display.changed.connect(self._again)
        self.hide()

    def show_anchor(self, model: Model | None, anchor: int, baseline: Model | None = None) -> None:
        """Shows the details of ``anchor`` (-1 for none), and what ``baseline`` has of it."""
        self._baseline = baseline
        self._shown = (model, anchor) if model is not None and 0 <= anchor < len(model.anchors) else None
        self._again()

    def _again(self) -> None:
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        model, anchor = self._shown
        look = self._display.look
        self.title.show_markup(title(model, anchor, look))
        self.shape.show_markup(shape(model, anchor, look.theme))
        self.compared.setVisible(self._baseline is not None)
        if self._baseline is not None:
            self.compared.setText(compared(self._baseline, model, anchor))
        elements = input_elements(model, anchor, self.accumulation.value())
        known = elements is not None and elements.inference is not None
        for part in (self.before, self.accumulation, self.behind):
            part.setVisible(known)
        if elements is not None and known:
            self.inference.setText(inference(elements))
            before, behind = training(elements)
            self.before.setText(before)
            self.behind.setText(behind)
        else:
            self.inference.setText(why_none(model, anchor))
        self.inference.setVisible(bool(self.inference.text()))


def title(model: Model, anchor: int, look: Look) -> Markup:
    """One line with the name, type, size and handle of an anchor."""
    own, texts = model.anchors, model.strings
    name = texts.get(int(own.name[anchor])) or tr("without a name")
    size = int(tensor_bytes(own.shape, own.data_type)[anchor])
    parts = [data_type(int(own.data_type[anchor]))]
    if size >= 0:
        parts.append(format_value(size, "B", look))
    if handle := texts.get(int(own.handle[anchor])):
        parts.append(tr("handle {handle}", handle=handle))
    return strong(name) + GAP + coloured(" · ".join(parts), look.theme.muted)


def shape(model: Model, anchor: int, theme: Theme) -> Markup:
    """The dimensions side by side, with the role of each below it."""
    own, factor = model.anchors, model.metadata.replication_factor
    fed = input_elements(model, anchor)
    sizes = dims(own, factor, anchor, batch=fed is not None and fed.batch is not None)
    if not sizes:
        return coloured(tr("no dimensions: a single element"), theme.muted)
    text = _boxes(sizes, theme, more=len(own.shape.row(anchor)) > len(sizes))
    if own_shape(own, factor, anchor) is None:
        wrong = explained(own, factor, anchor)
        text += coloured(tr("The shape {wrong}.", wrong=wrong), theme.warning)
    return text


def compared(before: Model, model: Model, anchor: int) -> str:
    """What the baseline has of the anchor."""
    known = counterpart_anchor(before, model, anchor)
    if known < 0:
        return tr("The baseline has no anchor of this name.")
    sides = [
        (data_type(int(own.anchors.data_type[row])), shape_text(tuple(own.anchors.shape.row(row).tolist())))
        for own, row in ((before, known), (model, anchor))
    ]
    if sides[0] == sides[1]:
        return tr("The baseline has the same type and shape.")
    return tr("Baseline: {type} {shape}", type=sides[0][0], shape=sides[0][1])


def _boxes(dimensions: Sequence[Dim], theme: Theme, *, more: bool) -> Markup:
    sizes = [strong(f"{dim.size:,}") for dim in dimensions] + ([plain("…")] if more else [])
    roles = [coloured(dim.role, theme.muted) for dim in dimensions]
    return grid([sizes, roles] if any(dim.role for dim in dimensions) else [sizes])


def why_none(model: Model, anchor: int) -> str:
    """Why the number of elements per call is not known; "" if it is."""
    if model.anchors.type[anchor] != ANCHOR_INPUT:
        return ""
    if loaded_once(model, anchor):
        return tr("Only load programs use it: it is loaded once, not fed with each call.")
    elements = input_elements(model, anchor)
    if elements is None or elements.batch is None:
        return tr("No dimension of its shape can be the micro-batch, so elements per call are unknown.")
    if elements.iterations < 1:
        return tr("The metadata do not state the device iterations, so elements per call are unknown.")
    return ""


def inference(elements: InputElements) -> str:
    """The formula for inference with its numbers."""
    product = tr(
        "{iterations:,} device iterations × {replicas:,} replicas × {batch:,} micro-batch",
        iterations=elements.iterations,
        replicas=elements.replicas,
        batch=elements.batch,
    )
    text = tr("Elements per call, inference: {product} = {inference:,}", product=product, inference=elements.inference)
    return f"{text} {FROM_METADATA}" if elements.is_inference else text


def training(elements: InputElements) -> tuple[str, str]:
    """The formula for training: (the part before, the part after) the field for gradient accumulation."""
    behind: str = tr("gradient accumulation = {training:,}", training=elements.training)
    if not elements.is_inference:
        behind += f" {FROM_METADATA}"
    return tr("Training: {inference:,} ×", inference=elements.inference), behind
