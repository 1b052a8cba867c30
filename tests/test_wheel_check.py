"""What the check of the wheel under all Pythons decides, without a network; and what pyproject.toml says was tried."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import dev_environment
import dev_interpreters
import dev_wheel_check
import wheel_backend
from app.optional_packages import how_to_get
from dev_interpreters import Interpreter
from dev_shell import SetupError
from dev_wheel_check import Round

BASE = Path(str(getattr(sys, "_base_executable", sys.executable)))
PYTHONS = [Interpreter((3, 11, 7), Path("a")), Interpreter((3, 13, 0), Path("b"))]


def script(path: Path, line: str) -> Path:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="scripts stand for interpreters")
def test_the_newest_python_of_each_minor_version_is_taken(tmp_path: Path) -> None:
    candidates = [
        BASE,
        script(tmp_path / "python3.10", "echo 3 10 1 1"),
        script(tmp_path / "python3.97", "echo 3 97 1 1"),
        script(tmp_path / "python3", "echo 3 97 12 1"),
        script(tmp_path / "without-venv", "echo 3 98 0 0"),
        script(tmp_path / "python3.99", "echo 'command not found' >&2; exit 127"),
        tmp_path / "absent",
    ]
    this, newest = dev_interpreters.interpreters(candidates)
    assert (this.version, this.path) == (sys.version_info[:3], BASE)
    assert (newest.name, newest.path) == ("3.97.12", tmp_path / "python3")


@pytest.mark.skipif(sys.platform == "win32", reason="scripts stand for interpreters")
def test_pythons_are_looked_for_on_the_path_of_pyenv_and_of_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("path", "pyenv/versions/3.96.0/bin", "uv"):
        (tmp_path / folder).mkdir(parents=True)
    script(tmp_path / "path" / "python3.95", "echo 3 95 0 1")
    script(tmp_path / "path" / "python3.95-config", "echo 3 99 0 1")
    script(tmp_path / "pyenv/versions/3.96.0/bin" / "python3", "echo 3 96 0 1")
    listed = script(tmp_path / "uv" / "cpython", "echo 3 97 0 1")
    script(tmp_path / "path" / "uv", f"echo 'cpython-3.97.0-linux    {listed}'; echo 'cpython-3.98.0    <download>'")
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert {(3, 95), (3, 96), (3, 97)} <= {found.minor for found in dev_interpreters.interpreters()}
    assert (3, 99) not in {found.minor for found in dev_interpreters.interpreters()}


def rounds() -> list[Round]:
    first, last = PYTHONS
    return [
        Round(first, "oldest", versions={"numpy": "2.3.5", "cbor2": "5.7.1"}),
        Round(first, "newest", versions={"numpy": "2.4.6", "cbor2": "6.3.0", "tilesight": "1"}),
        Round(last, "newest", {"self-test": "why"}, {"numpy": "2.10.1", "cbor2": "6.3.0"}),
    ]


def test_the_table_has_versions_and_results() -> None:
    lines = list(dev_wheel_check.table(rounds(), ["numpy>=2.3.5", "cbor2>=5.7", "duckdb>=1"]))
    assert [re.split(r"  +", line) for line in lines[:5]] == [
        ["", "3.11.7 oldest", "3.11.7 newest", "3.13.0 newest"],
        ["numpy", "2.3.5", "2.4.6", "2.10.1"],
        ["cbor2", "5.7.1", "6.3.0", "6.3.0"],
        ["duckdb", "–", "–", "–"],
        ["installation", "ok", "ok", "ok"],
    ]
    assert re.split(r"  +", lines[5]) == ["self-test", "ok", "ok", "failed"]


def test_pins_are_those_of_the_oldest_python_and_what_was_tried_is_written_down(tmp_path: Path) -> None:
    (tmp_path / "packaging").mkdir()
    (tmp_path / dev_environment.CONSTRAINTS).write_text("altgraph==0.17.5\ncbor2==6.2.1\nnumpy==2.4.5\n")
    project = (
        'requires-python = ">=3.11" # tried: 3.10\ndependencies = [\n    "numpy>=2.3.5,!=2.3.6", # tried: never\n]\n'
        'x = ["cbor2>=5.7"]\n[dependency-groups]\ndev = ["numpy"]\n'
    )
    (tmp_path / "pyproject.toml").write_text(project)
    dev_wheel_check._update(tmp_path, rounds())
    assert (tmp_path / dev_environment.CONSTRAINTS).read_text() == "altgraph==0.17.5\ncbor2==6.3.0\nnumpy==2.4.6\n"
    assert (tmp_path / "pyproject.toml").read_text() == (
        'requires-python = ">=3.11" # tried: 3.11.7, 3.13.0\ndependencies = [\n'
        '    "numpy>=2.3.5,!=2.3.6", # tried: 2.3.5 to 2.10.1\n]\n'
        'x = ["cbor2>=5.7"] # tried: 5.7.1 to 6.3.0\n[dependency-groups]\ndev = ["numpy"]\n'
    )


def test_a_failure_is_reported_and_pins_stay(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is installed here: commands only say that they succeed, but for one self-test."""
    commands: list[list[str]] = []

    def run(command: Sequence[str | Path], cwd: Path | None = None) -> str:
        words = [str(word) for word in command]
        commands.append(words)
        if "3.13.0-newest" in words[0] and words[-1] == "--self-test":
            raise SetupError("exit status 1:\n    OverflowError")
        if "venv" in words:
            Path(words[-1]).mkdir(parents=True)
        return '{"numpy": "2.5.5", "setuptools": "65.5.0"}'

    for name in ("pyproject.toml", dev_environment.CONSTRAINTS):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((root / name).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(dev_wheel_check, "_run", run)
    monkeypatch.setattr(dev_wheel_check, "interpreters", lambda: PYTHONS)
    monkeypatch.setattr(wheel_backend, "write_wheel", lambda _, folder: folder / "tilesight-1.whl")
    monkeypatch.setattr(dev_wheel_check, "table", lambda rounds, _: [str(own.versions) for own in rounds])
    assert dev_wheel_check.check(tmp_path, ["--update-pins"]) == 1
    printed = capsys.readouterr()
    assert "OverflowError" in printed.err
    assert printed.out.splitlines()[:-2] == ["{'numpy': '2.5.5'}"] * 3, "setuptools is not there for the wheel"
    assert printed.out.splitlines()[-2:] == ["Python not found: 3.12", "failed: 3.13.0 newest"]
    assert (tmp_path / "pyproject.toml").read_text("utf-8") == (root / "pyproject.toml").read_text("utf-8")
    assert sum("--constraint" in words for words in commands) == 2, "only the oldest packages are asked for by version"
    hint = how_to_get("sql").replace("sql", ",".join(dev_wheel_check.EXTRAS)).split("'")[1]
    assert sum(words[-1] == hint for words in commands) == 3, "extras are installed as the program says"


@pytest.mark.parametrize(("found", "absent"), [([PYTHONS[0]], "3.13"), ([PYTHONS[1]], "3.11")])
def test_without_the_oldest_or_the_newest_python_it_fails_and_pins_stay(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    found: list[Interpreter],
    absent: str,
) -> None:
    (tmp_path / "pyproject.toml").write_text((root / "pyproject.toml").read_text("utf-8"), "utf-8")
    monkeypatch.setattr(dev_wheel_check, "_try", lambda *_: None)
    monkeypatch.setattr(dev_wheel_check, "_update", lambda *_: pytest.fail("pins are updated"))
    monkeypatch.setattr(dev_wheel_check, "interpreters", lambda: found)
    monkeypatch.setattr(wheel_backend, "write_wheel", lambda _, folder: folder / "tilesight-1.whl")
    assert dev_wheel_check.check(tmp_path, ["--update-pins"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"failed: no Python {absent}"


def test_other_words_are_usage_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev_wheel_check.check(tmp_path, ["--now"]) == 2
    assert "--now" in capsys.readouterr().err


def test_the_project_says_which_versions_were_tried(root: Path) -> None:
    """Written by ``dev.py wheel-check --update-pins``."""
    text = (root / "pyproject.toml").read_text("utf-8")
    lines = (root / dev_environment.CONSTRAINTS).read_text("utf-8").split()
    pins = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    for line in dev_wheel_check.requirements(root):
        requirement = Requirement(line)
        stated = re.search(rf'"{re.escape(line)}"[\],]+ # tried: (\S+)(?: to (\S+))?$', text, re.MULTILINE)
        assert stated is not None, line
        first, last = Version(stated[1]), Version(stated[2] or stated[1])
        assert first <= Version(pins[canonicalize_name(requirement.name)]) <= last, line
        assert requirement.specifier.contains(first), line
        assert requirement.specifier.contains(last), line
    project = tomllib.loads(text)["project"]
    tried = re.search(r"^requires-python = .* # tried: (.*)$", text, re.MULTILINE)
    assert tried is not None
    minors = [version.rpartition(".")[0] for version in tried[1].split(", ")]
    assert [f"Programming Language :: Python :: {minor}" for minor in minors] == [
        line for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)
    ]
    assert tuple(map(int, minors[0].split("."))) == dev_interpreters.OLDEST


def test_versions_are_compared_as_numbers() -> None:
    assert dev_wheel_check.span(["2.10.1", "2.9.0", "2.9.10"]) == "2.9.0 to 2.10.1"
    assert dev_wheel_check.span(["1.0"]) == "1.0"
