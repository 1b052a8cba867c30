"""The keyboard help, generated from the command list: a dialog with a filter, and tables for the pages of the help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.help.markdown import escaped, table
from app.language import joined, tr
from app.widgets.dialog_size import resize_dialog
from app.widgets.labels import Label
from app.widgets.tips import tip
from app.window.command import MENU_TITLES, Command
from app.window.commands import COMMANDS
from app.window.dialogs import MutedColumn
from app.window.keys import shown_keys
from app.window.offers import command_title

if TYPE_CHECKING:
    from app.window.command import CommandContext


WHERE_CANVAS = tr("Timeline and charts")
CANVAS = "canvas"


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


def key_table(argument: str) -> str:
    """The keys of the commands for ``argument``, places of context menus; those of canvases belong to "canvas". All
    commands, menu by menu, without an argument. KeyError for a place that no command has."""
    if not argument:
        return "\n\n".join(_menus())
    places = set(argument.split())
    known = {place for command in COMMANDS for place in command.places} | {CANVAS}
    if places - known:
        raise KeyError(argument)
    own = [command for command in COMMANDS if _belongs(command, places)]
    parts = [_table(command for command in own if command.keys)] if any(command.keys for command in own) else []
    others = [escaped(command_title(command)) for command in own if not command.keys]
    if others:
        parts.append(tr("In the context menu: {commands}.", commands=joined(" · ", others)))
    return "\n\n".join(parts)


def _belongs(command: Command, places: set[str]) -> bool:
    return bool(places.intersection(command.places)) or (CANVAS in places and command.canvas)


def _menus() -> Iterable[str]:
    for menu, title in MENU_TITLES.items():
        own = [command for command in COMMANDS if command.menu == menu]
        if own:
            yield f"## {title or tr('In no menu')}"
            yield _table(own)


def _table(commands: Iterable[Command]) -> str:
    rows = [(f"**{escaped(shown_keys(one))}**" if one.keys else "–", _link(one), escaped(one.help)) for one in commands]
    return table((tr("Keys"), tr("Command"), tr("What it does")), rows)


def _link(command: Command) -> str:
    return f"[{escaped(command_title(command))}](command:{command.id})"
