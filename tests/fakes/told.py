"""The output of a module of the tests that runs in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def told_by(module: str, *words: object, root: Path) -> dict[str, Any]:
    """The JSON that it prints; it must end successfully."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", module, *map(str, words)],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests")))},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told
