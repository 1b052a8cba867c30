"""The Pythons of this machine: on the PATH, of pyenv, of uv, and of the launcher of Windows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

OLDEST = (3, 11)
NAME = re.compile(r"python3(\.\d+)?|python\.exe")
PROBE = (
    "import importlib.util, sys, sysconfig as s; v = sys.version_info; "
    "ok = v.releaselevel == 'final' and sys.implementation.name == 'cpython' and sys.prefix == sys.base_prefix; "
    "ok = ok and not s.get_config_var('Py_GIL_DISABLED') and importlib.util.find_spec('ensurepip') is not None; "
    "print(*v[:3], int(ok))"
)
"""Prints the version, and whether environments can be made with this Python, which is itself none."""


@dataclass(frozen=True, slots=True, order=True)
class Interpreter:
    version: tuple[int, int, int]
    path: Path

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def minor(self) -> tuple[int, int]:
        return self.version[:2]


def interpreters(candidates: Iterable[Path] | None = None) -> list[Interpreter]:
    """The newest CPython of each minor version from ``OLDEST`` on that can make environments, ascending."""
    newest: dict[tuple[int, int], Interpreter] = {}
    seen: set[Path] = set()
    for path in _candidates() if candidates is None else candidates:
        if path.resolve() in seen:
            continue
        seen.add(path.resolve())
        found = probed(path)
        if found is not None and found.minor >= OLDEST:
            newest[found.minor] = max(newest.get(found.minor, found), found)
    return sorted(newest.values())


def probed(path: Path) -> Interpreter | None:
    """None for what does not run, or is not a Python that can make environments."""
    output = _output([str(path), "-I", "-c", PROBE])
    match = re.fullmatch(r"(\d+) (\d+) (\d+) 1", output.strip())
    return None if match is None else Interpreter((int(match[1]), int(match[2]), int(match[3])), path)


def _candidates() -> Iterator[Path]:
    yield Path(str(getattr(sys, "_base_executable", sys.executable)))
    for folder in map(Path, filter(None, os.environ.get("PATH", "").split(os.pathsep))):
        yield from sorted(
            path for path in folder.glob("python3*") if re.fullmatch(r"python3(\.\d+)?(\.exe)?", path.name)
        )
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from sorted(versions.glob("*/bin/python3"))
    for command, pattern in (
        (["uv", "python", "list", "--only-installed"], r"^\S+\s+(\S.*?)(?: -> .*)?$"),
        (["py", "-0p"], r"(\S:\\.*?)\s*$"),
    ):
        if shutil.which(command[0]):
            yield from map(Path, re.findall(pattern, _output(command), re.MULTILINE))


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
