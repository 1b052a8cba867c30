"""The language of the texts: the environment's, the chosen one, the system's."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths

from app import preferred_language
from app.places import config_folder
from app.preferred_language import VARIABLE, choose, chosen, prefer, system_language, take_option

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")


@pytest.fixture
def _no_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*LOCALES, VARIABLE):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("_no_locale")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells its language otherwise")
@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "zh_CN:de"}, "zh_CN"),
        ({"LANG": "C", "LANGUAGE": "zh_CN"}, "en"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "zh_SG"}, "zh_CN"),
    ],
)
def test_the_system_says_it(environment: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert system_language() == wanted


@pytest.mark.usefixtures("_no_locale")
def test_a_choice_counts_more_than_the_system_and_less_than_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    choose("en")
    assert chosen() == "en"
    monkeypatch.setenv(VARIABLE, "pseudo")
    prefer()
    assert os.environ[VARIABLE] == "pseudo"
    monkeypatch.delenv(VARIABLE)
    prefer()
    assert os.environ[VARIABLE] == "en"
    choose("system")
    choose("system")
    assert chosen() == "system"
    (config_folder() / preferred_language.FILE).write_bytes(b"\xff../../etc")
    assert chosen() == "system"


def test_it_lies_beside_the_settings(qapp: object) -> None:
    before = QStandardPaths.isTestModeEnabled()
    QStandardPaths.setTestModeEnabled(False)
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    QStandardPaths.setTestModeEnabled(before)
    assert config_folder() == Path(place) / "tilesight"


@pytest.mark.parametrize("words", [["report", "a", "--language", "zh"], ["report", "--language=zh", "a"]])
def test_an_option_counts_more_than_everything_else(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "en")
    take_option(words)
    prefer()
    assert os.environ[VARIABLE] == "zh_CN"
