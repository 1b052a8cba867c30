"""The row under the menu bar: open, reload, the open profiles, the view, the search."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.views.texts import paragraph, shown_line
from app.window.actions import Actions
from app.window.comparison_chip import ComparisonChip

LEFT = ("file.reload",)
RIGHT = ("canvas.back", "canvas.forward", "canvas.fit")


class Header(QFrame):
    """The row of buttons (made from the commands' actions), profile tabs, what is compared, and search field."""

    def __init__(
        self, actions: Actions, tabs: QWidget, chip: ComparisonChip, omnibox: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._chip = chip
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(self._open_button(actions))
        for name in LEFT:
            row.addWidget(self._button(actions.actions[name]))
        row.addSpacing(8)
        row.addWidget(tabs, 1)
        self._filler = QWidget(self)
        self._filler.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row.addWidget(self._filler)
        row.addWidget(chip)
        for name in RIGHT:
            row.addWidget(self._button(actions.actions[name]))
        row.addSpacing(4)
        row.addWidget(omnibox)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chip.fit(self.width())

    def _open_button(self, actions: Actions) -> QToolButton:
        button = self._button(actions.actions["file.open"])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(button)
        menu.addAction(actions.actions["file.open"])
        menu.addAction(actions.actions["file.open_folder"])
        button.setMenu(menu)
        return button

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(shown_line(action.text().split("\t")[0]))
        plain = QTextDocumentFragment.fromHtml(action.toolTip()).toPlainText()
        button.setAccessibleDescription(paragraph(plain))
        return button
