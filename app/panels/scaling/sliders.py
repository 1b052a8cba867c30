"""What-if sliders that change the application, and their effect."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QScrollArea, QSlider, QVBoxLayout, QWidget

from app.analysis.scaling.curve import Point
from app.analysis.scaling.scenario import WhatIf
from app.language import plural, tr
from app.views.scaling.study import Study
from app.views.texts import shown_line
from app.views.units import format_value, percent, plain, three_digits
from app.widgets.display import Display
from app.widgets.texts import Label
from app.widgets.tips import set_tip

PAD = 8


class Knob(Struct, frozen=True):
    """``steps``: positions on each side of the middle; ``each``: positions per doubling or halving."""

    key: str
    label: str
    steps: int
    each: int
    help: str

    def factor(self, value: int) -> float:
        return float(2.0 ** (value / self.each))


KNOBS = (
    Knob(
        "micro_batch",
        tr("Time of a micro-batch"),
        12,
        4,
        tr("Compute, and exchange between IPUs except gradients."),
    ),
    Knob("allreduce", tr("Time of the allreduce"), 12, 4, tr("Faster links, or fewer bytes of gradients.")),
    Knob("host", tr("Host and transfers"), 12, 4, tr("The host's work, and transfers to the IPU and back.")),
    Knob(
        "accumulation",
        tr("Gradient accumulation"),
        6,
        1,
        tr("At least 1. With a fixed batch, the factor applies to the batch."),
    ),
    Knob("instances", tr("Instances on the host"), 6, 1, tr("At least 1.")),
)
LINES: tuple[tuple[str, Callable[[Point], float], Callable[[float], str]], ...] = (
    (tr("Samples/s"), lambda point: point.throughput, lambda value: plain(float(f"{value:.5g}"))),
    (tr("Efficiency"), lambda point: 100 * point.efficiency, percent),
    (tr("Weight update"), lambda point: point.update.seconds, lambda value: format_value(value, "s")),
    (tr("Allreduce, share"), lambda point: 100 * point.update.share(point.update.allreduce), percent),
    (tr("Batch"), lambda point: point.update.samples, lambda value: format_value(value, "")),
)


class KnobSlider(QSlider):
    """A slider that lets the page scroll: the wheel moves it only while it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Sliders(QScrollArea):
    """The page of what-if sliders. Signal ``changed`` (WhatIf)."""

    changed = Signal(object)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.knobs: dict[str, QSlider] = {}
        self._factors: dict[str, Label] = {}
        self.outcome = Label(parent=self)
        self.outcome.setWordWrap(True)
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reset = QPushButton(tr("Reset to inputs"), self)
        self.reset.clicked.connect(self.set_middle)
        self._build()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def what_if(self) -> WhatIf:
        return WhatIf(**{knob.key: knob.factor(self.knobs[knob.key].value()) for knob in KNOBS})

    def set_middle(self) -> None:
        """Resets all sliders."""
        self._set(WhatIf())
        self._moved()

    def show_study(self, study: Study, what_if: WhatIf) -> None:
        """Sets the sliders of this profile, and shows their effect at the replicas of the inputs."""
        self._set(what_if)
        model = study.model
        before = model.now if model is not None else None
        after = study.what_if.at(model.replicas) if model is not None and study.what_if is not None else None
        self.reset.setEnabled(study.what_if is not None)
        if before is None or after is None:
            self.outcome.setText(tr("Move a slider to see the effect in the charts.") if before else study.error)
            return
        lines: list[str] = [plural("With {count:,} replica:", "With {count:,} replicas:", count=before.replicas)]
        for name, value, text in LINES:
            old, new = value(before), value(after)
            change = f" ({_change(old, new)})" if name == tr("Samples/s") else ""
            lines.append(f"{name}: {text(old)} → {text(new)}{change}")
        self.outcome.setText("\n".join(lines))

    def _set(self, what_if: WhatIf) -> None:
        """Moves the sliders without emitting ``changed``."""
        for knob in KNOBS:
            slider = self.knobs[knob.key]
            slider.blockSignals(True)
            slider.setValue(round(math.log2(getattr(what_if, knob.key)) * knob.each))
            slider.blockSignals(False)
        self._say()

    def _build(self) -> None:
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(PAD, PAD, PAD, PAD)
        column.setSpacing(PAD)
        grid = QGridLayout()
        grid.setHorizontalSpacing(PAD)
        grid.setVerticalSpacing(2)
        for number, knob in enumerate(KNOBS):
            label, factor = Label(knob.label, page), Label(parent=page)
            set_tip(label, knob.help)
            factor.setAlignment(Qt.AlignmentFlag.AlignRight)
            slider = KnobSlider(Qt.Orientation.Horizontal, page)
            slider.setRange(-knob.steps, knob.steps)
            slider.setPageStep(knob.each)
            slider.setTickPosition(QSlider.TickPosition.TicksBelow)
            slider.setTickInterval(knob.each)
            set_tip(slider, knob.help)
            slider.setAccessibleName(shown_line(knob.label))
            slider.valueChanged.connect(self._moved)
            grid.addWidget(label, 2 * number, 0)
            grid.addWidget(factor, 2 * number, 1)
            grid.addWidget(slider, 2 * number + 1, 0, 1, 2)
            self.knobs[knob.key], self._factors[knob.key] = slider, factor
        column.addLayout(grid)
        column.addWidget(self.reset)
        column.addWidget(self.outcome)
        column.addStretch(1)
        self.setWidget(page)
        self._say()

    def _moved(self) -> None:
        self._say()
        self.changed.emit(self.what_if)

    def _say(self) -> None:
        for knob in KNOBS:
            factor = knob.factor(self.knobs[knob.key].value())
            self._factors[knob.key].setText(tr("unchanged") if factor == 1 else f"× {three_digits(factor)}")


def _change(old: float, new: float) -> str:
    return f"{'+' if new >= old else '−'}{percent(abs(100 * (new / old - 1)))}"
