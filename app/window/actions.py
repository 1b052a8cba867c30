"""One QAction for each command, shared by menus, toolbar and Qt's shortcuts."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.language import tr
from app.widgets.icons import icon
from app.widgets.tips import set_tip
from app.window.command import Command, CommandContext
from app.window.key_names import is_bare, shown
from app.window.mnemonics import name_in_english

ROLES = {
    "help.about": QAction.MenuRole.AboutRole,
    "file.quit": QAction.MenuRole.QuitRole,
}
BUSY_MS = 100
ICON_TEXTS = {"file.open": tr("Open")}


class Actions(QObject):
    """The QActions of all commands, by command id. Bare keys (without Ctrl, Alt or Meta) are only shown beside the
    text: the key dispatcher handles them."""

    def __init__(self, context: CommandContext, commands: Iterable[Command]) -> None:
        super().__init__(context.main)
        self._context = context
        self.commands = {command.id: command for command in commands}
        self.actions = {command.id: self._action(command) for command in self.commands.values()}
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self.refresh)
        context.main.addActions(list(self.actions.values()))

    def refresh_soon(self) -> None:
        """Schedules one ``refresh``, however often this is called: for when the event loop is idle, or after BUSY_MS
        while files are read, of which there may be hundreds."""
        if not self._timer.isActive():
            self._timer.start(BUSY_MS if self._context.loader.busy else 0)

    def refresh(self) -> None:
        """Updates the enabled and checked state of every action."""
        for name, command in self.commands.items():
            action = self.actions[name]
            action.setEnabled(command.enabled(self._context))
            if command.checked is not None:
                action.setChecked(command.checked(self._context))

    def place_menu(self, *places: str) -> QMenu:
        """Returns a context menu with one section for each of ``places`` (see ``Command.places``), of enabled commands
        only. The menu deletes itself when it closes."""
        self.refresh()
        menu = QMenu(self._context.main)
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        listed: set[str] = set()
        for place in places:
            group = [name for name, command in self.commands.items() if place in command.places and name not in listed]
            group = [name for name in group if self.actions[name].isEnabled()]
            if group:
                if not menu.isEmpty():
                    menu.addSeparator()
                for name in group:
                    self._list(menu, name)
                listed.update(group)
        alone = menu.actions()[0].menu() if len(menu.actions()) == 1 else None
        if isinstance(alone, QMenu):
            alone.aboutToHide.connect(menu.deleteLater)  # it is shown in its place, which never hides then
            return alone
        return menu

    def _list(self, menu: QMenu, name: str) -> None:
        """Adds a command, or the menu of its choices."""
        choices = self.commands[name].choices
        inside = None if choices is None else choices(self._context)
        if inside is None:
            menu.addAction(self.actions[name])
            return
        inside.setParent(menu, inside.windowFlags())
        inside.setTitle(self.commands[name].text)
        menu.addMenu(inside)

    def _action(self, command: Command) -> QAction:
        bare = [key for key in command.keys if is_bare(key)]
        real = [key for key in command.keys if not is_bare(key)]
        text = command.text.replace("&", "&&")
        hint = bool(bare) and command.keys[0] == bare[0]
        action = QAction(f"{text}\t{shown(bare[0])}" if hint else text, self)
        name_in_english(action, command.text)
        if real:
            action.setShortcuts([QKeySequence.fromString(key) for key in real])
        keys = f" ({shown(command.keys[0])})" if command.keys else ""
        set_tip(action, f"{command.text}{keys}" + (f"\n{command.help}" if command.help else ""))
        action.setIconText(ICON_TEXTS.get(command.id, command.text))
        if command.icon:
            action.setIcon(icon(command.icon))
        action.setMenuRole(ROLES.get(command.id, QAction.MenuRole.NoRole))
        action.setCheckable(command.checked is not None)
        action.triggered.connect(lambda _checked=False: self._run(command))
        return action

    def _run(self, command: Command) -> None:
        if command.enabled(self._context):
            command.run(self._context)
        self.refresh_soon()
