"""The keyboard help, a dialog with a filter, generated from the command list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.language import tr
from app.widgets.dialogs import resize_dialog
from app.widgets.texts import Label
from app.widgets.tips import tip
from app.window.command import MENU_TITLES
from app.window.dialogs import MutedColumn
from app.window.key_names import shown_keys
from app.window.offers import command_title

if TYPE_CHECKING:
    from app.window.command import CommandContext


WHERE_CANVAS = tr("Timeline and charts")


class KeyHelp(QDialog):
    """A modeless dialog, so that keys can be tried while it is open."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(tr("Filter by name or key"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._filter)
        self.list = QTreeWidget(self)
        self.list.setObjectName("lines")
        self.list.setHeaderLabels([tr("Keys"), tr("Command"), tr("Where"), tr("What it does")])
        self.list.setRootIsDecorated(False)
        self.list.setAlternatingRowColors(True)
        self.list.setItemDelegateForColumn(2, MutedColumn(self.list))
        self.list.setAccessibleName(tr("Keyboard shortcuts"))
        for command in sorted(context.commands, key=lambda command: not command.keys):
            where = WHERE_CANVAS if command.canvas else MENU_TITLES[command.menu]
            item = QTreeWidgetItem([shown_keys(command), command_title(command), where, command.help])
            item.setToolTip(3, tip(command.help))
            self.list.addTopLevelItem(item)
        for column in range(3):
            self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        note = Label(tr("Single keys work while the timeline or a chart has the focus, not while you type."), self)
        note.setObjectName("muted")
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        layout.addWidget(note)
        resize_dialog(self, 1160, 660)

    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            assert item is not None
            line = " ".join(item.text(column) for column in range(4)).casefold()
            item.setHidden(not all(word in line for word in wanted))


def show(context: CommandContext) -> None:
    """Opens the dialog, replacing one that is open already."""
    for child in context.main.findChildren(KeyHelp):
        child.close()
        child.deleteLater()
    dialog = KeyHelp(context)
    dialog.show()
    dialog.field.setFocus()
