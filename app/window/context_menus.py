"""Context menus: what is valid for the thing under the pointer, from the one command list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.widgets.abilities import ITEM, HoldsColumns, HoldsThings
from app.window.command import CommandContext
from app.window.reach import nearest

if TYPE_CHECKING:
    from app.window.actions import Actions

ANYWHERE, ON_CANVAS, SELECTED = "panel", "canvas", "selected"
"""In ``Command.places``: every panel, every one with a canvas, everything that can be selected."""


class MenuContext(CommandContext, Protocol):
    """What menus are made of, besides."""

    actions_: Actions


def show_panel_menu(context: MenuContext, panel: str, place: QPoint, *, by_key: bool) -> None:
    """The menu of a panel at ``place`` of the screen; ``by_key``: about what the keyboard is on."""
    menu = panel_menu(context, panel, place, by_key=by_key)
    menu.popup(place)


def panel_menu(context: MenuContext, panel: str, place: QPoint, *, by_key: bool = False) -> QMenu:
    """Chooses what lies at ``place`` and returns the menu about it."""
    dock = context.prepare().docks[panel]
    under = context.keys.last_focus if by_key else dock.childAt(dock.mapFromGlobal(place))
    things = _things(under, None if by_key else place)
    canvas = (ON_CANVAS,) if dock.canvas is not None else ()
    menu = context.actions_.place_menu(*_places(context, things), panel, *canvas, ANYWHERE)
    columns = nearest(under, HoldsColumns)
    if columns is not None and "header" in things:
        menu.addMenu(columns.columns_menu(menu))
    return menu


def _things(under: QWidget | None, place: QPoint | None) -> tuple[str, ...]:
    """What the nearest widget that knows says of the place."""
    holder = nearest(under, HoldsThings)
    if holder is None:
        return ()
    assert isinstance(holder, QWidget)
    if place is not None:
        holder.setFocus(Qt.FocusReason.MouseFocusReason)  # a header takes none by itself; commands act where it is
    return holder.thing_at(None if place is None else holder.mapFromGlobal(place))


def _places(context: CommandContext, things: tuple[str, ...]) -> tuple[str, ...]:
    """ITEM stands for the kind of what is selected now."""
    selected = context.document.selection.value
    if ITEM not in things:
        return things
    kind = (selected.kind, SELECTED) if selected is not None else ()
    return (*kind, *(thing for thing in things if thing != ITEM))
