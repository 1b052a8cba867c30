"""The main window: assembles the parts and connects their signals."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPoint, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.language import tr
from app.window.settings import SettingsFile

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Target
    from app.document.document import Document
    from app.document.loader import Failure, Loader
    from app.panels.spec import PanelSpec
    from app.widgets.display import Display
    from app.window.appearance import Appearance
    from app.window.central_widget import CentralWidget
    from app.window.command import Command
    from app.window.comparing import BaselineOpener
    from app.window.comparison_chip import ComparisonChip
    from app.window.dock_area import DockArea
    from app.window.drop import DropOverlay
    from app.window.finding import MatchStepper
    from app.window.footer import Footer
    from app.window.keyboard import Keyboard
    from app.window.keys import KeyDispatcher
    from app.window.links import LinkFollower
    from app.window.lookup import TableList
    from app.window.menus import Actions, Menus
    from app.window.notices import Notices
    from app.window.omnibox import Omnibox
    from app.window.profile_tabs import ProfileTabs
    from app.window.recent import RecentFiles, RecentPairs
    from app.window.start_page import StartPage
    from app.window.time_questions import TimeQuestions
    from app.window.verdict_strip import VerdictStrip


SHOWN_MS = 5000
FIRST_SIZE = QSize(1440, 900)


def registered_panels() -> Sequence[PanelSpec]:
    """Returns the panel registry, imported when docks are needed: panels import what they draw with."""
    from app.panels.registry import PANELS

    return PANELS


def no_command_pages(_: str) -> str:
    """Stands for the description of the command line where the window was not started from there."""
    return tr("`tilesight --help` lists the commands and their options.")


class MainWindow(QMainWindow):
    """The main window; what commands use is public. Created in steps, each painted before the next is imported: an
    empty window of the right size and colour; ``fill``, which adds its contents; ``prepare``, which creates the docks
    (with the first profile, or in the first idle moment; ``docks`` is None until then). ``may_close`` is asked before
    the window closes. Signal ``painted``: painted for the first time."""

    painted = Signal()

    loader: Loader
    document: Document
    display: Display
    settings: SettingsFile
    commands: tuple[Command, ...]
    docks: DockArea | None
    appearance: Appearance
    actions_: Actions
    match_stepper: MatchStepper
    time_questions: TimeQuestions
    recent_files: RecentFiles
    recent_pairs: RecentPairs
    baseline_opener: BaselineOpener
    links: LinkFollower
    tables: TableList
    keys: KeyDispatcher
    keyboard: Keyboard
    tabs: ProfileTabs
    chip: ComparisonChip
    omnibox: Omnibox
    start: StartPage
    verdict_strip: VerdictStrip
    central: CentralWidget
    notices: Notices
    footer: Footer
    menus: Menus
    overlay: DropOverlay

    def __init__(
        self,
        settings: SettingsFile,
        panels: Callable[[], Sequence[PanelSpec]] = registered_panels,
        command_pages: Callable[[str], str] = no_command_pages,
    ) -> None:
        super().__init__()
        self.command_pages = command_pages
        self.settings = settings
        self.docks = None
        self.filled = False
        self.may_close: Callable[[], bool] = lambda: True
        self._panels = panels
        self._shown: int | None = None
        self._painted = False
        self._restore_geometry()

    def fill(self, loader: Loader, document: Document, display: Display) -> None:
        """Builds the contents of the window, once; the declared attributes exist from now on (``settings`` and
        ``docks`` before)."""
        from app.window.comparing import BaselineOpener
        from app.window.recent import RecentFiles, RecentPairs

        self.loader = loader
        self.document = document
        self.display = display
        self.recent_files = RecentFiles(self.settings, self._recent_changed)
        self.recent_pairs = RecentPairs(self.settings, self._recent_changed)
        self.baseline_opener = BaselineOpener(document, self)
        document.baselines.set_names(self.settings.value.compared_names)
        document.thresholds.set(self.settings.value.thresholds)
        document.thresholds.changed.connect(self._keep_thresholds)
        self._build()
        self.filled = True
        self._connect()
        self.start.setFocus()
        if self.isVisible():
            self.overlay.watch()
        self._follow()

    def _keep_thresholds(self) -> None:
        self.settings.update(thresholds=self.document.thresholds.values)

    def open(self, paths: Sequence[Path]) -> None:
        """Opens files and folders in the background; all but bundled samples are added to the recent files."""
        from app.window.samples import is_bundled

        if paths:
            self.loader.open(paths)
            if self.document.current is None:
                self.central.show_reading(paths)
            self.recent_files.add([path for path in paths if not is_bundled(path)])

    def close_profile(self, entry_id: int) -> None:
        """Closes a profile; if it is still being read, the job is cancelled."""
        entry = self.document.entry(entry_id)
        if entry is not None and not entry.done:
            self.loader.cancel(entry.job)
        if self.document.entry(entry_id) is not None:
            self.document.close(entry_id)

    def choose(self, **changes: object) -> None:
        """Saves theme or units in the settings and applies them at once."""
        self.settings.update(**changes)
        self.appearance.refresh()
        self.refresh_soon()

    @property
    def main(self) -> QMainWindow:
        """The window itself, as the parent of dialogs."""
        return self

    @property
    def start_shown(self) -> bool:
        return self.central.start_shown

    def show_start(self, wanted: bool) -> None:
        """Shows the start page, or the docks if not ``wanted`` and a profile is open; of one of which nothing has been
        read yet its files, since no panel can say more. Docks are not hidden while a mouse button is down."""
        if self.docks is not None and self.docks.isVisible() and not self.docks.after_release.ready:
            self.docks.after_release.run("page", partial(self.show_start, wanted))
            return
        entry = self.document.current
        if wanted or entry is None:
            self.central.show_start()
        else:
            docks = self.prepare()
            if entry.done or entry.profile.filled():
                self.central.show_docks(docks)
            else:
                self.central.show_reading(entry.profile.origin.paths)
        self.refresh_soon()

    def show_panel(self, name: str) -> None:
        """Brings a panel to the front; while nothing is open, shows it alone if it is useful then."""
        docks = self.prepare()
        if self.document.current is None and name in docks.alone:
            docks.show_alone(name)
        if name in docks.offered:
            self.central.show_docks(docks)
            docks.focus(name)
            self.refresh_soon()

    def show_help(self, topic: str) -> None:
        """Shows a page of the help."""
        from app.window import help_window

        help_window.show(self, topic)

    def start_tour(self, topic: str) -> None:
        """Starts the tour of a page of the help."""
        from app.window import tour

        tour.start(self, topic)

    def prepare(self) -> DockArea:
        """Returns the dock area, created (with empty docks) if necessary."""
        if self.docks is None:
            from app.widgets.context import Context
            from app.window.dock_area import DockArea

            self.docks = DockArea(self._panels(), Context(self.document, self.display), self.settings, self)
            self.docks.after_release.harmless = lambda: self.tabs.pressing
            self.docks.changed.connect(self._docks_changed)
            self.docks.covered.connect(self.keyboard.settle_soon)
            self.docks.menu_wanted.connect(self._panel_menu)
            self.docks.commands_wanted.connect(self._place_menu)
            self.docks.help_wanted.connect(self.show_help)
            self.docks.more_wanted.connect(self._more_menu)
        return self.docks

    @property
    def awaiting_data(self) -> bool:
        """Whether a user waits for the first data of a file."""
        profile = self.document.profile
        shown = self.docks is not None and profile is not None and bool(profile.filled())
        return (self.loader.busy and not shown) or (self.docks is not None and self.docks.building)

    def refresh_soon(self) -> None:
        """Schedules an update of menus and buttons: which commands are enabled may have changed."""
        self.actions_.refresh_soon()

    def holds(self, widget: QWidget) -> bool:
        """Whether ``widget`` is in this window or in a floating dock of it."""
        return widget.window() is self or self.in_panel(widget)

    def in_panel(self, widget: QWidget) -> bool:
        return self.docks is not None and self.docks.holds(widget)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 (Qt's name)
        """Handles Tab and Shift+Tab anywhere in the window; Qt also calls it when the focused widget is hidden."""
        focus = self.focusWidget()
        if not self.filled or focus is None:
            return super().focusNextPrevChild(next)
        if not focus.isVisible():
            self.keyboard.strayed(focus)
            return True
        from app.window.central_widget import step

        self.keyboard.used()
        return step(self, focus, forward=next)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Saves the arrangement and geometry, and stops reading (within two seconds); after the release if a mouse
        button is down. The window stays open if ``may_close`` says so."""
        if self.docks is not None and not self.docks.after_release.ready:
            self.docks.after_release.run("close", self.close)
            event.ignore()
            return
        if not self.may_close():
            event.ignore()
            return
        if self.docks is not None:
            self.docks.save_layout()
        geometry = base64.b64encode(self.saveGeometry().data()).decode("ascii")
        self.settings.update(geometry=geometry)
        if self.filled:
            self.loader.close()
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.filled:
            self.overlay.watch()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.filled:
            return
        self.overlay.follow()
        self.omnibox.popup.hide()

    def _restore_geometry(self) -> None:
        """Restores the saved geometry (Qt moves the window if its screen is gone); without one, FIRST_SIZE, limited to
        the screen."""
        try:
            raw = base64.b64decode(self.settings.value.geometry, validate=True)
        except (binascii.Error, ValueError):
            raw = b""
        if not raw or not self.restoreGeometry(QByteArray(raw)):
            self.resize(FIRST_SIZE.boundedTo(QGuiApplication.primaryScreen().availableGeometry().size()))

    def _build(self) -> None:
        """Creates the parts of the window. They are imported here, after the first paint, and so are Qt's enums."""
        from PySide6.QtCore import Qt

        from app.widgets.icons import application_icon
        from app.window.appearance import Appearance
        from app.window.central_widget import CentralWidget, Header
        from app.window.commands import COMMANDS
        from app.window.comparison_chip import ComparisonChip
        from app.window.drop import DropOverlay
        from app.window.finding import MatchStepper
        from app.window.footer import Footer
        from app.window.going import ComparisonFront, DetailsFront
        from app.window.keyboard import Keyboard
        from app.window.keys import KeyDispatcher
        from app.window.links import LinkFollower
        from app.window.lookup import TableList
        from app.window.menus import Actions, Menus
        from app.window.notices import Notice
        from app.window.omnibox import Omnibox
        from app.window.profile_tabs import ProfileTabs
        from app.window.start_page import StartPage
        from app.window.time_questions import TimeQuestions
        from app.window.verdict_strip import VerdictStrip

        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus, True)
        self.commands = COMMANDS
        self.appearance = Appearance(application, self, self.display, self.settings)
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self.match_stepper = MatchStepper(self.document, self)
        self.time_questions = TimeQuestions(self)
        self.tables = TableList(self.document, self)
        self.actions_ = Actions(self, self.commands)
        self.keys = KeyDispatcher(self, self.commands)
        self.tabs = ProfileTabs(self.document, self.display, self, self.loader.stamps)
        self.keyboard = Keyboard(self)
        self.omnibox = Omnibox(self, self.match_stepper)
        self.chip = ComparisonChip(self, self.actions_, self)
        self.start = StartPage(self.settings, self.display, self)
        header = Header(self.actions_, self.tabs, self.chip, self.omnibox, self)
        self.verdict_strip = VerdictStrip(self, self)
        self.central = CentralWidget(header, self.verdict_strip, self.start, self)
        self.notices = self.central.notices
        self.footer = Footer(self.document, self.loader, self.display, self)
        self.setCentralWidget(self.central)
        self.setStatusBar(self.footer)
        self.menus = Menus(self, self.actions_)
        self.overlay = DropOverlay(self, self.display)
        self.links = LinkFollower(self)
        ComparisonFront(self)
        DetailsFront(self)
        if self.settings.note:
            self.notices.add(Notice("info", self.settings.note))

    def _connect(self) -> None:
        from app.window.commands.compare import open_pair, tab_dropped

        self.start.open_wanted.connect(self.open)
        self.start.ask_files.connect(self.actions_.actions["file.open"].trigger)
        self.start.ask_folder.connect(self.actions_.actions["file.open_folder"].trigger)
        self.start.clear_wanted.connect(self.recent_files.clear)
        self.start.command_wanted.connect(lambda name: self.actions_.actions[name].trigger())
        self.start.pair_wanted.connect(partial(open_pair, self))
        self.overlay.dropped.connect(self.open)
        self.footer.issues.clicked.connect(lambda: self.show_panel("issues"))
        self.tabs.close_wanted.connect(self.close_profile)
        self.tabs.tab_dropped.connect(partial(tab_dropped, self))
        self.tabs.menu_wanted.connect(partial(self._place_menu, "tab"))
        self.start.menu_wanted.connect(self._place_menu)
        self.footer.chips.menu_wanted.connect(self._place_menu)
        self.tabs.chosen.connect(lambda: self.show_start(False))
        self.tabs.chosen.connect(lambda: self.keyboard.give_soon(wanted=True))
        self.omnibox.left.connect(self.keyboard.give)
        sources = self.document.source_files
        sources.folders = dict(self.settings.value.source_folders)
        sources.folders_changed.connect(lambda: self.settings.update(source_folders=sources.folders))
        queries = self.document.queries
        queries.load(self.settings.value.queries)
        queries.changed.connect(lambda: self.settings.update(queries=queries.statements))
        self.document.target_wanted.connect(self._go)
        self.document.baselines.changed.connect(self.refresh_soon)
        self.document.baselines.begun.connect(self._remember_pair)
        self.loader.failed.connect(self._failed)
        self.loader.baseline_read.connect(self.baseline_opener.take)
        self.loader.joined.connect(self.recent_files.join)
        self.loader.already_open.connect(self._already_open)
        self.loader.jobs_changed.connect(self.refresh_soon)
        self.loader.idle.connect(self._all_read)
        self.document.entries_changed.connect(self._follow)
        self.document.updated.connect(self._first_data)
        self.document.selection.changed.connect(self.refresh_soon)
        self.document.ranges.changed.connect(self.refresh_soon)
        self.document.notes.changed.connect(self.refresh_soon)
        self.document.edits.changed.connect(self.refresh_soon)

    def _docks_changed(self) -> None:
        if self.document.current is None and not self.prepare().shown() and not self.central.reading_shown:
            self.show_start(True)  # the single panel was closed
        self.keyboard.follow_reading()
        self.refresh_soon()

    def _place_menu(self, name: str, place: QPoint) -> None:
        self.actions_.place_menu(name).popup(place)

    def _panel_menu(self, panel: str, place: QPoint, by_key: bool) -> None:
        from app.window.menus import show_panel_menu

        show_panel_menu(self, panel, place, by_key=by_key)

    def _more_menu(self, panel: str, place: QPoint) -> None:
        from app.window.menus import show_more_menu

        show_more_menu(self, panel, place)

    def _go(self, target: Target) -> None:
        from app.window.going import go

        go(self, target, keyboard=True)

    def _follow(self) -> None:
        """Updates the window when a profile was opened, completed or closed, or another one is shown."""
        from app.views.texts import CAPTION, shown_line

        entry = self.document.current
        self.setWindowTitle("Tilesight" if entry is None else f"{shown_line(entry.profile.name, CAPTION)} – Tilesight")
        now = None if entry is None else entry.id
        if now != self._shown:
            self._shown = now
            self.show_start(entry is None)
            self.keyboard.give_soon()
        self._first_data()
        self.keyboard.follow_reading()
        self.refresh_soon()

    def _first_data(self) -> None:
        """Shows the docks once there is something to show."""
        entry = self.document.current
        if self.central.reading_shown and entry is not None and (entry.done or entry.profile.filled()):
            self.show_start(False)
            self.keyboard.give_soon()

    def _all_read(self) -> None:
        if self.central.reading_shown and self.document.current is None:
            self.show_start(True)

    def _already_open(self, entries: Sequence[int]) -> None:
        """Shows the profile that was opened once more, and says why there is no second one."""
        from app.views.texts import CAPTION, shown_line

        self.show_start(False)
        self.keyboard.give_soon(wanted=True)
        shown = next((entry for name in entries if (entry := self.document.entry(name)) is not None), None)
        if shown is not None:
            name = shown_line(shown.profile.name, CAPTION)
            others = len(entries) - 1
            more = tr(" and {count:,} more", count=others) if others else ""
            text = tr("Already open: {name}{more}. Reload (F5) reads it again.", name=name, more=more)
            self.footer.showMessage(shown_line(text), SHOWN_MS)

    def _failed(self, failure: Failure) -> None:
        self.notices.add_failure(failure, lambda path: self.open([path]))
        self.recent_files.forget(failure.paths)

    def _remember_pair(self, entry_id: int) -> None:
        baseline = self.document.baselines.of(entry_id)
        entries = [self.document.entry(entry_id), None if baseline is None else self.document.entry(baseline)]
        paths = [entry.profile.origin.paths for entry in entries if entry is not None and not entry.is_part]
        if len(paths) == 2:
            self.recent_pairs.add(*paths)

    def _recent_changed(self) -> None:
        self.start.refresh()
        self.refresh_soon()
