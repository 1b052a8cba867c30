"""What the program is made of, from an installer's index and from the installed packages."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app import __version__
from app.window import about
from app.window.about import About, Component, Licences, components, described, installed, wanted
from app.window.main_window import MainWindow


def test_from_source_the_installed_packages_are_asked() -> None:
    found = {component.name: component for component in components()}
    assert list(found)[:2] == ["Tilesight", "Python"]
    assert "Apache License" in found["Tilesight"].text()
    assert {"numpy", "orjson", "PySide6_Essentials", "shiboken6"} <= set(found)
    assert "pytest" not in found
    assert "Lucide Icons and Contributors" in found["Lucide (icons)"].text()
    assert found["numpy"].licence.startswith("BSD-3-Clause")
    assert "Redistribution" in found["numpy"].text()
    assert "LGPL-3.0-only" in found["PySide6_Essentials"].licence


def test_every_requirement_is_found_and_says_its_licence() -> None:
    found = installed(wanted())
    assert len(found) >= len(wanted())
    assert [component.name for component in found if not component.licence] == []
    assert installed(["there-is-none-like-it>=3"]) == []


def test_an_installer_brings_its_own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "licences"
    folder.mkdir()
    (folder / "qt.txt").write_text("the words of it\n")
    listed = [Component("Qt", "6.11.3", "LGPL-3.0-only", ("qt.txt", "gone.txt"))]
    (folder / "index.json").write_bytes(msgspec.json.encode(listed))
    monkeypatch.setattr(about, "resource", lambda *parts: tmp_path.joinpath(*parts))
    assert components() == listed
    assert described(listed[0]) == "Qt 6.11.3\nLicence: LGPL-3.0-only\n\nthe words of it"


def test_about_leads_to_the_licences(qtbot: QtBot, window: MainWindow) -> None:
    dialog = About(window)
    dialog.open()
    dialog.show_licences()
    (shown,) = dialog.findChildren(Licences)
    assert shown.list.count() == len(components())
    assert shown.text.toPlainText().startswith(f"Tilesight {__version__}\nLicence: Apache-2.0")
    shown.list.setCurrentRow(shown.list.count() - 1)
    assert "Licence:" in shown.text.toPlainText()
    shown.close()
    dialog.close()
