"""Commands that are killed (kill -9) while they read or use a large file: the next start deletes what they left, and
nothing of those that live."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.store import folders
from generators import poplar

PATIENCE_S = 60.0
USES = """
import sys
from contextlib import ExitStack
from pathlib import Path
from app.analysis.export import export
from app.analysis.tables import available
from app.store.load import read_all
with ExitStack() as stack:
    opened = read_all([Path(sys.argv[1])], stack)
    print(len(opened.profiles), flush=True)
    sys.stdin.read()
    print(sum(len("".join(export(table, "csv"))) for table in available(opened.profiles[0])) > 1000, flush=True)
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A file whose columns are stored in a folder."""
    path = poplar.write(tmp_path / "graph.json", poplar.graph(poplar.Scale(tiles_per_ipu=400, compute_sets=700)))
    assert path.stat().st_size > 8 << 20
    return path


def stores() -> set[Path]:
    return set(folders.every(folders.place()))


def run(root: Path, *words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *map(str, words)], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """Kills a process, unless it is done, and waits for its own processes, which end by themselves."""
    own = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    process.kill()
    process.communicate()
    assert not psutil.wait_procs(own, PATIENCE_S)[1]


def test_the_next_start_deletes_what_a_killed_command_left(graph: Path, tmp_path: Path, root: Path) -> None:
    small = poplar.write(tmp_path / "small.json", poplar.graph(poplar.Scale(tiles_per_ipu=4, compute_sets=2)))
    living = run(root, "-c", USES, graph)
    assert living.stdout is not None
    assert living.stdout.readline() == b"1\n"
    (used,) = stores()
    dead, reading = run(root, "-c", USES, graph), run(root, "main.py", "info", graph)
    try:
        assert dead.stdout is not None
        assert dead.stdout.readline() == b"1\n"
        wait_for(lambda: reading.poll() is not None or len(stores()) == 3)
        end(dead)
        end(reading)
        assert len(stores()) >= 2
        subprocess.run([sys.executable, "main.py", "info", str(small)], cwd=root, check=True, stdout=subprocess.DEVNULL)
        assert used in stores()
        assert all(folders.is_cached(other) for other in stores() - {used})  # if `info` was done before it was killed
        output, _ = living.communicate()
        assert output == b"True\n"
        assert used not in stores()
    finally:
        for process in (living, dead, reading):
            process.kill()
            process.communicate()


def wait_for(condition: object) -> None:
    assert callable(condition)
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)
