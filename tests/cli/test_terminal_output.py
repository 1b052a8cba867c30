"""What reaches a terminal: one line for each thing said, no control characters of strangers, no traceback for a stream
that is closed or full."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest

from app.cli import main
from app.cli.terminal import json_text, say

POISON = "\x1b]0;owned\x07\x1b[31m\nerror: a line of its own\r\x9b2J\u202eflipped"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")
SPEAKING = ("terminal.py", "self_test.py")
"""Modules of the command line that may print themselves: the second says nothing of files."""


@pytest.fixture
def poisoned(tmp_path: Path) -> Path:
    """A trace whose names are all poison, in a folder and file whose names are, too."""
    event = {"ph": "X", "name": POISON, "pid": POISON, "tid": POISON, "ts": 1, "dur": 1, "args": {POISON: POISON}}
    wrong = {"ph": POISON, "name": POISON, "pid": 1, "tid": 1, "ts": POISON}
    folder = tmp_path / "folder\x1b[31m\x9b"
    folder.mkdir()
    path = folder / "a\x1b[1m\nb.trace.json"
    path.write_bytes(orjson.dumps({"traceEvents": [event, wrong], "displayTimeUnit": POISON}))
    return path


@pytest.mark.parametrize("words", [["info"], ["info", "--json"], ["tables"], ["scaling"], ["dump"]], ids=" ".join)
def test_controls_in_names_reach_no_terminal(
    words: Sequence[str], poisoned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garbage = poisoned.with_name("garbage\x1b[7m.bin")
    garbage.write_bytes(b"\x00" * 100)
    main([*words, str(poisoned), str(garbage)])
    told = capsys.readouterr()
    assert told.out + told.err
    for text in (told.out, told.err):
        assert CONTROLS.findall(text) == []
        assert not [line for line in text.splitlines() if line.startswith("error: a line of its own")]


def test_unknown_names_of_tables_and_plots_are_said_without_controls(
    poisoned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for what in ("--table", "--plot"):
        suffix = ".csv" if what == "--table" else ".png"
        assert main(["export", str(poisoned), what, POISON, "-o", str(poisoned.parent / f"out{suffix}")]) == 2
        assert CONTROLS.findall(capsys.readouterr().err) == []


def test_json_keeps_its_values_and_escapes_controls() -> None:
    text = json_text({"a\x9b": ["\x7f\u202e\x1b", 1, 2.5, None, True]})
    assert CONTROLS.findall(text) == []
    assert orjson.loads(text) == {"a\x9b": ["\x7f\u202e\x1b", 1, 2.5, None, True]}


def test_commands_print_through_one_module(root: Path) -> None:
    offenders = [
        f"{module.name}:{node.lineno}"
        for module in sorted((root / "app" / "cli").glob("*.py"))
        if module.name not in SPEAKING
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr == "stdout")
    ]
    assert offenders == []


def shell(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``command`` with the program as ``$0`` and the arguments behind it, in a shell that can close its streams."""
    program = Path(__file__).resolve().parents[2] / "main.py"
    words = ["sh", "-c", command, sys.executable, str(program), *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/full on Windows")
@pytest.mark.parametrize("words", [["info"], ["info", "--json"], ["--help"]], ids=" ".join)
@pytest.mark.parametrize(
    ("stream", "reason"), [("> /dev/full", "No space left"), (">&-", "closed")], ids=["full", "closed"]
)
def test_a_stream_that_takes_nothing_is_one_line(words: Sequence[str], stream: str, reason: str, samples: Path) -> None:
    done = shell(f'"$0" "$@" {stream}', *words, str(samples / "matmul_leakyrelu.bin"))
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert "standard output" in lines[0]
    assert reason in lines[0]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/full on Windows")
def test_a_usage_error_stays_one_when_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["report", "a", "-o", "x.txt"]) == 2
    assert capsys.readouterr().err == "x.txt: the name must end in .html or .htm\n"


def test_output_can_be_a_text_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which has no encoding."""
    memory = io.StringIO()
    monkeypatch.setattr(sys, "stdout", memory)
    say(["µ\udcff"])
    assert memory.getvalue() == "µ\\udcff\n"


@pytest.mark.skipif(sys.platform == "win32", reason="streams cannot be closed like this on Windows")
def test_without_any_stream_the_status_tells(samples: Path) -> None:
    done = shell('"$0" "$@" >&- 2>&-', "info", str(samples / "matmul_leakyrelu.bin"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_a_terminal_that_knows_only_ascii_gets_escapes(samples: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(samples.parents[1] / "main.py"), "info", str(samples / "matmul_leakyrelu.bin")],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"6.40 \\xb5s" in done.stdout
    assert done.stderr == b""


@pytest.fixture
def samples(root: Path) -> Path:
    return root / "resources" / "samples"
