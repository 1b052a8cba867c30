"""How the program was installed, what it may say of that, and what a build recorded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths

from app import build_facts, program
from app.build_facts import BuildFacts
from app.optional_packages import how_to_get
from app.places import config_folder, data_folder, notes_folder, settings_path
from app.store.stamps import code_stamp
from installer import check, product


def frozen(executable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(executable))


@pytest.mark.parametrize("name", ["FLATPAK_ID", "APPDIR"])
def test_the_source_is_the_source_whatever_the_environment_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "/app/of/another/program")
    assert program.installation() == "source"
    assert program.desktop_name() == "tilesight"
    assert how_to_get("sql") == "pip install 'tilesight[sql]'"


def test_a_wheel_is_one_also_in_a_flatpak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "RESOURCES", tmp_path)
    assert program.installation() == "wheel"
    assert program.can_add_packages()
    monkeypatch.setenv("FLATPAK_ID", program.FLATPAK_ID)
    assert program.installation() == "flatpak"
    assert not program.can_add_packages()
    assert program.desktop_name() == program.FLATPAK_ID


def test_a_frozen_program_knows_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen(program.FOLDER_OF_DEB / "tilesight", monkeypatch)
    assert program.installation() == "deb"
    frozen(tmp_path / "opt" / "tilesight" / "tilesight", monkeypatch)
    assert program.installation() == "archive"
    monkeypatch.setenv("APPDIR", str(tmp_path))
    assert program.installation() == "appimage"
    assert how_to_get("sql") == "this package does not contain it; use pip install 'tilesight[sql]'"
    for command, extra in (("query", "sql"), ("parquet", "parquet")):
        assert check.COMMANDS[command][1] in how_to_get(extra), "the check of the installed package expects these words"
    monkeypatch.setenv("APPDIR", str(tmp_path / "other"))
    assert program.installation() == "archive"
    monkeypatch.setattr(sys, "platform", "win32")
    assert program.installation() == "windows"


def test_folders_are_those_of_qt(qapp: object) -> None:
    locations = QStandardPaths.StandardLocation
    before = QStandardPaths.isTestModeEnabled()
    QStandardPaths.setTestModeEnabled(False)
    places = [
        QStandardPaths.writableLocation(own) for own in (locations.GenericConfigLocation, locations.GenericDataLocation)
    ]
    QStandardPaths.setTestModeEnabled(before)
    assert [config_folder(), data_folder()] == [Path(place) / "tilesight" for place in places]
    assert settings_path().parent == config_folder()
    assert notes_folder().parent == data_folder()


@pytest.mark.parametrize("content", [None, "", "[1]", '{"commit": 3}', "\xff"])
def test_a_source_knows_nothing_of_a_build(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / "build.json").write_text(content, "latin-1")
    monkeypatch.setattr(build_facts, "resource", lambda name: tmp_path / name)
    assert build_facts.build_facts() == BuildFacts()


def test_a_build_records_commit_and_time_and_columns_belong_to_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = code_stamp()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763631000")
    (tmp_path / "build.json").write_text(product.build_facts(root), "utf-8")
    monkeypatch.setattr(build_facts, "resource", lambda name: tmp_path / name)
    facts = build_facts.build_facts()
    assert facts.date == "2025-11-20T09:30:00+00:00"
    assert (facts.commit is not None) == (root / ".git").exists()
    assert code_stamp() != stamp


def test_without_a_history_nothing_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("")
    assert json.loads(product.build_facts(tmp_path)) == {"commit": None, "date": None}
