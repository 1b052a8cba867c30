"""Virtual environments with the pinned packages, such as ``.venv`` at the repository root."""

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


def provide(root: Path, name: str = ".venv", group: str = "dev") -> Path:
    """The Python of the environment ``name`` below ``root``, which is created or updated if necessary: it has the
    packages that pyproject.toml requires, with one of its groups, in the pinned versions."""
    folder = root / name
    if not current(root, name):
        if not usable(folder):
            make(folder)
        fill(root, folder, group)
        if group == "dev":
            alias_source(root, folder)
        (folder / STAMP).write_text(fingerprint(root, folder))  # last, so that an interrupted set-up is repeated
    return python_of(folder)


def current(root: Path, name: str = ".venv") -> bool:
    """Whether the environment is up to date."""
    stamp = root / name / STAMP
    return stamp.is_file() and stamp.read_text() == fingerprint(root, root / name)


def lacks_venv(root: Path, name: str = ".venv") -> bool:
    """Whether an environment must be created and this Python has no module to do so."""
    if current(root, name) or usable(root / name):
        return False
    return not has_ensurepip() and shutil.which("virtualenv") is None


def has_ensurepip() -> bool:
    importlib.invalidate_caches()
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def python_of(folder: Path) -> Path:
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def fingerprint(root: Path, folder: Path) -> str:
    """A digest that changes with the required packages, and when the system's Python under the environment is
    replaced."""
    digest = hashlib.sha256(str(python_of(folder).resolve()).encode())
    for name in SOURCES:
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def usable(folder: Path) -> bool:
    """Whether the environment exists, was created for the Python it now runs, and has a working pip."""
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
    """Creates a new, empty environment, replacing an existing one."""
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


def fill(root: Path, folder: Path, group: str) -> None:
    """Installs the packages that pyproject.toml requires, in the versions of the constraints."""
    wanted = requirements(root, group)
    say(f"Installing into {folder.name}: {', '.join(name_of(line) for line in wanted)}")
    command = [str(python_of(folder)), "-m", "pip", "--disable-pip-version-check", "install", "--no-input"]
    command += [] if sys.stderr.isatty() else ["--quiet"]
    command += ["--constraint", str(root / CONSTRAINTS), *wanted]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False)
    if done.returncode:
        raise SetupError("pip could not install the packages; its last lines above say why")


def alias_source(root: Path, folder: Path) -> None:
    """Makes ``import tilesight`` work in the environment, from any folder, as an alias of the source's package
    ``app``."""
    where = quietly([str(python_of(folder)), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    if where.returncode:
        raise SetupError(f"the Python of {folder} does not run:\n{last_lines(where.stdout)}")
    shutil.copyfile(root / ALIAS, Path(where.stdout.strip()) / "tilesight.py")


def requirements(root: Path, group: str = "dev") -> list[str]:
    """The requirements of the program, and of one dependency group or extra, from pyproject.toml."""
    document = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    groups = project.get("optional-dependencies", {}) | document["dependency-groups"]
    return [*project["dependencies"], *groups[group]]


def name_of(requirement: str) -> str:
    """The name in a requirement, without its version."""
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
