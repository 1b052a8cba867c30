"""What is attached to events as files: opened, looked for, saved."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.host_events import file_name, is_path, opens, parts_of, together
from app.formats import registry
from app.formats.collect import read
from app.formats.errors import Cancelled, FormatError
from app.formats.source import Source
from app.formats.tensorflow_events import FORMAT
from app.profile.profile import Profile
from app.profile.tensorflow import HostEvents
from app.store.event_parts import candidates, first_there, path_of, paths_of, save
from app.store.load import read_all
from app.store.token import Token
from generators import tensor_map
from generators import tensorflow_events as log
from generators.tensorflow_events import COMPILE_END, EXECUTE, Event

GRAPH, RUN, MAP = '{"target": {}}', '{"simulation": {}}', '{"mappings": null}'


def opened(folder: Path, *events: Event, name: str = "events.out.tfevents.1") -> tuple[Profile, HostEvents]:
    path = folder / name
    path.write_bytes(log.log([events]))
    (profile,) = read(FORMAT, [path])
    assert profile.host_events is not None
    return profile, profile.host_events


def content(path: Path | None) -> bytes:
    assert path is not None
    with Source(path) as source:
        return source.head(1 << 20)


def test_each_part_is_a_file_of_its_own(tmp_path: Path) -> None:
    made = Event(
        COMPILE_END, module="c/1", report=GRAPH, tensor_map=MAP, poplar_graph=bytes(16), instruction_info="null"
    )
    profile, events = opened(tmp_path, made, Event(EXECUTE, module="", report=b"\xbf\xff"))
    assert [file_name(events, part) for part in range(5)] == [
        "c/1.compile_report.json",
        "c/1.tensor_map.json",
        "c/1.instruction_info.txt",
        "c/1.serialized_graph.capnp",
        "module.execute_report.cbor",
    ]
    assert [opens(events, part) for part in range(5)] == [True, True, False, False, True]
    found = paths_of(profile, range(5))
    assert found[0].name == "c_1.compile_report.json"
    assert [content(path) for path in found] == [GRAPH.encode(), MAP.encode(), b"null", bytes(16), b"\xbf\xff"]
    assert path_of(profile, 9) is None


def executions(module: str, *reports: str) -> list[Event]:
    return [Event(EXECUTE, module=module, report=report) for report in reports]


def test_what_belongs_together(tmp_path: Path) -> None:
    def end(module: str, **more: str) -> Event:
        return Event(COMPILE_END, module=module, report=GRAPH, **more)  # type: ignore[arg-type]

    _, events = opened(
        tmp_path,
        *executions("a", RUN),  # 0: its compilation is not in the log
        end("a", tensor_map=MAP, poplar_graph="\0\0\0\0"),  # 1, 2, 3
        end("b"),  # 4
        *executions("a", "", RUN, RUN),  # 5, 6
        end("a"),  # 7
        *executions("b", "/a/path.json", RUN),  # 8, 9
    )
    wanted = {0: [0], 1: [1, 5, 2], 2: [1, 5, 2], 4: [4, 9], 5: [1, 5, 2], 6: [1, 6, 2], 7: [7], 9: [4, 9]}
    assert {part: together(events, part).tolist() for part in wanted} == wanted
    assert parts_of(events, np.array([1])).tolist() == [1, 2, 3]
    assert is_path(events, 8)
    assert not is_path(events, 9)


def test_a_file_that_the_log_only_names(tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    given = away / "m.compile_report.json"
    profile, _ = opened(
        tmp_path,
        Event(COMPILE_END, report=str(given)),
        Event(EXECUTE, report="../up/./m.execute_report.json"),
        Event(EXECUTE, report="C:\\reports\\m.execute_report.json"),
        Event(EXECUTE, report=RUN),
    )
    assert candidates(profile, 0) == (given, tmp_path / given.name)
    assert candidates(profile, 1) == (tmp_path / "../up/m.execute_report.json", tmp_path / "m.execute_report.json")
    assert candidates(profile, 2)[-1] == tmp_path / "m.execute_report.json"
    assert candidates(profile, 3) == candidates(profile, 99) == ()
    assert first_there(candidates(profile, 0), Token()) is None
    (tmp_path / given.name).write_text(GRAPH)
    assert first_there(candidates(profile, 0), Token()) == tmp_path / given.name
    given.write_text(GRAPH)
    assert first_there(candidates(profile, 0), Token()) == given
    cancelled = Token()
    cancelled.cancel()
    with pytest.raises(Cancelled):
        first_there(candidates(profile, 0), cancelled)


@pytest.mark.skipif(os.name == "nt", reason="named pipes of this kind are a thing of Unix")
def test_only_regular_files_are_followed(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    profile, _ = opened(tmp_path, Event(COMPILE_END, report=str(pipe)))
    assert first_there((*candidates(profile, 0), Path("/dev/zero"), tmp_path), Token()) is None


def test_saving_is_all_or_nothing(tmp_path: Path) -> None:
    report = GRAPH + " " * 9_000_000
    profile, _ = opened(tmp_path, Event(COMPILE_END, report=report))
    told: list[tuple[int, int]] = []
    target = tmp_path / "saved.json"
    save(profile, 0, target, Token(), lambda done, of: told.append((done, of)))
    assert target.read_text() == report
    assert told[-1] == (len(report), len(report))
    assert len(told) == 3
    cancelled = Token()
    cancelled.cancel()
    with pytest.raises(Cancelled):
        save(profile, 0, tmp_path / "other.json", cancelled)
    profile.origin.paths[0].write_bytes(b"x" * 10_000_000)
    with pytest.raises(FormatError, match="has changed"):
        save(profile, 0, tmp_path / "other.json", Token())
    with pytest.raises(FormatError, match="no such part"):
        save(profile, 5, tmp_path / "other.json", Token())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events.out.tfevents.1", "saved.json"]


def test_a_worker_reads_a_part_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tensor_map.tensor_map(tensor_map.network(2))
    profile, _ = opened(tmp_path, Event(COMPILE_END, module="m", tensor_map=text))
    heavy = replace(registry.by_id("tensor-map"), heavy=lambda _: True)
    monkeypatch.setattr(registry, "FORMATS", (heavy,))
    with ExitStack() as stack:
        result = read_all(paths_of(profile, [0]), stack)
        assert result.refusals == []
        (inner,) = result.profiles
        assert inner.name == "m"
        assert inner.origin.paths == paths_of(profile, [0])
        assert inner.tensor_map is not None
        assert len(inner.tensor_map) == 10
