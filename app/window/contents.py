"""What the window holds, made after it was painted for the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.window.actions import Actions
from app.window.appearance import Appearance
from app.window.commands import COMMANDS
from app.window.drop import DropOverlay
from app.window.finding import Finding
from app.window.footer import Footer
from app.window.header import Header
from app.window.icons import application_icon
from app.window.keyboard import Keyboard
from app.window.keys import KeyDispatcher
from app.window.menus import Menus
from app.window.middle import Middle
from app.window.notices import Notice
from app.window.omnibox import Omnibox
from app.window.profile_tabs import ProfileTabs
from app.window.start_page import StartPage
from app.window.table_list import TableList

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def build(window: MainWindow) -> None:
    """Puts the parts together; needs ``loader``, ``document``, ``display`` and ``settings`` of the window."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus, True)
    window.commands = COMMANDS
    window.appearance = Appearance(application, window.display, window.settings)
    window.setWindowIcon(application_icon())
    window.setAcceptDrops(True)
    window.finding = Finding(window.document, window)
    window.tables = TableList(window.document, window)
    window.actions_ = Actions(window, window.commands)
    window.keys = KeyDispatcher(window, window.commands)
    window.tabs = ProfileTabs(window.document, window.display, window, window.loader.stamps)
    window.keyboard = Keyboard(window)
    window.omnibox = Omnibox(window, window.finding)
    window.start = StartPage(window.settings, window.display, window)
    window.middle = Middle(Header(window.actions_, window.tabs, window.omnibox, window), window.start, window)
    window.notices = window.middle.notices
    window.footer = Footer(window.document, window.loader, window.display, window)
    window.setCentralWidget(window.middle)
    window.setStatusBar(window.footer)
    window.menus = Menus(window, window.actions_)
    window.overlay = DropOverlay(window, window.display)
    if window.settings.note:
        window.notices.add(Notice("info", window.settings.note))
