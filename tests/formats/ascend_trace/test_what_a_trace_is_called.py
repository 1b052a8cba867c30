"""Only a trace with the pipes of Ascend's cores is called an Ascend trace, wherever a profile is described."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.registry import label_of
from app.report.gather import gather

Event = dict[str, Any]


def slice_on(process: str, thread: str) -> Event:
    return {"ph": "X", "name": "work", "ts": 0, "dur": 5, "pid": process, "tid": thread}


def written(path: Path, *events: Event) -> Path:
    path.write_text(json.dumps({"traceEvents": list(events)}))
    return path


@pytest.mark.parametrize(
    ("process", "thread", "ascend"),
    [
        ("core0.veccore1", "VECTOR", True),
        ("warp.core12", "SCALAR", True),
        ("2", "AIV0/PIPE_V/status", True),
        ("python3.8 [CPU]", "thread 17", False),
        ("GPU 0", "stream 7", False),
        ("renderer", "VECTOR", False),
        ("core0", "worker", False),
    ],
)
def test_the_lanes_say_whose_trace_it_is(tmp_path: Path, process: str, thread: str, ascend: bool) -> None:
    (profile,) = read(FORMAT, [written(tmp_path / "t.json", slice_on(process, thread))])
    assert label_of(profile) == ("Ascend operator trace (.json)" if ascend else "Chrome trace (.json)")


def test_nothing_calls_a_trace_of_another_vendor_ascend(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "t.json", slice_on("GPU 0", "stream 7"), slice_on("python", "main"))
    assert main(["info", str(path)]) == 0
    text = capfd.readouterr().out
    assert text.splitlines()[1] == "  Chrome trace (.json)"
    assert "Ascend" not in text
    (profile,) = read(FORMAT, [path])
    assert gather(profile, ()).subtitle == "Chrome trace (.json)"
    assert main(["report", str(path), "-o", str(tmp_path / "t.html")]) == 0
    page = (tmp_path / "t.html").read_text()
    assert "Chrome trace (.json)" in page
    assert "Ascend operator" not in page
