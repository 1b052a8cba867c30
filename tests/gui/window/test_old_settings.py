"""Settings that earlier versions wrote are read. The documents in the folder old_settings were written by the program
as it was on the day of their names: theme and units were chosen, and of the second one two panels were closed while an
operator was open."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.resources import resource
from app.window.settings import Settings, SettingsFile
from fakes.opened_window import opened_window

OLD = sorted((Path(__file__).parent / "old_settings").glob("*.json"))


@pytest.mark.parametrize("document", OLD, ids=lambda path: path.stem)
def test_all_that_an_earlier_version_stored_is_read(document: Path, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    shutil.copy(document, path)
    settings = SettingsFile(path)
    assert settings.note == ""
    value = settings.value
    assert (value.theme, value.bytes_as, value.cycles_as) == ("dark", "B", "time")
    assert value.recent == ("/profiles/a.bin", "/profiles/graph.json")
    settings.update(decoders=3)
    before, after = json.loads(document.read_bytes()), json.loads(path.read_bytes())
    assert {name: after[name] for name in before} == before
    assert set(after) == set(Settings.__struct_fields__)


def test_panels_closed_in_an_earlier_version_stay_closed(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    shutil.copy(OLD[-1], path)
    settings = SettingsFile(path)
    with opened_window(qtbot, [resource("samples", "matmul_leakyrelu.bin")], settings) as (window, settle):
        settle()
        assert window.docks is not None
        docks = window.docks.docks
        assert not docks["details"].on_screen
        offered = {name for name, dock in docks.items() if dock.offered}
        assert {"timeline", "source", "summary", "roofline"} <= offered
        assert window.display.theme.dark
    assert settings.note == ""
    assert set(settings.value.arrangements["ascend"].closed) >= {"details"}
