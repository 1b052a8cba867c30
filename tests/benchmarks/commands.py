"""Commands of the program as whole processes: seconds from start to end, and processor seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import inputs
from benchmarks.loads import ROOT, Runs, environment


def run(words: Sequence[str], runs: Runs, program: Sequence[str] = (str(ROOT / "main.py"),)) -> None:
    """Starts ``python main.py WORDS`` with an empty cache, and adds its times to ``runs``."""
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as cache:
        worked, begin = _children(), time.perf_counter()
        subprocess.run(
            [sys.executable, *program, *words], env=environment(Path(cache)), stdout=subprocess.DEVNULL, check=True
        )
        runs.seconds.append(time.perf_counter() - begin)
        runs.processor.append(_children() - worked)


def _children() -> float:
    """Processor seconds of all children that have ended, and theirs."""
    return sum(os.times()[2:4])
