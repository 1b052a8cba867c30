"""``dev.py wheel-check``: does the wheel work with the packages that pip installs today, under every Python?

The wheel is built and installed with the newest packages under every Python of this machine, and under the oldest one
also with the oldest packages that pyproject.toml admits. Each time ``--self-test`` runs, pip adds the extras by the
command that the program names, and a command runs that needs each of them. Needs a package index, or a cache of one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dev_environment
import wheel_backend
from dev_interpreters import Interpreter, interpreters
from dev_shell import SetupError, last_lines, quietly, say
from installer import product
from installer.flatpak import normalized

FOLDER = "build/wheel-check"
SAMPLE = "resources/samples/matmul_leakyrelu.bin"
UPDATE = "--update-pins"
EXTRAS = {
    "sql": ["query", SAMPLE, "select count(*) from lanes"],
    "xlsx": ["export", SAMPLE, "--table", "lanes", "-o", "lanes.xlsx"],
    "parquet": ["export", SAMPLE, "--table", "lanes", "-o", "lanes.parquet"],
}
"""A command that needs the packages of each extra."""
VERSIONS = (
    "import json; from importlib.metadata import distributions as d; "
    "print(json.dumps({own.metadata['Name']: own.version for own in d()}))"
)
OF_VENV = frozenset(("pip", "setuptools"))
"""What Python itself puts into an environment, in whatever version it has."""
REQUIREMENT = re.compile(r'^(?P<line>[^"\n]*"(?P<name>[\w.-]+)[^"\n]*"[\],]+)(?: *#.*)?$', re.MULTILINE)
"""A line of pyproject.toml with one requirement."""


@dataclass(slots=True)
class Round:
    """The wheel under one Python with one choice of packages. ``failures``: what failed, with the reason;
    ``versions``: the installed packages by normalized name."""

    python: Interpreter
    packages: str
    failures: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"{self.python.name} {self.packages}"


def check(root: Path, arguments: Sequence[str]) -> int:
    """Exit status 0 if everything works under every Python that was found, among them the oldest and the newest that
    pyproject.toml names; 1 if not, 2 for a usage error. Only with 0 are pins updated."""
    if not set(arguments) <= {UPDATE}:
        say(f"wheel-check takes {UPDATE} or nothing: {' '.join(arguments)}")
        return 2
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wheel = wheel_backend.write_wheel(root, folder)
    pythons = interpreters()
    rounds = [Round(python, "newest") for python in pythons]
    rounds = [Round(pythons[0], "oldest"), *rounds] if pythons else []
    for own in rounds:
        say(f"{wheel.name} under Python {own.title} packages ({own.python.path})")
        _try(own, root, wheel)
    print("\n".join(table(rounds, requirements(root))), flush=True)
    missing = not_found(root, pythons)
    print(f"Python not found: {', '.join(missing) or 'none'}", flush=True)
    failed = [own.title for own in rounds if own.failures] + [f"no Python {name}" for name in ends(root, missing)]
    print(f"failed: {', '.join(failed)}" if failed else "all ok" if rounds else "nothing was tried", flush=True)
    if failed or not rounds:
        return 1
    if UPDATE in arguments:
        _update(root, rounds)
    return 0


def _try(own: Round, root: Path, wheel: Path) -> None:
    """Fills in the results."""
    folder = root / FOLDER / own.title.replace(" ", "-")
    python = dev_environment.python_of(folder)
    program = python.with_name(product.NAME).with_suffix(python.suffix)
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check", "install", "--no-input"]
    pip += ["--constraint", _oldest(root)] if own.packages == "oldest" else []
    try:
        _run([own.python.path, "-m", "venv", "--clear", folder])
        _run([*pip, wheel])
    except SetupError as error:
        own.failures["installation"] = str(error)
        return
    _note(own, "self-test", [program, "--self-test"], folder)
    # in the words of the program's own hint (app/optional_packages.py)
    _note(own, "extras", [*pip, f"{product.NAME}[{','.join(EXTRAS)}]"], folder)
    for extra, command in EXTRAS.items():
        known = [str(root / word) if word == SAMPLE else word for word in command]
        _note(own, extra, [program, *known], folder)
    installed = json.loads(_run([python, "-I", "-c", VERSIONS]))
    own.versions = {normalized(name): version for name, version in installed.items() if name not in OF_VENV}
    shutil.rmtree(folder)  # a gigabyte


def _note(own: Round, name: str, command: Sequence[str | Path], folder: Path) -> None:
    try:
        _run(command, folder)
    except SetupError as error:
        own.failures[name] = str(error)
        say(f"FAILED  {own.title}, {name}:\n{error}")
    else:
        say(f"ok      {own.title}, {name}")


def _run(command: Sequence[str | Path], cwd: Path | None = None) -> str:
    """The output. SetupError, with its last lines, if the command fails."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = quietly([str(word) for word in command], variables | {"QT_QPA_PLATFORM": "offscreen"}, cwd)
    if done.returncode:
        raise SetupError(f"exit status {done.returncode}:\n{last_lines(done.stdout, 8)}")
    return done.stdout


