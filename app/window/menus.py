"""The actions of all commands, and the menus made of them: the menu bar, whose variable parts (recent files, panels)
are filled when they open, and context menus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol, get_args

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.language import Message, labelled, tr
from app.panels.spec import GROUPS, PanelSpec
from app.views.texts import has_ideographs
from app.widgets.abilities import ITEM, HasColumns, HasItemMenus
from app.widgets.buttons import add_named
from app.widgets.controls import list_controls
from app.widgets.icons import icon
from app.widgets.mnemonics import MARK, kept_mark, marked
from app.widgets.tips import set_tip
from app.window.command import LONGEST, MENU_TITLES, PANEL_KEYS, Command, CommandContext, Menu
from app.window.commands.compare import RECENT_PAIRS, fill_recent_pairs
from app.window.key_names import is_bare, shown
from app.window.nearest import nearest
from app.window.recent import listed

RECENT = tr("Open recent")
ROLES = {
    "help.about": QAction.MenuRole.AboutRole,
    "file.quit": QAction.MenuRole.QuitRole,
}
PANEL = tr("Panel")
"""The submenu of context menus with the commands of the panel around the item."""
BUSY_MS = 100
ICON_TEXTS = {"file.open": tr("Open")}
ENGLISH = "english"
"""The property of an action that has its text in English, whose letters a Chinese entry takes."""
ANYWHERE, ON_CANVAS, SELECTED, HEADING = "panel", "canvas", "selected", "heading"
"""In ``Command.places``: every panel, every panel with a canvas, every item that can be selected, the heading or tab of
a panel."""


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
        menu = self._submenus["Compare", RECENT_PAIRS]
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
        if docks is None:
            return
        menus = _grouped(self._panels, [docks.docks[name].spec for name in docks.offered])
        for place, name in enumerate(docks.offered):
            spec = docks.docks[name].spec
            key = f"\t{shown(f'Ctrl+{place + 1}')}" if place < PANEL_KEYS else ""
            action = menus[name].addAction(f"{spec.title}{key}")
            name_in_english(action, spec.title)
            action.setCheckable(True)
            action.setChecked(not docks.closed(name))
            set_tip(action, spec.help)
            action.triggered.connect(lambda _=False, name=name: docks.toggle(name))
        for menu in {self._panels, *menus.values()}:
            mark_menu(menu)

    def _fill_missing(self) -> None:
        """Lists the panels that are not offered, with what a file would need for them."""
        self._missing.clear()
        specs = self._context.docks.missing() if self._context.docks is not None else []
        menus = _grouped(self._missing, specs)
        for spec in specs:
            action = menus[spec.id].addAction(labelled(spec.title, spec.missing))
            set_tip(action, spec.help)
            action.setEnabled(False)


def _grouped(menu: QMenu, specs: Sequence[PanelSpec]) -> dict[str, QMenu]:
    """Returns the menu for each panel (id): ``menu``, or where that would be too long, one in ``menu`` for each group
    of several panels."""
    menus: dict[str, QMenu] = {}
    if len(specs) <= LONGEST:
        return dict.fromkeys((spec.id for spec in specs), menu)
    members = Counter(spec.group for spec in specs if spec.group)
    for spec in specs:
        if members[spec.group] > 1 and spec.group not in menus:
            menus[spec.group] = _submenu(menu, GROUPS[spec.group])
            menus[spec.group].setToolTipsVisible(True)
    return {spec.id: menus.get(spec.group, menu) for spec in specs}


def _submenu(menu: QMenu, title: str) -> QMenu:
    submenu = menu.addMenu(title)
    name_in_english(submenu.menuAction(), title)
    return submenu


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
            if command.text_now is not None:
                self._retitle(action, command.text_now(self._context))

    @staticmethod
    def _retitle(action: QAction, text: str) -> None:
        """Another text, whose mnemonic stays."""
        if action.iconText() != text:
            action.setText(kept_mark(action.text(), text.replace("&", "&&")))
            action.setIconText(text)

    def place_menu(self, *places: str, panel: Sequence[str] = (), more: int = 0) -> QMenu:
        """Returns a context menu with one section for each of ``places`` (see ``Command.places``) and then of
        ``panel``, of enabled commands only. A menu that would have more than LONGEST entries, with ``more`` that are
        added to it, has the submenus of the menu bar, and if it is still too long, one for ``panel``. The menu deletes
        itself when it closes."""
        self.refresh()
        menu = QMenu(self._context.main)
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        listed: set[str] = set()
        own, around = ([self._enabled(place, listed) for place in each] for each in (places, panel))
        if sum(map(len, (*own, *around))) + more > LONGEST:
            own, around = ([_folded(section) for section in each] for each in (own, around))
        self._list_sections(menu, own)
        if around and own and sum(map(len, (*own, *around))) + more > LONGEST:
            menu.addSeparator()
            self._list_sections(_submenu(menu, PANEL), around)
        else:
            self._list_sections(menu, around)
        alone = menu.actions()[0].menu() if len(menu.actions()) == 1 else None
        if isinstance(alone, QMenu):
            alone.aboutToHide.connect(menu.deleteLater)  # it is shown in its place, which never hides then
            return alone
        return menu

    def _enabled(self, place: str, listed: set[str]) -> list[list[Command]]:
        """Returns the enabled commands of a place, but those in ``listed``, where they are then; each an entry."""
        commands = [one for name, one in self.commands.items() if place in one.places and name not in listed]
        commands = [command for command in commands if self.actions[command.id].isEnabled()]
        listed.update(command.id for command in commands)
        return [[command] for command in commands]

    def _list_sections(self, menu: QMenu, sections: Iterable[list[list[Command]]]) -> None:
        """Adds sections of entries; an entry of several commands is their submenu."""
        for section in filter(None, sections):
            if not menu.isEmpty():
                menu.addSeparator()
            for commands in section:
                target = menu if len(commands) == 1 else _submenu(menu, commands[0].submenu)
                target.setToolTipsVisible(True)
                for command in commands:
                    self._list(target, command)

    def _list(self, menu: QMenu, command: Command) -> None:
        """Adds a command, or the menu of its choices."""
        inside = None if command.choices is None else command.choices(self._context)
        if inside is None:
            menu.addAction(self.actions[command.id])
            return
        inside.setParent(menu, inside.windowFlags())
        inside.setTitle(command.text)
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


def _folded(section: list[list[Command]]) -> list[list[Command]]:
    """Returns one entry for all commands of a submenu."""
    entries: dict[str, list[Command]] = {}
    for command in (command for entry in section for command in entry):
        entries.setdefault(command.submenu or command.id, []).append(command)
    return list(entries.values())


def mark_menu(menu: QMenu) -> None:
    """Gives every entry of ``menu`` a mnemonic of its own, as far as letters are available."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    texts = [action.text() for action in entries]
    for action, text in zip(entries, marked(texts, [in_english(action) for action in entries]), strict=True):
        action.setText(text)


