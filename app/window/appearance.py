"""Applies the theme, following the settings and the system's light or dark mode."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QToolTip

from app.resources import resource
from app.widgets.colours import blend
from app.widgets.display import Display
from app.widgets.theme import DARK, LIGHT, Theme
from app.window.palette import palette
from app.window.settings import SettingsFile, ThemeChoice


def chosen(choice: ThemeChoice, system: Qt.ColorScheme) -> Theme:
    """Returns the theme to show: the user's choice, or the system's (Unknown, as on bare X servers, means light)."""
    if choice == "system":
        return DARK if system == Qt.ColorScheme.Dark else LIGHT
    return DARK if choice == "dark" else LIGHT


def stylesheet(theme: Theme) -> str:
    """Returns the style sheet, limited to what a palette cannot express. Every rule names its widget, so panels keep
    their own look."""
    hovered = blend(theme.raised, theme.text, 0.08)
    tick = resource("themes", f"check-{theme.name}.svg").as_posix()  # Fusion's own frame is invisible on dark windows
    return f"""
QMainWindow::separator {{ background: {theme.raised}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {theme.accent}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QStatusBar::item {{ border: none; }}
QLineEdit[invalid="true"] {{ border: 1px solid {theme.error}; }}
QCheckBox {{ spacing: 6px; margin: 0 4px; }}
QCheckBox::indicator, QTreeView::indicator, QListView::indicator {{
  width: 12px; height: 12px; border: 1px solid {theme.muted}; border-radius: 2px; background: {theme.surface}; }}
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {{ image: url({tick}); }}
QCheckBox::indicator:disabled {{ border-color: {theme.line}; }}
QStatusBar {{ border-top: 1px solid {theme.line}; }}
#header {{ background: {theme.raised}; border-bottom: 1px solid {theme.line}; }}
#header QToolButton {{ border: 1px solid transparent; border-radius: 4px; padding: 3px 5px; }}
#header QToolButton:focus {{ border-color: {theme.accent}; }}
#header QToolButton[popupMode="1"] {{ padding-right: 20px; }}
#header QToolButton::menu-button {{ border: none; width: 16px; }}
#header QToolButton:hover, #header QToolButton:checked {{ background: {hovered}; }}
#omnibox {{ border: 1px solid {theme.line}; border-radius: 4px; padding: 3px 6px;
  background: {theme.surface}; color: {theme.text}; }}
#omnibox:focus {{ border-color: {theme.accent}; }}
#popup, #jobs {{ background: {theme.surface}; border: 1px solid {theme.line}; border-radius: 6px; }}
#heading {{ background: {theme.raised}; border-bottom: 1px solid {theme.line}; }}
#reading {{ background: {theme.surface}; color: {theme.muted}; }}
#tabClose {{ border: none; border-radius: 4px; padding: 1px; }}
#tabClose:hover {{ background: {hovered}; }}
#headingText {{ color: {theme.text}; font-weight: 600; }}
#muted {{ color: {theme.muted}; }}
#lines::item {{ padding: 3px 4px; }}
#notices {{ background: {theme.surface}; border-bottom: 1px solid {theme.line}; }}
#error {{ color: {theme.error}; font-weight: 600; }}
#info {{ color: {theme.accent}; font-weight: 600; }}
#chip {{ border: 1px solid {theme.line}; border-radius: 9px; padding: 1px 8px; background: {theme.range};
  color: {theme.text}; }}
#chip:hover {{ border-color: {theme.accent}; }}
#comparison {{ border: 1px solid {theme.line}; border-radius: 9px; background: {theme.range}; }}
#comparison QToolButton {{ padding: 1px 4px; color: {theme.text}; }}
#comparison #pair::menu-indicator {{ width: 8px; subcontrol-position: right center; subcontrol-origin: padding; }}
#start {{ background: {theme.surface}; }}
#title {{ color: {theme.text}; }}
#dropArea {{ border: 1px dashed {theme.muted}; border-radius: 8px; background: {theme.raised}; }}
#card {{ border: 1px solid {theme.line}; border-radius: 8px; background: {theme.raised}; }}
#card:hover, #card:focus {{ border-color: {theme.accent}; }}
#flat {{ border: none; text-align: left; padding: 3px 4px; border-radius: 4px; }}
#flat:hover, #flat:focus {{ background: {hovered}; }}
"""


def apply(app: QApplication, theme: Theme) -> None:
    """Applies ``theme`` to every window of the application."""
    made = palette(theme)
    app.setPalette(made)
    QToolTip.setPalette(made)
    app.setStyleSheet(stylesheet(theme))


class Appearance(QObject):
    """Applies the theme to the application and passes theme and units to the display."""

    def __init__(self, app: QApplication, display: Display, settings: SettingsFile) -> None:
        super().__init__(display)
        self._app = app
        self._display = display
        self._settings = settings
        self._applied = ""
        app.styleHints().colorSchemeChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Applies the current settings."""
        value = self._settings.value
        theme = chosen(value.theme, self._app.styleHints().colorScheme())
        if theme.name != self._applied:
            self._applied = theme.name
            apply(self._app, theme)
        self._display.set(theme=theme, bytes_as=value.bytes_as, cycles_as=value.cycles_as)
