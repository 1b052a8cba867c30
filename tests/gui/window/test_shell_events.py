"""The command that opens the report of a selected event."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from app.formats.collect import read
from app.formats.tensorflow_events import FORMAT
from app.profile.selection import Selection
from app.window.commands.go import COMMANDS
from app.window.main_window import MainWindow
from fakes.shell import FakeLoader
from generators import tensorflow_events as log

OPEN = next(command for command in COMMANDS if command.id == "go.open_report")


def test_the_report_of_an_event_or_slice_is_asked_for(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1"
    path.write_bytes(log.log([log.run(graph='{"target": {}}', execution='{"simulation": {}}', every=2)]))
    (profile,) = read(FORMAT, [path])
    document = window.document
    assert not OPEN.enabled(window)
    document.finish(document.add(profile, job=1))
    asked: list[tuple[Path, ...]] = []
    document.open_wanted.connect(asked.append)
    for kind, index, names in (
        ("host_event", 1, ["cluster_1.compile_report.json", "cluster_1.execute_report.json"]),
        ("report", 1, ["cluster_1.compile_report.json", "cluster_1.execute_report.json"]),
        ("host_event", 3, []),
        ("host_event", 7, []),
        ("tile", 1, []),
    ):
        document.selection.set(Selection(kind, (index,), "test"))  # type: ignore[arg-type]
        assert OPEN.enabled(window) == bool(names)
        OPEN.run(window)
        assert [path.name for path in (asked.pop() if asked else ())] == names
    assert isinstance(window.loader, FakeLoader)


def test_a_profile_that_is_open_is_shown_again(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1"
    path.write_bytes(log.log([log.run(graph='{"target": {}}')]))
    (profile,) = read(FORMAT, [path])
    document = window.document
    first = document.add(profile, job=1)
    document.selection.set(Selection("host_event", (1,), "test"))
    asked: list[tuple[Path, ...]] = []
    document.open_wanted.connect(asked.append)
    OPEN.run(window)
    inner = replace(profile, name="inner", origin=replace(profile.origin, paths=asked[0]))
    second = document.add(inner, job=2)
    document.show(first)
    document.selection.set(Selection("host_event", (1,), "test"))
    OPEN.run(window)
    assert len(asked) == 1
    assert document.current is not None
    assert document.current.id == second
