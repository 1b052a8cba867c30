"""Context menus: the commands that apply to the item under the pointer, from the command list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.widgets.abilities import ITEM, HasColumns, HasItemMenus
from app.widgets.folded import list_controls
from app.window.command import CommandContext
from app.window.reach import nearest

if TYPE_CHECKING:
    from app.window.actions import Actions

ANYWHERE, ON_CANVAS, SELECTED, HEADING = "panel", "canvas", "selected", "heading"
"""In ``Command.places``: every panel, every panel with a canvas, every item that can be selected, the heading or tab of
a panel."""


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
    menu = context.actions_.place_menu(*_places(context, things), panel, *canvas, ANYWHERE)
    columns = nearest(under, HasColumns)
    if columns is not None and "header" in things:
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
    menu = context.actions_.place_menu(panel, *canvas, ANYWHERE, HEADING)
    commands = menu.actions()
    folded = QMenu(menu)
    list_controls(folded, dock.folded())
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
