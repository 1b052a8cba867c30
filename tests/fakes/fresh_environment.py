"""A new virtual environment that can also import the packages of the tests' environment."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import dev_environment


@dataclass(frozen=True, slots=True)
class FreshEnvironment:
    folder: Path

    @property
    def python(self) -> Path:
        return dev_environment.python_of(self.folder)

    @property
    def packages(self) -> Path:
        """The folder of installed packages."""
        scheme = {"base": str(self.folder), "platbase": str(self.folder)}
        return Path(sysconfig.get_path("purelib", "venv", vars=scheme))

    def run(self, command: list[str | Path], cwd: Path) -> str:
        """Runs a command in this environment and returns its output; it must succeed and print nothing to standard
        error."""
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
        return done.stdout


def fresh_environment(folder: Path) -> FreshEnvironment:
    """Creates the environment in ``folder``."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    made = FreshEnvironment(folder)
    (made.packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    return made
