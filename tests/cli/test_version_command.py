"""`--version`, and `--version --json` for scripts and reports of errors."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy
import PySide6.QtCore
import pytest

from app import __version__, scanner
from app.cli.version import OPTIONAL
from app.cli.words import run
from app.places import cache_folder, notes_folder, settings_path
from app.window.about import Component


@pytest.mark.parametrize("words", [["--version", "--json"], ["--json", "--version"]])
def test_one_object_says_what_is_installed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["name"], facts["version"], facts["installation"]) == ("tilesight", __version__, "source")
    assert (facts["commit"], facts["date"]) == (None, None)
    assert (facts["python"], facts["numpy"]) == (platform.python_version(), numpy.__version__)
    assert (facts["qt"], facts["pyside"]) == (PySide6.QtCore.qVersion(), PySide6.__version__)
    assert facts["optional"] == {package: version(package) for package in OPTIONAL.values()}
    assert facts["trace_reader"] == scanner.reader()
    assert facts["platform"] == platform.platform()
    assert {name: Path(path) for name, path in facts["paths"].items()} == {
        "settings": settings_path(),
        "notes": notes_folder(),
        "cache": cache_folder(),
    }


def test_what_is_not_installed_is_null(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("app.cli.version.find_spec", lambda name: None)
    assert run(["--version", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["optional"].values()) == {None}


def test_a_frozen_program_knows_versions_by_its_licences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    listed = [
        Component("PySide6_Essentials", "6.8.2", ""),
        Component("numpy", "2.1", ""),
        Component("xlsxwriter", "3", ""),
    ]
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("app.cli.version.metadata.version", missing)
    monkeypatch.setattr("app.window.about.components", lambda: listed)
    assert run(["--version", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["pyside"], facts["numpy"], facts["optional"]["XlsxWriter"]) == ("6.8.2", "2.1", "3")


def test_the_version_alone_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"tilesight {__version__}\n"
    with pytest.raises(SystemExit) as ended:
        run(["--json"])
    assert ended.value.code == 2
    assert "--version" in capsys.readouterr().err
