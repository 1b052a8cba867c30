"""The theme's colours as a QPalette. Needed for the first paint, so nothing here imports the enums of ``Qt``:
creating them takes an eighth of the start-up time of an empty window."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.views.look import DARK, LIGHT, THEMES, Theme
from app.window.settings import ThemeChoice

MIDDLE = 128


def paint_first(application: QApplication, choice: ThemeChoice) -> None:
    """Sets the palette of the first paint: the user's choice, or dark or light as the system's palette is."""
    dark = application.palette().window().color().lightness() < MIDDLE
    theme = (DARK if dark else LIGHT) if choice == "system" else THEMES[choice]
    application.setPalette(palette(theme))


def palette(theme: Theme) -> QPalette:
    """Returns the palette of a theme. All roles that Fusion draws with are set, since setting a colour scheme has no
    effect on some platforms."""
    result = QPalette()
    role = QPalette.ColorRole
    for names, colour in (
        ((role.Window, role.Button, role.AlternateBase, role.ToolTipBase), theme.raised),
        ((role.Base,), theme.surface),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), theme.text),
        ((role.PlaceholderText,), theme.muted),
        ((role.Highlight, role.Accent), theme.selection),
        ((role.HighlightedText,), highlighted_text(theme)),
        ((role.Link, role.LinkVisited), theme.accent),
        ((role.BrightText,), theme.error),
        ((role.Mid, role.Midlight, role.Dark), theme.line),
        ((role.Light,), theme.surface),
        ((role.Shadow,), "#000000" if theme.dark else theme.line),
    ):
        for name in names:
            result.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        result.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.disabled))
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(theme.line))
    return result


def highlighted_text(theme: Theme) -> str:
    """Returns the text colour on the selection colour: in both themes the surface has enough contrast to it."""
    return theme.surface
