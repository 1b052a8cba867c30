"""What a command is, what it is about (the profile, the selection, the focused panel), and what it may use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.window.nearest import nearest

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow, QMenu

    from app.analysis.view_links.view_link import ViewLink
    from app.document.document import Document
    from app.document.entry import Entry
    from app.document.loader import Loader
    from app.profile.selection import Selection
    from app.widgets.canvas import Canvas
    from app.widgets.display import Display
    from app.window.comparing import BaselineOpener
    from app.window.dock import Dock
    from app.window.dock_area import DockArea
    from app.window.finding import MatchStepper
    from app.window.footer import Footer
    from app.window.lookup import TableList
    from app.window.notices import Notices
    from app.window.recent import RecentFiles, RecentPairs
    from app.window.settings import SettingsFile
    from app.window.start_page import StartPage
    from app.window.time_questions import TimeQuestions


Menu: TypeAlias = Literal["File", "Edit", "View", "Go", "Compare", "Tools", "Help", ""]
MENU_TITLES: Final[dict[Menu, str]] = {
    "File": tr("File"),
    "Edit": tr("Edit"),
    "View": tr("View"),
    "Go": tr("Go"),
    "Compare": tr("Compare"),
    "Tools": tr("Tools"),
    "Help": tr("Help"),
    "": "",
}


LONGEST = 12
"""Most entries of a menu; a submenu counts as one."""
LANES = tr("Lanes")
RANGE = tr("Range")
UNITS = tr("Units")
ZOOMING = tr("Zoom")
ITEMS = tr("Items")
ANALYSIS = tr("Analysis")
ALIGNING = tr("Align timelines")
DIFFERENCES = tr("Differences")
"""Submenus that have commands of several modules, or stand in context menus too."""

PANEL_KEYS = 6
"""The first panels of a profile have keys of their own: Ctrl+1 and so on."""


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
    time_questions: TimeQuestions
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

    def start_tour(self, topic: str) -> None: ...

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
    ``choices``: makes the menu of what it asks for, which context menus have as a submenu. ``text_now``: its text where
    that depends on what it would do."""

    id: str
    text: str
    menu: Menu
    run: Callable[[CommandContext], object]
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
    text_now: Callable[[CommandContext], str] | None = None


Thing = TypeVar("Thing")


class Subject(Generic[Thing]):
    """``find`` returns what the commands are about now, None if there is nothing."""

    def __init__(self, find: Callable[[CommandContext], Thing | None]) -> None:
        self.find = find

    def act(self, act: Callable[[Thing], object]) -> Callable[[CommandContext], None]:
        """Returns what a command runs: ``act``, or nothing while there is no subject."""
        return self.act_in(lambda _, thing: act(thing))

    def act_in(self, act: Callable[[CommandContext, Thing], object]) -> Callable[[CommandContext], None]:
        """The same for what needs the window, too."""

        def run(context: CommandContext) -> None:
            thing = self.find(context)
            if thing is not None:
                act(context, thing)

        return run

    def meets(self, condition: Callable[[Thing], bool] = lambda _: True) -> Callable[[CommandContext], bool]:
        """Returns when a command is enabled, or checked: while there is a subject that meets ``condition``."""

        def holds(context: CommandContext) -> bool:
            thing = self.find(context)
            return thing is not None and condition(thing)

        return holds


def focused(ability: type[Thing]) -> Subject[Thing]:
    """The nearest widget with ``ability``, from the focus outwards."""
    return Subject(lambda context: nearest(context.keys.last_focus, ability))


def on_canvas(ability: type[Thing]) -> Subject[Thing]:
    """The canvas that has the focus or had it last, if it has ``ability``."""

    def find(context: CommandContext) -> Thing | None:
        canvas = context.keys.canvas
        return canvas if isinstance(canvas, ability) else None

    return Subject(find)


CURRENT: Subject[Entry] = Subject(lambda context: context.document.current)
SELECTED: Subject[Selection] = Subject(lambda context: context.document.selection.value)
FOCUSED_PANEL: Subject[Dock] = Subject(
    lambda context: (
        None if context.docks is None or context.keys.last_focus is None else context.docks.at(context.keys.last_focus)
    )
)


def copy_text(text: str) -> None:
    """Puts ``text`` on the clipboard; an empty one leaves it as it is."""
    if text:
        QGuiApplication.clipboard().setText(text)
