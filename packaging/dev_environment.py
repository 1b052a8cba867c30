"""The environment ``.venv`` at the repository root, with the pinned packages; and others like it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly, say

CONSTRAINTS = "packaging/constraints.txt"
STAMP = "tilesight-stamp"
ALIAS = "packaging/source_alias.py"
SOURCES = ("pyproject.toml", CONSTRAINTS, ALIAS)


def provide(root: Path, name: str = ".venv", extra: str = "dev") -> Path:
    """The Python of an environment (``name``, below ``root``) that holds what pyproject.toml asks for, with one of its
    extras, in the pinned versions."""
    folder = root / name
    if not current(root, name):
        if not usable(folder):
            make(folder)
        fill(root, folder, extra)
        if extra == "dev":
            alias_source(root, folder)
        (folder / STAMP).write_text(fingerprint(root, folder))  # last: a set-up that was stopped is taken up again
    return python_of(folder)


def current(root: Path, name: str = ".venv") -> bool:
    """Whether nothing is to be done."""
    stamp = root / name / STAMP
    return stamp.is_file() and stamp.read_text() == fingerprint(root, root / name)


def lacks_venv(root: Path, name: str = ".venv") -> bool:
    """Whether an environment is to be made and this Python has nothing to make it with."""
    if current(root, name) or usable(root / name):
        return False
    return not has_ensurepip() and shutil.which("virtualenv") is None


def has_ensurepip() -> bool:
    importlib.invalidate_caches()
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def python_of(folder: Path) -> Path:
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def fingerprint(root: Path, folder: Path) -> str:
    """Changes when the packages asked for do, and when the system's Python under the environment is replaced."""
    digest = hashlib.sha256(str(python_of(folder).resolve()).encode())
    for name in SOURCES:
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def usable(folder: Path) -> bool:
    """Whether an environment stands there that was made for the Python it now starts, with a pip that runs."""
    try:
        configuration = (folder / "pyvenv.cfg").read_text()
        probe = quietly(
            [str(python_of(folder)), "-c", "import sys, pip; print('%d.%d' % sys.version_info[:2], sys.prefix)"]
        )
    except OSError:
        return False
    made_for = re.search(r"^version(?:_info)?\s*=\s*(3\.\d+)", configuration, re.MULTILINE)
    if probe.returncode or made_for is None:
        return False
    version, prefix = probe.stdout.strip().split(" ", 1)
    return version == made_for[1] and Path(prefix).resolve() == folder.resolve()


def make(folder: Path) -> None:
    """A new, empty environment; what stood there before goes."""
    python = str(getattr(sys, "_base_executable", sys.executable))
    virtualenv = shutil.which("virtualenv")
    if has_ensurepip() or virtualenv is None:
        command = [python, "-m", "venv", "--clear", str(folder)]
    else:
        command = [virtualenv, "--clear", "--python", python, str(folder)]
    say(f"Making the environment {folder.name} with Python {sys.version.split()[0]}")
    done = quietly(command)
    if done.returncode:
        raise SetupError(f"the environment {folder} cannot be made:\n{last_lines(done.stdout)}")


def fill(root: Path, folder: Path, extra: str) -> None:
    """Installs what pyproject.toml asks for, at the versions of the constraints."""
    wanted = requirements(root, extra)
    say(f"Installing into {folder.name}: {', '.join(name_of(line) for line in wanted)}")
    command = [str(python_of(folder)), "-m", "pip", "--disable-pip-version-check", "install", "--no-input"]
    command += [] if sys.stderr.isatty() else ["--quiet"]
    command += ["--constraint", str(root / CONSTRAINTS), *wanted]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False)
    if done.returncode:
        raise SetupError("pip could not install the packages; its last lines above say why")


def alias_source(root: Path, folder: Path) -> None:
    """Makes ``import tilesight`` work in the environment, from any folder: it is the source's package ``app``."""
    where = quietly([str(python_of(folder)), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    if where.returncode:
        raise SetupError(f"the Python of {folder} does not run:\n{last_lines(where.stdout)}")
    shutil.copyfile(root / ALIAS, Path(where.stdout.strip()) / "tilesight.py")


def requirements(root: Path, extra: str = "dev") -> list[str]:
    """What the program and its developers (or another extra) need, as pyproject.toml says it."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"][extra]]


def name_of(requirement: str) -> str:
    """The name in front of a requirement's version."""
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
