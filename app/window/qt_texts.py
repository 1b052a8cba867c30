"""The texts of Qt itself, such as buttons of dialogs and menus of text fields, in the language of the program."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from app.preferred_language import ENGLISH, VARIABLE


def translate_qt(application: QCoreApplication) -> bool:
    """Loads Qt's own translation; returns False if the language is English, or if Qt has none."""
    language = os.environ.get(VARIABLE, ENGLISH)
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language == ENGLISH or not translator.load(f"qtbase_{language}", folder):
        return False
    return application.installTranslator(translator)
