"""Texts of files in the real window: never markup, never longer than a screen has use for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.registry import plan
from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.views.texts import LINE, PAGE, PAGE_LINE, PARAGRAPH
from app.window.main_window import MainWindow
from app.window.screenshot import settle
from app.window.settings import SettingsFile
from fakes.poisoned import poisoned
from fakes.shell import make_window
from fakes.text_sinks import is_strange, texts_of, watch
from journeys import families

FAMILIES = ("ascend", "popef", "trace", "plan", "tensorflow", "map", "report")
"""The report has all that a profile of Poplar has."""
TIP = 8 * PARAGRAPH
"""Escaped, a character may take six."""
COMPOSED = 3 * LINE
"""Some lines are made of several texts."""
WRAPPED = ("Label", "MessageBox", "diagram.py")
"""These break their lines."""
STEPS = 4
HTML = '<img src="/dev/zero"><h1>x</h1>&lt;'


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Callable[[str], Profile]:
    files = families.write_all(tmp_path_factory.mktemp("families"), root / "resources" / "samples")

    def profile(family: str) -> Profile:
        jobs, _ = plan([files[family]])
        return read(jobs[0].format, jobs[0].paths)[0]

    return profile


@pytest.fixture
def real_window(qtbot: QtBot, looks: None) -> MainWindow:
    """With the real panels; nothing is open."""
    return shown(qtbot, make_window(SettingsFile(), PANELS))


def markup(text: str) -> str:
    return f"{HTML}{text}\n\u202e\x07" + " word" * 10_000


class Strange:
    """The first few become one word of twice a line's limit, the others thousands of words, all after markup."""

    def __init__(self) -> None:
        self.left = 30

    def __call__(self, text: str) -> str:
        self.left -= 1
        return f"{HTML}{text}" + "x" * 2 * PAGE_LINE if self.left > 0 else markup(text)


def most(where: str) -> int:
    if "PlainTextEdit" in where:
        return PAGE
    if "escription" in where:  # the same as the tool tip, without its markup
        return PARAGRAPH
    if where.endswith("showText") or "ip" in where.rsplit(".", 1)[-1]:
        return TIP
    return PARAGRAPH if any(name in where for name in WRAPPED) else COMPOSED


def shown(qtbot: QtBot, window: MainWindow) -> MainWindow:
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window


def show_all(window: MainWindow) -> Iterator[str]:
    """Each panel in front, pointed at and searched."""
    docks = window.prepare()
    for name in docks.offered:
        window.show_panel(name)
        settle(window)
        panel = docks.docks[name].widget()
        panel.grab()
        for widget in (panel, *panel.findChildren(QWidget)):
            if widget.isVisible() and widget.width() > 0 and widget.height() > 0:
                point_at(widget)
            if isinstance(widget, QLineEdit) and widget.isVisible() and not widget.isReadOnly():
                widget.selectAll()
        yield name


def point_at(widget: QWidget) -> None:
    """Asks for tool tips over a grid of places."""
    for row in range(STEPS):
        for column in range(STEPS):
            place = QPoint(
                widget.width() * (2 * column + 1) // (2 * STEPS), widget.height() * (2 * row + 1) // (2 * STEPS)
            )
            QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_text_is_plain_and_short(
    family: str,
    profiles: Callable[[str], Profile],
    real_window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = real_window
    profile = poisoned(profiles(family), Strange())
    given = watch(monkeypatch)
    window.document.finish(window.document.add(profile, job=1))
    names = list(show_all(window))
    assert len(names) > 1
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
    long, strange = set(), set()
    for where, text, guessed in texts_of(window):
        if len(text) > most(where):
            long.add(f"{where}: {len(text):,}")
        if guessed and is_strange(text):
            strange.add(f"{where}: {text[:120]}")
    assert given.too_long(most) == {}
    assert long == set()
    assert given.rich | strange == set()
