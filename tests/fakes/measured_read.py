"""Reads files in a process with limited memory, like a worker, and reports the cost.

``python -m fakes.measured_read TIMES MB FILE ...`` limits the memory, for each file, to the current memory of the
process plus ``TIMES`` times the file and ``MB`` million bytes, and prints a line of JSON: for each file the processor
seconds and the issues.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.registry import load_readers, plan
from app.store import reading
from app.store.reading import close_all, open_all
from app.store.token import Token


class Measured(TypedDict):
    seconds: float
    said: list[str]


def measured(paths: Sequence[Path], times: int = 10, megabytes: int = 300) -> list[Measured]:
    """The cost of reading each of ``paths`` in a separate process. AssertionError if it ended early."""
    root = Path(__file__).parents[2]
    words = [sys.executable, "-m", "fakes.measured_read", str(times), str(megabytes), *map(str, paths)]
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"}
    child = subprocess.run(words, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    result: list[Measured] = json.loads(child.stdout)
    return result


def read(path: Path, times: int, megabytes: int) -> Measured:
    """Reads and checks one file in this process."""
    _limit(times * path.stat().st_size + megabytes * 1_000_000)
    begin = time.process_time()
    jobs, refusals = plan([path])
    said = [str(refusal.error) for refusal in refusals]
    for job in jobs:
        collector = Collector(job.format.id)
        sources = open_all(job)
        try:
            reading.run(job, sources, collector, Token())
        except FormatError as error:
            said.append(str(error))
        finally:
            close_all(sources)
        said += [issue.text for profile in collector.profiles for issue in profile.issues]
    return {"seconds": time.process_time() - begin, "said": said[:20]}


def _limit(more: int) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    resource.setrlimit(resource.RLIMIT_DATA, (pages * resource.getpagesize() + more, resource.RLIM_INFINITY))


if __name__ == "__main__":
    load_readers()
    print(json.dumps([read(Path(word), int(sys.argv[1]), int(sys.argv[2])) for word in sys.argv[3:]]))
