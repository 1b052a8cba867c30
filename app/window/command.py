"""A command: menus, toolbar, context menus, palette, keys and key help are all generated from these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from msgspec import Struct

from app.language import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

    from app.analysis.view_links.view_link import ViewLink
    from app.document.document import Document
    from app.document.loader import Loader
    from app.widgets.canvas import Canvas
    from app.widgets.display import Display
    from app.window.comparing import BaselineOpener
    from app.window.dock_area import DockArea
    from app.window.footer import Footer
    from app.window.match_stepper import MatchStepper
    from app.window.notices import Notices
    from app.window.recent_files import RecentFiles
    from app.window.recent_pairs import RecentPairs
    from app.window.settings import SettingsFile
    from app.window.start_page import StartPage
    from app.window.table_list import TableList

Menu: TypeAlias = Literal["File", "Edit", "View", "Go", "Tools", "Help", ""]
MENU_TITLES: Final[dict[Menu, str]] = {
    "File": tr("File"),
    "Edit": tr("Edit"),
    "View": tr("View"),
    "Go": tr("Go"),
    "Tools": tr("Tools"),
    "Help": tr("Help"),
    "": "",
}


class RemembersFocus(Protocol):
    """Knows which widget and which canvas of a panel have the focus, or had it last."""

    @property
    def last_focus(self) -> QWidget | None: ...

    @property
    def canvas(self) -> Canvas | None: ...


class GivesKeyboard(Protocol):
    def give_soon(self, *, wanted: bool = False) -> None:
        """Gives the focus to the panel in front once the layout has settled; ``wanted``: even while the user types."""


class Searches(Protocol):
    def start(self, sign: str = "") -> None:
        """Focuses the search field and starts its text with ``sign``."""

    def clear_search(self) -> bool:
        """Ends the search; returns False if there was none."""


class FollowsLinks(Protocol):
    def follow(self, link: ViewLink, passed: Sequence[Path] = ()) -> None:
        """Goes to the place of a link; the user has agreed to open its files."""

    def ask_and_follow(self, link: ViewLink) -> None:
        """The same for a link of unknown origin: asks before files are opened."""


class CommandContext(Protocol):
    """What commands have access to: the document, settings, docks, notices and so on. Implemented by the main window;
    ``main`` is the parent for dialogs, ``command_pages`` describes the command line for the help."""

    document: Document
    display: Display
    settings: SettingsFile
    loader: Loader
    commands: tuple[Command, ...]
    docks: DockArea | None
    match_stepper: MatchStepper
    tables: TableList
    recent_files: RecentFiles
    recent_pairs: RecentPairs
    baseline_opener: BaselineOpener
    notices: Notices
    footer: Footer
    start: StartPage
    command_pages: Callable[[str], str]

    @property
    def main(self) -> QMainWindow: ...

    @property
    def keys(self) -> RemembersFocus: ...

    @property
    def keyboard(self) -> GivesKeyboard: ...

    @property
    def links(self) -> FollowsLinks: ...

    @property
    def omnibox(self) -> Searches: ...

    @property
    def start_shown(self) -> bool: ...

    def open(self, paths: Sequence[Path]) -> None: ...

    def close_profile(self, entry_id: int) -> None: ...

    def choose(self, **changes: object) -> None: ...

    def show_start(self, wanted: bool) -> None: ...

    def show_panel(self, name: str) -> None: ...

    def show_help(self, topic: str) -> None: ...

    def prepare(self) -> DockArea: ...

    def refresh_soon(self) -> None: ...

    def holds(self, widget: QWidget) -> bool: ...

    def in_panel(self, widget: QWidget) -> bool: ...


class Command(Struct, frozen=True):
    """A command of the program. ``keys``: in Qt's portable text; the first is shown. ``canvas``: acts on the focused
    canvas, so its single letters never reach a text field. ``places``: the context menus that list it: ids of panels,
    "panel" for all of them, "canvas" for those with a canvas, "heading" for their headings, "tab", or a kind of item.
    ``menu``: "" leaves it out of the menu bar (it is still in palette and key help). ``submenu``: heading that groups
    commands of one menu. ``icon``: name of an SVG in resources/icons. ``words``: synonyms that the palette finds it by.
    ``choices``: makes the menu of what it asks for, which context menus have as a submenu."""

    id: str
    text: str
    menu: Menu
    run: Callable[[CommandContext], None]
    keys: tuple[str, ...] = ()
    enabled: Callable[[CommandContext], bool] = lambda _: True
    checked: Callable[[CommandContext], bool] | None = None
    canvas: bool = False
    places: tuple[str, ...] = ()
    help: str = ""
    separator: bool = False
    submenu: str = ""
    icon: str = ""
    words: tuple[str, ...] = ()
    choices: Callable[[CommandContext], QMenu | None] | None = None
