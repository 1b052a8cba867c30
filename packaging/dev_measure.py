"""Starts the benchmarks and the soak, which are programs below tests/ and not part of the checks."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from dev_checks import environment


def start(python: Path, root: Path, module: str, arguments: Sequence[str]) -> int:
    """Runs a module below tests/ with the environment's Python, without a display; returns its exit status."""
    own = {"PYTHONPATH": os.pathsep.join((str(root), str(root / "tests"))), "QT_QPA_PLATFORM": "offscreen"}
    command = [str(python), "-m", module, *arguments]
    return subprocess.run(command, cwd=root, env=environment() | own, check=False).returncode