def name_in_english(action: QAction, text: str) -> None:
    """Remembers the English of ``text``, the name of ``action``, for its mnemonic in other languages."""
    action.setProperty(ENGLISH, text.english if isinstance(text, Message) else text)


def in_english(action: QAction) -> str:
    """What ``name_in_english`` remembered; "" if nothing."""
    return str(action.property(ENGLISH) or "")


def menu_title(text: str, letter: str) -> str:
    """Returns the title of a menu with its first letter marked; one in ideographs has ``letter`` in brackets."""
    return f"{text}({MARK}{letter})" if has_ideographs(text[:1]) else f"{MARK}{text}"


class MenuContext(CommandContext, Protocol):
    """The command context plus the actions that menus consist of."""

    actions_: Actions


def show_panel_menu(context: MenuContext, panel: str, place: QPoint, *, by_key: bool) -> None:
    """Opens the context menu of a panel at ``place`` (screen coordinates); ``by_key``: for the focused item."""
    menu = panel_menu(context, panel, place, by_key=by_key)
    menu.popup(place)


def panel_menu(context: MenuContext, panel: str, place: QPoint, *, by_key: bool = False) -> QMenu:
    """Selects the item at ``place`` and returns its context menu."""
    docks = context.prepare()
    dock = docks.docks[panel]
    under = context.keys.last_focus if by_key else dock.childAt(dock.mapFromGlobal(place))
    if not by_key and (under is None or under is dock.heading or dock.heading.isAncestorOf(under)):
        docks.focus(panel)  # commands act on the panel with the focus
        things: tuple[str, ...] = (HEADING,)
    else:
        things = _things(under, None if by_key else place)
    canvas = (ON_CANVAS,) if dock.canvas is not None else ()
    columns = nearest(under, HasColumns) if "header" in things else None
    places, around = _places(context, things), (panel, *canvas, ANYWHERE)
    menu = context.actions_.place_menu(*places, panel=around, more=int(columns is not None))
    if columns is not None:
        menu.addMenu(columns.columns_menu(menu))
    return menu


def show_more_menu(context: MenuContext, panel: str, place: QPoint) -> None:
    """Opens the menu of a panel's heading: the controls that it has no room for, then the commands for the panel. They
    act on the focus, which goes there."""
    dock = context.prepare().docks[panel]
    focus = context.keys.last_focus
    if focus is None or context.prepare().at(focus) is not dock or dock.heading.isAncestorOf(focus):
        dock.take_keyboard()
    canvas = (ON_CANVAS,) if dock.canvas is not None else ()
    controls = list(dock.folded())
    menu = context.actions_.place_menu(panel, *canvas, ANYWHERE, HEADING, more=len(controls))
    commands = menu.actions()
    folded = QMenu(menu)
    list_controls(folded, controls)
    if folded.actions() and commands:
        menu.insertActions(commands[0], folded.actions())
        menu.insertSeparator(commands[0])
    menu.popup(place)


def _things(under: QWidget | None, place: QPoint | None) -> tuple[str, ...]:
    """Returns the kinds of things at ``place`` (None: at the focused item), from the nearest widget that knows."""
    holder = nearest(under, HasItemMenus)
    if holder is None:
        return ()
    assert isinstance(holder, QWidget)
    if place is not None:
        holder.setFocus(Qt.FocusReason.MouseFocusReason)  # commands act on the focus, which a header does not take
    return holder.menu_places_at(None if place is None else holder.mapFromGlobal(place))


def _places(context: CommandContext, things: tuple[str, ...]) -> tuple[str, ...]:
    """Returns ``things`` with ITEM replaced by the kind of the current selection."""
    selected = context.document.selection.value
    kind: tuple[str, ...] = (selected.kind, SELECTED) if selected is not None else ()
    return tuple(place for thing in things for place in (kind if thing == ITEM else (thing,)))
