"""Motion that nobody asked for: Qt's animations, blinking text cursors, bars that run to and fro. The system says
whether it is wanted, or the user.

Qt does not pass the system's wish on. It is read from the files in which some desktops store it: GTK's settings, which
Xfce and KDE write too, and KDE's own."""

from __future__ import annotations

import os
import re
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.window.settings import MotionChoice

EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)
USUAL = "usualEffects"
"""Property of the application: the effects that it began with."""
LARGEST = 256 * 1024
"""Bytes of a desktop's settings file that are read."""
GTK = re.compile(r"^\s*gtk-enable-animations\s*=\s*(0|false)\s*$", re.IGNORECASE | re.MULTILINE)
KDE = re.compile(r"^\s*AnimationDurationFactor\s*=\s*0(\.0*)?\s*$", re.MULTILINE)
STILL = (("gtk-4.0/settings.ini", GTK), ("gtk-3.0/settings.ini", GTK), ("kdeglobals", KDE))
"""Files of a user's configuration, and the line in each that says that nothing is to move."""


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
    usual = app.property(USUAL)
    if usual is None:
        usual = [app.isEffectEnabled(effect) for effect in EFFECTS]
        app.setProperty(USUAL, usual)
    for effect, wanted in zip(EFFECTS, usual, strict=True):
        app.setEffectEnabled(effect, bool(wanted) and not reduced)
    app.styleHints().setCursorFlashTime(0 if reduced else -1)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
