"""Which anchors are listed: one group, one model, or all."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from app.analysis.popef.anchors import GROUPS, groups
from app.language import tr
from app.profile.arrays import Bool
from app.profile.model import Model
from app.widgets.chooser import Chooser
from app.widgets.tips import set_tip

ALL = -1
MOST_WIDTH = 240
SHORT = (tr("In, user"), tr("In, PopEF"), tr("Out, user"), tr("Out, PopEF"), tr("Unknown, user"), tr("Unknown, PopEF"))
"""Short names of the groups for buttons; tool tips and the table show the full names."""


class Choice(QWidget):
    """The filter above the table. Signal ``changed``: another group or model was chosen."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self.models = Chooser(tr("Model"), self)
        self.models.setMaximumWidth(MOST_WIDTH)
        self.models.activated.connect(lambda _: self.changed.emit())
        self._buttons = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 0)
        layout.setSpacing(2)
        for number in (ALL, *range(len(GROUPS))):
            layout.addWidget(self._button(number))
        layout.addStretch(1)
        layout.addWidget(self.models)
        self._buttons.idClicked.connect(lambda _: self.changed.emit())

    def offer(self, model: Model) -> None:
        """Shows buttons for the groups that have members, and the list of models if there are several."""
        counts = np.bincount(groups(model), minlength=len(GROUPS)).tolist()
        for number, count in ((ALL, len(model.anchors)), *enumerate(counts)):
            button = self._buttons.button(_id(number))
            button.setText(f"{tr('All') if number == ALL else SHORT[number]} {count:,}")
            button.setVisible(count > 0)
            if button.isChecked() and not count:
                self._buttons.button(_id(ALL)).setChecked(True)
        names = [model.strings.get(row) or tr("without a name") for row in model.metadata.executable.tolist()]
        texts = [tr("All models"), *(f"{row}: {name}" for row, name in enumerate(names, 1))]
        if texts != self._names:
            self._names = texts
            self.models.offer(texts)
        self.models.setVisible(len(names) > 1)

    def within(self, model: Model) -> Bool | None:
        """bool[anchors]: which anchors pass the filter; None if all do."""
        group, row = self.group, self.models.currentIndex() - 1
        wanted = np.ones(len(model.anchors), np.bool_)
        if group != ALL:
            wanted &= groups(model) == group
        if len(model.metadata) > 1 and row >= 0:
            wanted &= model.anchors.metadata == row
        return None if wanted.all() else wanted

    @property
    def group(self) -> int:
        """The chosen group; ALL for every group."""
        return self._buttons.checkedId() - 1

    def _button(self, number: int) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setChecked(number == ALL)
        set_tip(button, tr("Every anchor") if number == ALL else GROUPS[number])
        self._buttons.addButton(button, _id(number))
        return button


def _id(number: int) -> int:
    """The button id of a group; ids start at 0 because Qt assigns one itself for -1."""
    return number + 1
