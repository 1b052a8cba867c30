"""Keeps the look in step with the settings and with the system's light or dark."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.widgets.display import Display
from app.window.settings import SettingsFile
from app.window.theme_qt import apply, chosen


class Appearance(QObject):
    """Applies the theme to the application and tells the display of theme and units."""

    def __init__(self, app: QApplication, display: Display, settings: SettingsFile) -> None:
        super().__init__(display)
        self._app = app
        self._display = display
        self._settings = settings
        self._applied = ""
        app.styleHints().colorSchemeChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Takes over what the settings say now."""
        value = self._settings.value
        theme = chosen(value.theme, self._app.styleHints().colorScheme())
        if theme.name != self._applied:
            self._applied = theme.name
            apply(self._app, theme)
        self._display.set(theme=theme, bytes_as=value.bytes_as, cycles_as=value.cycles_as)
