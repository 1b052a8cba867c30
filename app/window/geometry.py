"""Saves and restores size and position of the window."""

from __future__ import annotations

import base64
import binascii

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.window.settings import SettingsFile

FIRST_SIZE = QSize(1440, 900)


def save_geometry(window: QWidget, settings: SettingsFile) -> None:
    settings.update(geometry=base64.b64encode(window.saveGeometry().data()).decode("ascii"))


def restore(window: QWidget, settings: SettingsFile) -> None:
    """Restores the saved geometry (Qt moves the window if its screen is gone); without one, FIRST_SIZE, limited to the
    screen."""
    try:
        raw = base64.b64decode(settings.value.geometry, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if not raw or not window.restoreGeometry(QByteArray(raw)):
        window.resize(FIRST_SIZE.boundedTo(QGuiApplication.primaryScreen().availableGeometry().size()))
