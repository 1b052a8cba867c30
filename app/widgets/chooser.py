"""A combo box for any number of entries: a file may name a hundred thousand blocks, sources or modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QComboBox, QListView, QWidget

from app.views.texts import shown_line, shown_lines
from app.widgets.choice_box import ChoiceBox
from app.widgets.tips import set_tip

MANY = 100
"""With more entries than this, widths are not measured."""
LETTERS = 16
"""Width of the box in letters in that case."""


class Chooser(ChoiceBox):
    """A combo box filled from one list of texts, each with a value. ``letters``: its minimum width; 0: fits the entries
    while they are few."""

    def __init__(self, name: str, parent: QWidget | None = None, letters: int = 0) -> None:
        super().__init__(parent)
        self._letters = letters
        self._values: Sequence[object] = ()
        self._texts = QStringListModel(self)
        self.setModel(self._texts)
        view = QListView(self)
        view.setUniformItemSizes(True)
        self.setView(view)
        self.setAccessibleName(shown_line(name))
        set_tip(self, name)
        self._fit(0)

    def offer(self, texts: Sequence[str], values: Sequence[object] | None = None, chosen: int = 0) -> None:
        """Replaces the entries without signals. ``values``: what each entry stands for (default: its text); ``chosen``:
        index of the current one."""
        silent = self.blockSignals(True)
        self._values = list(texts if values is None else values)
        self._fit(len(texts))
        self._texts.setStringList(shown_lines(texts))
        self.setCurrentIndex(chosen if 0 <= chosen < len(texts) else 0 if texts else -1)
        self.blockSignals(silent)

    def currentData(self, role: int = Qt.ItemDataRole.UserRole) -> Any:
        return self.itemData(self.currentIndex(), role)

    def itemData(self, index: int, role: int = Qt.ItemDataRole.UserRole) -> Any:
        if role != Qt.ItemDataRole.UserRole:
            return super().itemData(index, role)
        return self._values[index] if 0 <= index < len(self._values) else None

    @property
    def number(self) -> int | None:
        """The value of the current entry if it is a number; None if it is something else, such as "all"."""
        value = self.currentData()
        return value if isinstance(value, int) else None

    def place_of(self, value: object) -> int:
        """Index of the entry for ``value``; -1 if there is none."""
        return self._values.index(value) if value in self._values else -1

    def findData(self, data: object, *_how: object) -> int:
        return self.place_of(data)

    def _fit(self, count: int) -> None:
        if count > MANY or self._letters:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(self._letters or LETTERS)
        else:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            self.setMinimumContentsLength(0)