def _oldest(root: Path) -> Path:
    """Constraints to the oldest series that the requirements admit: ``numpy>=2.3.5`` becomes ``numpy==2.3.5.*``."""
    path = root / FOLDER / "oldest.txt"
    bounds = (re.match(r"([\w.-]+)>=([\d.]+)", line) for line in requirements(root))
    path.write_text("".join(f"{bound[1]}=={bound[2]}.*\n" for bound in bounds if bound), encoding="utf-8")
    return path


def requirements(root: Path) -> list[str]:
    """Those of the program and of its extras, from pyproject.toml."""
    project = _project(root)
    return [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]


def not_found(root: Path, pythons: Iterable[Interpreter]) -> list[str]:
    """The versions of Python that pyproject.toml names and that are not among ``pythons``."""
    there = {".".join(map(str, own.minor)) for own in pythons}
    return [name for name in _named(root) if name not in there]


def ends(root: Path, missing: Iterable[str]) -> list[str]:
    """Of the ``missing`` versions of Python the oldest and the newest that pyproject.toml names: without them, nobody
    knows whether the wheel works there, and which packages all versions can have."""
    names = _named(root)
    return [name for name in missing if name in (names[0], names[-1])]


def _named(root: Path) -> list[str]:
    return [line.rpartition(" :: ")[2] for line in _project(root)["classifiers"] if ":: Python :: 3." in line]


def _project(root: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def table(rounds: Sequence[Round], wanted: Iterable[str]) -> Iterator[str]:
    """One line per package and per test, one column per round."""
    names = [dev_environment.name_of(line) for line in wanted]
    tests = ("installation", "self-test", "extras", *EXTRAS)
    rows = [("", *(own.title for own in rounds))]
    rows += [(name, *(own.versions.get(normalized(name), "–") for own in rounds)) for name in names]
    rows += [(test, *("failed" if test in own.failures else "ok" for own in rounds)) for test in tests]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _update(root: Path, rounds: Sequence[Round]) -> None:
    """Pins the newest packages of the oldest Python, which all others can have, and records what was tried."""
    constraints, project = root / dev_environment.CONSTRAINTS, root / "pyproject.toml"
    newest = min((own for own in rounds if own.packages == "newest"), key=lambda own: own.python)
    for path, text in (
        (constraints, pinned(constraints.read_text("utf-8"), newest.versions)),
        (project, tried(project.read_text("utf-8"), rounds)),
    ):
        if text != path.read_text("utf-8"):
            path.write_text(text, encoding="utf-8")
            say(f"{path.relative_to(root)} has changed: run dev.py flatpak and dev.py test, and commit it")


def pinned(constraints: str, versions: Mapping[str, str]) -> str:
    """The constraints with the ``versions`` of those packages that are among them."""
    pins = (line.partition("==")[::2] for line in constraints.splitlines())
    return "".join(f"{name}=={versions.get(normalized(name), version)}\n" for name, version in pins)


def tried(project: str, rounds: Sequence[Round]) -> str:
    """pyproject.toml with a comment after each requirement of the program and its extras: the versions that were
    tried; after ``requires-python`` those of Python."""

    def with_range(match: re.Match[str]) -> str:
        name = normalized(match["name"])
        versions = {own.versions[name] for own in rounds if name in own.versions}
        return f"{match['line']} # tried: {span(versions)}" if versions else match[0]

    above, heading, below = project.partition("[dependency-groups]")
    text = REQUIREMENT.sub(with_range, above)
    pythons = ", ".join(dict.fromkeys(own.python.name for own in rounds))
    text = re.sub(r'^(requires-python = "[^"]*").*$', rf"\1 # tried: {pythons}", text, flags=re.MULTILINE)
    return text + heading + below


def span(versions: Iterable[str]) -> str:
    """``2.3.5 to 2.5.5``."""
    ascending = sorted(versions, key=lambda version: [int(number) for number in re.findall(r"\d+", version)])
    return " to ".join(dict.fromkeys((ascending[0], ascending[-1])))
