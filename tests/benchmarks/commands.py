"""Commands of the program as whole processes: seconds from start to end, and processor seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks import inputs
from benchmarks.loads import ROOT, Runs, environment, on_one_core

PROGRAM: Final = (str(ROOT / "main.py"),)
DECODE: Final = ("-c", "import gc, orjson, sys; gc.disable(); orjson.loads(open(sys.argv[1], 'rb').read())")
IMPORT: Final = ("-c", "import gc, orjson")


def run(words: Sequence[str], runs: Runs, program: Sequence[str] = PROGRAM, *, alone: bool = False) -> None:
    """Starts ``python main.py WORDS`` with an empty cache, and adds its times to ``runs``. ``alone``: on one core."""
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as cache:
        worked, begin = _children(), time.perf_counter()
        subprocess.run(
            [sys.executable, *program, *words],
            env=environment(Path(cache)),
            stdout=subprocess.DEVNULL,
            check=True,
            preexec_fn=on_one_core if alone else None,
        )
        runs.seconds.append(time.perf_counter() - begin)
        runs.processor.append(_children() - worked)


def _children() -> float:
    """Processor seconds of all children that have ended, and theirs."""
    return sum(os.times()[2:4])
