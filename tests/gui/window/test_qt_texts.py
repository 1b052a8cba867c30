"""Qt's own texts follow the language of the program."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication

from app.preferred_language import VARIABLE
from app.window.application import translate_qt


@pytest.mark.parametrize(("language", "text"), [("zh_CN", "关闭"), ("en", "Close")])
def test_buttons_of_dialogs(qapp: QApplication, monkeypatch: pytest.MonkeyPatch, language: str, text: str) -> None:
    monkeypatch.setenv(VARIABLE, language)
    assert translate_qt(qapp) == (language != "en")
    try:
        assert QCoreApplication.translate("QPlatformTheme", "Close") == text
    finally:
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
