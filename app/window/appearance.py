"""Applies theme, size of texts and motion, following the settings and the system."""

from __future__ import annotations

import os
import re
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QStyleHints
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from app.views.look import CONTRAST, DARK, LIGHT, THEMES, Theme
from app.widgets.dialogs import USUAL
from app.widgets.display import Display
from app.window.palette import palette
from app.window.settings import MotionChoice, SettingsFile, ThemeChoice
from app.window.style_sheet import stylesheet

EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)
USUAL_EFFECTS = "usualEffects"
"""Property of the application: the effects that it began with."""
LARGEST = 256 * 1024
"""Bytes of a desktop's settings file that are read."""
GTK = re.compile(r"^\s*gtk-enable-animations\s*=\s*(0|false)\s*$", re.IGNORECASE | re.MULTILINE)
KDE = re.compile(r"^\s*AnimationDurationFactor\s*=\s*0(\.0*)?\s*$", re.MULTILINE)
STILL = (("gtk-4.0/settings.ini", GTK), ("gtk-3.0/settings.ini", GTK), ("kdeglobals", KDE))
"""Files of a user's configuration, and the line in each that says that nothing is to move."""
SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""The sizes offered, in percent."""


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


def apply(app: QApplication, window: QWidget, theme: Theme, text_size: int = 100, *, still: bool = False) -> None:
    """Applies ``theme``, with controls that fit texts of this size and do not move (``still``), to ``window``, its
    dialogs, menus and floating docks.

    The window has the style sheet, not the application: for another sheet of a window Qt visits each widget twice, for
    one of the application once for each of its parents (2,200 widgets: 0.5 s instead of 3)."""
    made = palette(theme)
    app.setPalette(made)
    QToolTip.setPalette(made)
    window.setStyleSheet(stylesheet(theme, text_size, still=still))


class Appearance(QObject):
    """Applies theme, size of texts and motion to the application and ``window``, and passes theme and units to the
    display."""

    def __init__(self, app: QApplication, window: QWidget, display: Display, settings: SettingsFile) -> None:
        super().__init__(display)
        self._app = app
        self._window = window
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
            apply(self._app, self._window, theme, value.text_size, still=wanted[2])
        self._display.set(
            theme=theme,
            bytes_as=value.bytes_as,
            cycles_as=value.cycles_as,
            text_size=value.text_size,
            still=wanted[2],
        )


def motion_reduced(choice: MotionChoice) -> bool:
    """Returns whether nothing is to move by itself: the user's choice, or the system's."""
    return system_still(config_folder()) if choice == "system" else choice == "reduced"


def config_folder() -> Path:
    """Returns the folder in which desktops store a user's settings."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def system_still(folder: Path) -> bool:
    """Returns whether a desktop whose settings are in ``folder`` is to show no animations."""
    return any(pattern.search(_text(folder / name)) is not None for name, pattern in STILL)


def set_motion(app: QApplication, *, reduced: bool) -> None:
    """Turns Qt's effects and the blinking of text cursors off, or leaves both to the system."""
    usual = app.property(USUAL_EFFECTS)
    if usual is None:
        usual = [app.isEffectEnabled(effect) for effect in EFFECTS]
        app.setProperty(USUAL_EFFECTS, usual)
    for effect, wanted in zip(EFFECTS, usual, strict=True):
        app.setEffectEnabled(effect, bool(wanted) and not reduced)
    app.styleHints().setCursorFlashTime(0 if reduced else -1)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def stepped(percent: int, direction: int) -> int:
    """Returns the next larger (+1) or smaller (-1) size; the same if there is none."""
    others = [size for size in SIZES if (size - percent) * direction > 0]
    return min(others, key=lambda size: abs(size - percent), default=percent)


def set_text_size(app: QApplication, percent: int) -> bool:
    """Gives the application the system's font in this size; returns whether that changes anything."""
    usual = app.property(USUAL)
    if not isinstance(usual, QFont):
        usual = QFont(app.font())
        app.setProperty(USUAL, usual)
    font = sized(usual, percent)
    if font == app.font():
        return False
    app.setFont(font)
    return True


def sized(usual: QFont, percent: int) -> QFont:
    """Returns a font ``percent`` as large as the usual one."""
    font = QFont(usual)
    if usual.pointSizeF() > 0:
        font.setPointSizeF(usual.pointSizeF() * percent / 100)
    else:
        font.setPixelSize(max(round(usual.pixelSize() * percent / 100), 1))
    return font
