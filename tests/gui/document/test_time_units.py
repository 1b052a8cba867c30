"""The unit of times that the user set: shown, undone, reset, and back the next time."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.document.document import Document, Update
from app.document.state_saver import StateSaver
from app.profile.file_state import ChosenUnit, FileState
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection
from app.store.file_state import read_state, write_state
from app.store.fingerprint import content_fingerprint
from generators.timelines import timeline

NS, CYCLES = ChosenUnit("ns"), ChosenUnit("cycles", 1.65e9)


def profile(*paths: Path) -> Profile:
    line = replace(timeline([("p", "t", [[(0.0, 5.0, "a", ""), (7.0, 5.0, "b", "")]])]), basis="trace")
    return Profile(name="t", origin=Origin("ascend-trace", paths), timeline=line)


def unit(document: Document, entry: int) -> tuple[str, float | None]:
    shown = document.entry(entry)
    assert shown is not None
    assert shown.profile.timeline is not None
    return shown.profile.timeline.unit, shown.profile.timeline.seconds_per_unit


def at_rest(saver: StateSaver) -> bool:
    return not saver.busy


def test_a_unit_is_shown_undone_and_reset(qtbot: QtBot) -> None:
    document = Document()
    entry = document.add(profile(), 1)
    document.selection.set(Selection("slice", (1,)))
    updates: list[Update] = []
    document.updated.connect(updates.append)
    units = document.time_units
    units.set(entry, NS)
    assert unit(document, entry) == ("ns", 1e-9)
    assert [update.sections for update in updates] == [frozenset(("timeline", "issues"))]
    assert document.selection.value == Selection("slice", (1,))
    units.set(entry, CYCLES)
    assert unit(document, entry) == ("cycles", 1 / 1.65e9)
    units.set(entry, CYCLES)  # nothing new
    assert len(updates) == 2
    units.set(entry, None)
    assert unit(document, entry) == ("µs", 1e-6)
    back = []
    while units.can_undo(entry):
        units.undo(entry)
        back.append(unit(document, entry)[0])
    assert back == ["cycles", "ns", "µs"]
    assert units.of(entry) is None
    document.close(entry)
    assert not units.can_undo(entry)


def test_what_arrives_later_has_the_unit_too(qtbot: QtBot) -> None:
    document = Document()
    whole = profile()
    entry = document.add(replace(whole, timeline=None), 1)
    document.time_units.set(entry, NS)
    document.grow(entry, whole, frozenset(("timeline",)))
    assert unit(document, entry)[0] == "ns"
    document.replace(entry, profile(), 2)  # reloaded
    assert unit(document, entry)[0] == "ns"
    other = document.add(profile(), 3)
    assert unit(document, other)[0] == "µs"


def test_it_comes_back_with_the_same_content(qtbot: QtBot, tmp_path: Path) -> None:
    file, folder = tmp_path / "trace.json", tmp_path / "states"
    file.write_text("[]")
    for chosen, before in ((CYCLES, "µs"), (None, "cycles")):
        document, owner = Document(), QObject()
        saver = StateSaver(document, folder, owner)
        entry = document.add(profile(file), 1)
        qtbot.waitUntil(partial(at_rest, saver))
        assert unit(document, entry)[0] == before
        document.time_units.set(entry, chosen)
        saver.write()
    assert read_state(folder, content_fingerprint([file])).unit is None


@pytest.mark.parametrize("text", ['{"unit":"s"}', '{"unit":"cycles","clock_hz":-1}', '{"unit":"ns","clock_hz":9}', "5"])
def test_an_invalid_unit_on_disk_is_ignored(tmp_path: Path, text: str) -> None:
    write_state(tmp_path, "x", FileState(unit=CYCLES))
    assert read_state(tmp_path, "x").unit == CYCLES
    (tmp_path / "x.json").write_text(f'{{"time_unit": {text}}}')
    assert read_state(tmp_path, "x") == FileState()
