"""A combo box whose accessible name reaches assistive tools."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QComboBox, QLabel, QStyle, QStyleOptionComboBox, QWidget

from app.views.texts import shown_line
from app.widgets.labels import Label
from app.widgets.texts import elided

NARROWEST = 88
"""To this width in pixels a box shrinks where the room is short."""

SPARE = 4
"""Pixels beyond the size that Qt asks for: Qt draws the entry in a narrower place than it measures."""


class ChoiceBox(QComboBox):
    """A combo box with an accessible name. On Linux, Qt reports the current entry as the name of a combo box, and
    assistive tools look for its label instead: a hidden sibling label has the accessible name. Where the room is short
    it is narrower than its entries, of which the current one is then elided."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._label: QLabel | None = None
        super().__init__(parent)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(shown_line(name))
        self._put_label()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + SPARE, hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), NARROWEST), hint.height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        if not option.currentText or option.rect.isEmpty():
            return  # Qt asks for the size, before there is anything to elide
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = elided(option.currentText, self.fontMetrics(), room.width() - 2)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            self._put_label()
        return super().event(event)

    def _put_label(self) -> None:
        """Creates or updates the label. Qt only searches the children of the same parent."""
        parent, name = self.parentWidget(), self.accessibleName().replace("&", "&&")
        if parent is None or not name:
            return
        if self._label is None:
            self._label = Label(parent=parent)
            self._label.setBuddy(self)
            self.destroyed.connect(self._label.deleteLater)
        self._label.setText(name)
        self._label.setParent(parent)
        self._label.hide()
