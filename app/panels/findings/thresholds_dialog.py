"""The thresholds of findings, in a window: titles, values, defaults and reasons."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.analysis.findings.thresholds import DEFAULT, LIMITS, Limit, changed, with_values
from app.document.user_choices import ThresholdsModel
from app.language import joined, tr
from app.views.texts import shown_line
from app.widgets.dialogs import resize_dialog, text_scale
from app.widgets.fields import NumberBox
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.texts import Label
from app.widgets.tips import set_tip

LARGEST: Final = 1e12
DECIMALS: Final = 2
WIDTH: Final = 140


class ThresholdsDialog(QDialog):
    """One row for each threshold; a changed value applies at once. Not modal, so that its effect can be seen."""

    def __init__(self, model: ThresholdsModel, parent: QWidget, names: Collection[str] | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Thresholds of findings"))
        self.finished.connect(self.deleteLater)
        self.model = model
        self.boxes: dict[str, NumberBox] = {}
        self._rows: dict[str, tuple[QWidget, ...]] = {}
        self._names: Collection[str] | None = None
        self.show_all = QCheckBox(tr("Show all"), self)
        set_tip(self.show_all, tr("Also thresholds of rules that do not apply to the open profile"))
        self.show_all.toggled.connect(self._limit)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.RestoreDefaults | QDialogButtonBox.StandardButton.Close, self
        )
        self.reset = self.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        self.reset.setText(tr("Restore defaults"))
        mark_mnemonics(self.buttons.buttons())
        self.reset.clicked.connect(lambda: model.set({}))
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self._made_rows())
        below = QHBoxLayout()
        below.addWidget(self.show_all)
        below.addWidget(self.buttons, 1)
        layout.addLayout(below)
        resize_dialog(self, 840, 560)
        model.changed.connect(self._show)
        self._show()
        self.limit_to(names)
        first = next((name for name in self.boxes if not self.boxes[name].isHidden()), next(iter(self.boxes)))
        self.boxes[first].setFocus(Qt.FocusReason.OtherFocusReason)

    def limit_to(self, names: Collection[str] | None) -> None:
        """Shows the thresholds with these names, and all on request; None or none of them: all."""
        self._names = names
        self.show_all.setVisible(bool(names) and len(names or ()) < len(self.boxes))
        self._limit()

    def _limit(self) -> None:
        every = self.show_all.isChecked() or not self._names
        for name, widgets in self._rows.items():
            for widget in widgets:
                widget.setVisible(every or name in (self._names or ()))

    def _made_rows(self) -> QScrollArea:
        page = QWidget(self)
        grid = QGridLayout(page)
        grid.setColumnStretch(2, 1)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(16)
        for row, (name, limit) in enumerate(LIMITS.items()):
            box = self._box(name, limit)
            label = Label(shown_line(limit.title), page)
            label.setBuddy(box)
            label.setMinimumHeight(box.sizeHint().height())  # so that the name is beside the number
            default = tr("Default: {value}.", value=_shown(getattr(DEFAULT, name), limit))
            about = Label(shown_line(joined(" ", (limit.help, limit.reason, default))), page)
            about.setWordWrap(True)
            about.setObjectName("muted")
            top = Qt.AlignmentFlag.AlignTop
            for column, widget in enumerate((label, box, about)):
                grid.addWidget(widget, row, column, top)
            self._rows[name] = label, box, about
        grid.setRowStretch(len(LIMITS), 1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(page)
        return area

    def _box(self, name: str, limit: Limit) -> NumberBox:
        box = NumberBox(self)
        box.setRange(0.0, LARGEST)
        box.setDecimals(DECIMALS)
        box.setStepType(NumberBox.StepType.AdaptiveDecimalStepType)
        box.setSuffix(f" {limit.unit}" if limit.unit else "")
        box.setMaximumWidth(round(WIDTH * text_scale()))
        box.setKeyboardTracking(False)
        box.setAccessibleName(shown_line(limit.title))
        set_tip(box, tr("{help} Name on the command line: {name}", help=limit.help, name=name))
        box.valueChanged.connect(self._take)
        self.boxes[name] = box
        return box

    def _take(self) -> None:
        values = {name: box.value() for name, box in self.boxes.items()}
        self.model.set(changed(with_values(values)))

    def _show(self) -> None:
        """Shows the values of the model."""
        current = with_values(self.model.values)
        for name, box in self.boxes.items():
            box.blockSignals(True)
            box.setValue(getattr(current, name))
            box.blockSignals(False)
        self.reset.setEnabled(bool(changed(current)))


def show_thresholds(model: ThresholdsModel, parent: QWidget, names: Collection[str] | None = None) -> None:
    """Opens the dialog of a model, or brings it to the front if it is open, with the thresholds ``names`` (None: all)
    at first."""
    windows = (window for window in QApplication.topLevelWidgets() if isinstance(window, ThresholdsDialog))
    opened = next((window for window in windows if window.model is model and window.isVisible()), None)
    dialog = opened or ThresholdsDialog(model, parent, names)
    dialog.limit_to(names)
    dialog.show()
    dialog.activateWindow()


def _shown(value: float, limit: Limit) -> str:
    """The value and its unit, which stay on one line."""
    return f"{value:g}\N{NO-BREAK SPACE}{limit.unit}".rstrip()
