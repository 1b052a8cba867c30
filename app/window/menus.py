"""The menu bar, generated from the command list; variable parts (recent files, panels) are filled when they open."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.language import labelled, tr
from app.widgets.named_action import add_named
from app.widgets.tips import set_tip
from app.window.actions import Actions
from app.window.command import MENU_TITLES, Command, CommandContext, Menu
from app.window.commands.compare import RECENT_PAIRS, fill_recent_pairs
from app.window.key_names import shown
from app.window.mnemonics import mark_menu, menu_title, name_in_english
from app.window.recent import listed

RECENT = tr("Open recent")
PANEL_KEYS = 6


class Menus(QObject):
    """The menus of the menu bar; a menu without commands is omitted."""

    def __init__(self, context: CommandContext, actions: Actions) -> None:
        super().__init__(context.main)
        self._context = context
        self._actions = actions
        self._submenus: dict[tuple[str, str], QMenu] = {}
        for title in filter(None, get_args(Menu)):
            commands = [command for command in actions.commands.values() if command.menu == title]
            if not commands:
                continue
            menu = context.main.menuBar().addMenu(menu_title(MENU_TITLES[title], title[0]))
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(actions.refresh)
            if title == "View":
                self._add_panels(menu)
            for command in commands:
                self._add(menu, command)
            mark_menu(menu)
        for menu in self._submenus.values():
            mark_menu(menu)

    def _add(self, menu: QMenu, command: Command) -> None:
        """Adds a command to its menu or submenu. A separator before a submenu's first command goes before the
        submenu."""
        key = command.menu, command.submenu
        target = self._submenus.get(key) if command.submenu else menu
        if command.separator:
            (target or menu).addSeparator()
        if target is None:
            target = self._submenus[key] = _submenu(menu, command.submenu)
            if command.submenu == RECENT:
                target.aboutToShow.connect(self._fill_recent)
            elif command.submenu == RECENT_PAIRS:
                target.aboutToShow.connect(self._fill_pairs)
        target.addAction(self._actions.actions[command.id])

    def _fill_recent(self) -> None:
        menu = self._submenus["File", RECENT]
        clear = self._actions.actions["file.clear_recent"]
        menu.clear()
        menu.setToolTipsVisible(True)
        settings = self._context.settings.value
        for file in listed(settings.recent, settings.recent_together):
            action = add_named(menu, file.line, "\n".join(map(str, file.paths)))
            action.setEnabled(file.exists)
            action.triggered.connect(lambda _=False, paths=file.paths: self._context.open(paths))
        menu.addSeparator()
        menu.addAction(clear)

    def _fill_pairs(self) -> None:
        menu = self._submenus["File", RECENT_PAIRS]
        menu.clear()
        fill_recent_pairs(self._context, menu)
        menu.addSeparator()
        menu.addAction(self._actions.actions["compare.clear_recent"])

    def _add_panels(self, menu: QMenu) -> None:
        self._panels = _submenu(menu, tr("Panels"))
        self._missing = _submenu(menu, tr("Panels that need other files"))
        self._panels.aboutToShow.connect(self._fill_panels)
        self._missing.aboutToShow.connect(self._fill_missing)
        self._missing.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._enable_panels)

    def _enable_panels(self) -> None:
        docks = self._context.docks
        self._panels.setEnabled(docks is not None and bool(docks.offered))
        self._missing.setEnabled(docks is not None and bool(docks.missing()))

    def _fill_panels(self) -> None:
        """Lists the offered panels, checkable to open and close them, with the key that focuses each."""
        self._panels.clear()
        docks = self._context.docks
        for place, name in enumerate(docks.offered if docks is not None else ()):
            assert docks is not None
            spec = docks.docks[name].spec
            key = f"\t{shown(f'Ctrl+{place + 1}')}" if place < PANEL_KEYS else ""
            action = self._panels.addAction(f"{spec.title}{key}")
            name_in_english(action, spec.title)
            action.setCheckable(True)
            action.setChecked(not docks.closed(name))
            set_tip(action, spec.help)
            action.triggered.connect(lambda _=False, name=name: docks.toggle(name))
        mark_menu(self._panels)

    def _fill_missing(self) -> None:
        """Lists the panels that are not offered, with what a file would need for them."""
        self._missing.clear()
        docks = self._context.docks
        for spec in docks.missing() if docks is not None else ():
            action = self._missing.addAction(labelled(spec.title, spec.missing))
            set_tip(action, spec.help)
            action.setEnabled(False)


def _submenu(menu: QMenu, title: str) -> QMenu:
    submenu = menu.addMenu(title)
    name_in_english(submenu.menuAction(), title)
    return submenu
