"""A thing a person can do: menus, toolbar, context menus, palette, keys and the key help come from these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

Menu: TypeAlias = Literal["File", "Edit", "View", "Go", "Tools", "Help", ""]


@dataclass(frozen=True, slots=True)
class Command:
    """``keys`` in Qt's portable text, the first is shown. ``canvas`` commands act on the canvas that has the
    focus, so their single letters never reach a text field. ``places`` names the context menus it stands in: ids
    of panels, "panel" for all of them, "canvas" for those with a canvas, or "tab". ``menu`` "" keeps it out of the
    menu bar (still in palette and key help). ``submenu`` gathers commands of one menu under a heading; ``icon``
    names a drawing in resources/icons. ``words``: what else people call it; the palette finds it by them."""

    id: str
    text: str
    menu: Menu
    run: Callable[[MainWindow], None]
    keys: tuple[str, ...] = ()
    enabled: Callable[[MainWindow], bool] = lambda _: True
    checked: Callable[[MainWindow], bool] | None = None
    canvas: bool = False
    places: tuple[str, ...] = ()
    help: str = ""
    separator: bool = False
    submenu: str = ""
    icon: str = ""
    words: tuple[str, ...] = ()
