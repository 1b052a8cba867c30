"""The size of texts and the wish for less motion: at once, everywhere, remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton

from app.views.look import LIGHT
from app.widgets.empty import BusyBar
from app.widgets.table.view import TableView
from app.window.appearance import SIZES, config_folder, motion_reduced, stepped, system_still
from app.window.main_window import MainWindow
from app.window.style_sheet import CONTROL, scaled, stylesheet

CONTROL_KEY = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def sized(window: MainWindow) -> Iterator[MainWindow]:
    yield window
    window.choose(text_size=100, motion="full")


def test_sizes_are_stepped_through_and_end() -> None:
    assert [stepped(percent, 1) for percent in (80, 100, 105, 175, 200)] == [90, 110, 110, 200, 200]
    assert [stepped(percent, -1) for percent in (80, 90, 100, 105, 200)] == [80, 80, 90, 100, 175]
    assert tuple(sorted(SIZES)) == SIZES


def test_lengths_grow_and_lines_stay() -> None:
    assert scaled("a { width: 14px; border: 1px solid; padding: 4px 12px; margin: -5px }", 150) == (
        "a { width: 21px; border: 1px solid; padding: 4px 18px; margin: -5px }"
    )
    assert stylesheet(LIGHT, 100) == stylesheet(LIGHT)


def test_all_texts_and_what_holds_them_grow_at_once_and_come_back(sized: MainWindow, qapp: QApplication) -> None:
    usual = qapp.font().pointSizeF()
    button = QPushButton("Text", sized)
    table = TableView(sized.display, sized)
    before = table.verticalHeader().defaultSectionSize(), button.sizeHint().height()
    assert before[1] == CONTROL
    for _ in range(3):
        QTest.keyClick(sized, Qt.Key.Key_Plus, CONTROL_KEY)
    assert sized.settings.value.text_size == 150
    assert sized.settings.saved.text_size == 150
    assert sized.display.look.text_size == 150
    assert qapp.font().pointSizeF() == pytest.approx(1.5 * usual)
    button.ensurePolished()
    assert button.sizeHint().height() >= 1.3 * CONTROL
    assert table.verticalHeader().defaultSectionSize() >= 1.3 * before[0]
    assert table.verticalHeader().defaultSectionSize() >= QFontMetrics(qapp.font()).height()
    QTest.keyClick(sized, Qt.Key.Key_Minus, CONTROL_KEY)
    assert sized.settings.value.text_size == 125
    sized.actions_.refresh()
    sized.actions_.actions["view.usual_text"].trigger()
    assert qapp.font().pointSizeF() == usual
    assert table.verticalHeader().defaultSectionSize() == before[0]
    button.ensurePolished()
    assert button.sizeHint().height() == before[1]


def test_reduced_motion_stops_what_moves_by_itself(sized: MainWindow, qapp: QApplication) -> None:
    docks = sized.prepare()
    assert isinstance(docks, QMainWindow)
    bar = BusyBar(sized)
    for still in (True, False):
        sized.choose(motion="reduced" if still else "full")
        bar.ensurePolished()
        bar.show_share(0, 0)
        assert (bar.maximum() == 0) is not still
        assert not docks.isAnimated()  # they never move by themselves
        assert (qapp.styleHints().cursorFlashTime() == 0) is still
        assert sized.display.look.still is still
    bar.show_share(1000, 2000)
    assert (bar.value(), bar.maximum()) == (500, 1000)


@pytest.mark.parametrize(
    ("name", "text", "still"),
    [
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n", True),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n", False),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("kdeglobals", "\0\xff", False),
    ],
)
def test_the_desktop_is_followed(tmp_path: Path, name: str, text: str, still: bool) -> None:
    assert not system_still(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, "utf-8")
    assert system_still(tmp_path) is still


def test_the_user_decides_before_the_desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kdeglobals").write_text("AnimationDurationFactor=0", "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_folder() == tmp_path
    assert motion_reduced("system")
    assert motion_reduced("reduced")
    assert not motion_reduced("full")
