"""The texts of Qt itself, such as buttons of dialogs and menus of text fields, in the language of the program."""

from __future__ import annotations

import os
from typing import Final, cast

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from app.language import tr
from app.preferred_language import ENGLISH, VARIABLE

_LACKING: Final = {
    "Look in:": tr("Look in:"),
    "&Look in:": tr("&Look in:"),
    "Files of type:": tr("Files of type:"),
    "Files of &type:": tr("Files of &type:"),
    "Folder": tr("Folder"),
    "File Folder": tr("Folder"),
}
"""Texts of Qt's file dialog that its Chinese catalogue lacks."""


class _Lacking(QTranslator):
    """Is asked for what Qt's catalogue lacks."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, _context: str, source: str, *_: object) -> str:
        return cast("str", _LACKING.get(source))  # None: Qt takes "" for a translation


def translate_qt(application: QCoreApplication) -> bool:
    """Loads Qt's own translation; returns False if the language is English, or if Qt has none."""
    language = os.environ.get(VARIABLE, ENGLISH)
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language == ENGLISH or not translator.load(f"qtbase_{language}", folder):
        return False
    application.installTranslator(_Lacking(application))
    return application.installTranslator(translator)
