"""Colours: readable in both themes, following the system or the person."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from app.resources import resource
from app.widgets.colours import contrast
from app.widgets.theme import DARK, LIGHT, Theme
from app.window.appearance import chosen, stylesheet
from app.window.icons import application_icon, drawn, tinted
from app.window.main_window import MainWindow
from app.window.palette import highlighted_text, palette

READABLE = 4.5
Role = QPalette.ColorRole
Scheme = Qt.ColorScheme


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("token", ["text", "muted", "ok", "warning", "error"])
def test_text_is_readable_on_both_grounds(theme: Theme, token: str) -> None:
    ink = getattr(theme, token)
    assert min(contrast(ink, theme.surface), contrast(ink, theme.raised)) >= READABLE


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_links_selected_text_and_chips_are_readable(theme: Theme) -> None:
    assert contrast(theme.accent, theme.surface) >= READABLE
    assert contrast(highlighted_text(theme), theme.selection) >= READABLE
    assert contrast(theme.text, theme.range) >= READABLE


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
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
    assert chosen("light", Scheme.Dark) is LIGHT


def test_switching_reaches_the_application_and_the_display(window: MainWindow, qapp: QApplication) -> None:
    seen: list[object] = []
    window.display.changed.connect(seen.append)
    window.choose(theme="dark")
    assert window.display.theme is DARK
    assert qapp.palette().color(Role.Base).name().upper() == DARK.surface
    assert qapp.styleSheet() == stylesheet(DARK)
    window.choose(theme="light")
    assert qapp.palette().color(Role.Base).name().upper() == LIGHT.surface
    assert len(seen) == 2


def test_following_the_system(window: MainWindow, qapp: QApplication) -> None:
    qapp.styleHints().colorSchemeChanged.emit(Scheme.Dark)  # offscreen stays Unknown, which is light
    assert window.display.theme is LIGHT


def test_icons_are_drawn_in_the_colour_of_the_text() -> None:
    names = [path.stem for path in resource("icons").glob("*.svg") if path.stem != "tilesight"]
    assert {"open", "reload", "close"} <= set(names)
    for name in names:
        image = drawn(resource("icons", f"{name}.svg"), "#ff0000", 16, 2).toImage()
        inked = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200]
        assert inked, name
        assert all(colour.red() > 240 and colour.green() < 20 for colour in inked)
    assert not tinted("open", DARK).isNull()
    assert drawn(resource("icons", "none.svg"), "#000000", 16).toImage().pixelColor(8, 8).alpha() == 0


def test_the_application_icon_has_the_small_sizes() -> None:
    sizes = {size.width() for size in application_icon().availableSizes()}
    assert {16, 24, 32, 48, 64, 128, 256} <= sizes
