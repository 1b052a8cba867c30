"""Colours: readable in both themes, following the system or the person."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from app.resources import resource
from app.views.colours import contrast
from app.views.look import CONTRAST, DARK, LIGHT, THEMES, Theme
from app.widgets.buttons import icon_button
from app.widgets.icons import application_icon, drawn, icon
from app.window.appearance import chosen, contrast_wanted
from app.window.main_window import MainWindow
from app.window.palette import palette
from app.window.style_sheet import BAR, CONTROL, image, stylesheet
from icons import themed

READABLE = 4.5
Role = QPalette.ColorRole
Scheme = Qt.ColorScheme


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
def test_the_palette_pairs_are_readable(theme: Theme) -> None:
    made = palette(theme)
    pairs = [
        (Role.WindowText, Role.Window),
        (Role.Text, Role.Base),
        (Role.Text, Role.AlternateBase),
        (Role.ButtonText, Role.Button),
        (Role.ToolTipText, Role.ToolTipBase),
        (Role.HighlightedText, Role.Highlight),
        (Role.PlaceholderText, Role.Base),
    ]
    for ink, ground in pairs:
        assert contrast(made.color(ink).name(), made.color(ground).name()) >= READABLE


def test_who_decides_the_theme() -> None:
    assert chosen("system", Scheme.Dark) is DARK
    assert chosen("system", Scheme.Light) is chosen("system", Scheme.Unknown) is LIGHT
    assert chosen("dark", Scheme.Light) is DARK
    assert chosen("light", Scheme.Dark, contrast=True) is LIGHT
    assert chosen("system", Scheme.Light, contrast=True) is chosen("contrast", Scheme.Light) is CONTRAST


def test_the_wish_for_contrast_is_asked_for(qapp: QApplication) -> None:
    assert not contrast_wanted(qapp.styleHints())  # what the offscreen platform says


def test_switching_reaches_the_application_and_the_display(window: MainWindow, qapp: QApplication) -> None:
    seen: list[object] = []
    window.display.changed.connect(seen.append)
    window.choose(theme="dark")
    assert window.display.theme is DARK
    assert qapp.palette().color(Role.Base).name().upper() == DARK.surface
    assert window.styleSheet() == stylesheet(DARK)
    window.choose(theme="light")
    assert qapp.palette().color(Role.Base).name().upper() == LIGHT.surface
    assert len(seen) == 2


class Collects(QPushButton):
    """Lets Python delete what nothing refers to while Qt goes through the widgets."""

    armed = False
    collected = 0

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self.armed and event.type() == QEvent.Type.StyleChange:
            self.armed = False
            self.collected = gc.collect()


def test_widgets_that_are_deleted_while_the_theme_changes_do_no_harm(window: MainWindow, qapp: QApplication) -> None:
    """Qt keeps a list of all that it goes through. With a sheet of the application that list has widgets without
    parents, which Python may delete at any time: the process ended in a memory error."""
    collects = Collects("Text", window)
    collects.show()
    gc.disable()
    try:
        for _ in range(100):
            alone = QWidget()
            alone.button, alone.itself = QPushButton("Text", alone), alone  # type: ignore[attr-defined]
            alone.show()
            qapp.processEvents()
            alone.hide()
        del alone
        collects.armed = True
        window.choose(theme="dark")
    finally:
        gc.enable()
    assert collects.collected >= 200
    assert collects.palette().color(Role.ButtonText).name().upper() == DARK.text.upper()


def test_following_the_system(window: MainWindow, qapp: QApplication) -> None:
    qapp.styleHints().colorSchemeChanged.emit(Scheme.Dark)  # offscreen stays Unknown, which is light
    assert window.display.theme is LIGHT


def test_icons_are_sharp_and_follow_the_palette(qapp: QApplication) -> None:
    shown = icon("folder-open")
    for theme in THEMES.values():
        qapp.setPalette(palette(theme))
        for scale in (1.0, 1.5, 2.0, 3.0):
            pixmap = shown.pixmap(QSize(16, 16), scale)
            assert pixmap.width() == 16 * scale
            image = pixmap.toImage()
            inked = [image.pixelColor(x, 8 * round(scale)) for x in range(image.width())]
            assert any(ink.alpha() > 200 and contrast(ink.name(), theme.raised) > READABLE for ink in inked)
    disabled = shown.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Disabled).toImage()
    assert disabled != shown.pixmap(QSize(16, 16), 1.0).toImage()
    assert drawn(resource("icons", "none.svg"), "#000000", 16).toImage().pixelColor(8, 8).alpha() == 0
    assert shown.pixmap(0, 0).isNull()  # a window with no room asks for that; Qt would print warnings
    assert drawn(resource("icons", "x.svg"), "#000000", 0).isNull()


def test_all_icons_are_there_and_all_are_used() -> None:
    root = resource().parent
    sources = [*root.glob("app/**/*.py"), root / "packaging" / "icons.py"]
    code = "\n".join(path.read_text("utf-8") for path in sources)
    names = {path.stem for path in resource("icons").glob("*.svg")}
    assert {name for name in names if f'"{name}' not in code} == set()
    assert set(re.findall(r'\bicon(?:_button|_toggle)?\(\s*"([a-z0-9-]+)"|\bicon="([a-z0-9-]+)"', code)) <= {
        pair for name in names for pair in ((name, ""), ("", name))
    }


def test_the_style_sheet_spells_no_colour_and_all_its_drawings_exist() -> None:
    for theme in THEMES.values():
        sheet = stylesheet(theme)
        tokens = {getattr(theme, name) for name in Theme.__struct_fields__}
        assert set(re.findall("#[0-9A-Fa-f]{6}", sheet)) <= tokens
        for name in re.findall(r"url\((.*?)\)", sheet):
            assert Path(name).is_file()
        assert image(theme, "check-on") in sheet


def test_drawings_of_style_sheets_are_those_of_the_command() -> None:
    assert {path: path.read_text("utf-8") for path, _ in themed()} == dict(themed())


def test_controls_are_as_high_as_they_should_be(window: MainWindow) -> None:
    for made in (QPushButton("Text"), QLineEdit(), QComboBox(), QSpinBox(), icon_button("x", "Close", window)):
        made.setParent(window)
        made.ensurePolished()
        assert made.sizeHint().height() in (CONTROL, CONTROL + 1), made
    bar = QScrollBar(Qt.Orientation.Vertical, window)
    bar.ensurePolished()
    option = QStyleOptionSlider()
    bar.initStyleOption(option)
    arrow = bar.style().subControlRect(
        QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarAddLine, bar
    )
    assert (bar.sizeHint().width(), arrow.height()) == (BAR, 0)


def test_the_application_icon_has_the_small_sizes() -> None:
    sizes = {size.width() for size in application_icon().availableSizes()}
    assert {16, 24, 32, 48, 64, 128, 256} <= sizes
