"""Applies the theme, following the settings and the system's light or dark mode."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QStyleHints
from PySide6.QtWidgets import QApplication, QToolTip

from app.views.theme import CONTRAST, DARK, LIGHT, THEMES, Theme
from app.widgets.display import Display
from app.window.motion import motion_reduced, set_motion
from app.window.palette import palette
from app.window.settings import SettingsFile, ThemeChoice
from app.window.style_sheet import stylesheet
from app.window.text_size import set_text_size


def chosen(choice: ThemeChoice, system: Qt.ColorScheme, *, contrast: bool = False) -> Theme:
    """Returns the theme to show: the user's choice, or the system's (Unknown, as on bare X servers, means light), of
    which a wish for high ``contrast`` comes first."""
    if choice != "system":
        return THEMES[choice]
    return CONTRAST if contrast else DARK if system == Qt.ColorScheme.Dark else LIGHT


def contrast_wanted(hints: QStyleHints) -> bool:
    """Returns whether the system asks for high contrast; older Qt and some systems cannot tell."""
    known = getattr(hints, "accessibility", None)
    return known is not None and known().contrastPreference() == Qt.ContrastPreference.HighContrast


def apply(app: QApplication, theme: Theme, text_size: int = 100, *, still: bool = False) -> None:
    """Applies ``theme``, with controls that fit texts of this size and do not move (``still``), to every window of the
    application."""
    made = palette(theme)
    app.setPalette(made)
    QToolTip.setPalette(made)
    app.setStyleSheet(stylesheet(theme, text_size, still=still))


class Appearance(QObject):
    """Applies theme, size of texts and motion to the application, and passes theme and units to the display."""

    def __init__(self, app: QApplication, display: Display, settings: SettingsFile) -> None:
        super().__init__(display)
        self._app = app
        self._display = display
        self._settings = settings
        self._applied = ("", 0, False)
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self.refresh)
        if hasattr(hints, "accessibility"):  # Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Applies the current settings."""
        value = self._settings.value
        hints = self._app.styleHints()
        theme = chosen(value.theme, hints.colorScheme(), contrast=contrast_wanted(hints))
        wanted = theme.name, value.text_size, motion_reduced(value.motion)
        if wanted != self._applied:
            self._applied = wanted
            set_text_size(self._app, value.text_size)
            set_motion(self._app, reduced=wanted[2])
            apply(self._app, theme, value.text_size, still=wanted[2])
        self._display.set(
            theme=theme,
            bytes_as=value.bytes_as,
            cycles_as=value.cycles_as,
            text_size=value.text_size,
            still=wanted[2],
        )
