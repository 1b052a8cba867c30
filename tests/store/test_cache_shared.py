"""Several processes and a full disk: what is used stays, what nobody uses goes, nothing half valid remains."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from app.store import folders
from app.store.cache import sweeping
from app.store.cache.limit import CacheLimit
from app.store.locks import LOCK, Hold, claimed, held
from app.store.token import Token
from fakes.columns import Reader
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=8, compute_sets=3)
KEEP = CacheLimit(1 << 30)
DAY = 24 * 3600

HOLDS = """
import sys
from pathlib import Path
from app.store.locks import held
hold = held(Path(sys.argv[1]))
print("holds" if hold else "no", flush=True)
sys.stdin.read()
"""

FULL = """
import resource, sys
from contextlib import ExitStack
from pathlib import Path
from app.store.cache.limit import CacheLimit
from app.store.load import read_all
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
with ExitStack() as stack:
    found = read_all([Path(sys.argv[1])], stack, choice=CacheLimit(1 << 30))
    print(len(found.profiles), [str(refusal.error) for refusal in found.refusals])
"""


DIES = """
import os, sys
from pathlib import Path
import pytest
from app.store.cache import cache
from app.store.cache.limit import CacheLimit
from app.store.token import Token
from fakes.columns import Reader

def die(*_):
    os._exit(9)

where = {
    "fsync": (os, "fsync"),
    "describe": (cache, "write_manifest"),
    "rename": (Path, "replace"),
    "name": (cache, "_name"),
}
with pytest.MonkeyPatch.context() as patch:
    loaded, _ = Reader(patch).load((Path(sys.argv[1]), Path(sys.argv[2])), CacheLimit(1 << 30))
    patch.setattr(*where[sys.argv[3]], die)
    loaded.cache_columns(CacheLimit(1 << 30), Token())
"""


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return poplar.write_pair(tmp_path, SCALE)


def stores() -> set[Path]:
    return set(folders.every(folders.place()))


def unused_for(folder: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(folders.key_file(folder.parent, folders.key_of(folder)), (then, then))


def test_one_in_use_is_never_swept(reader: Reader, pair: tuple[Path, Path]) -> None:
    loaded, _ = reader.load(pair, KEEP)
    loaded.cache_columns(KEEP, Token())
    unused_for(loaded.stored.folder, 90 * DAY)
    sweeping.sweep(0)
    assert stores() == {loaded.stored.folder}
    loaded.release()
    assert stores() == {loaded.stored.folder}
    sweeping.sweep(0)
    assert stores() == set()
    assert list(folders.place().glob("*.key")) == []


def test_one_that_another_process_uses_stays_until_that_dies(
    reader: Reader, pair: tuple[Path, Path], root: Path
) -> None:
    reader.cached(pair)
    (folder,) = stores()
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == b"holds\n"
        assert not folders.remove_unused(folder)
        assert sweeping.clear().in_use > 0
        assert stores() == {folder}
    finally:
        other.kill()  # it gives nothing back; the system does
        other.communicate()
    sweeping.sweep(1 << 30)
    assert stores() == set()


def test_two_windows_read_the_same_file(reader: Reader, pair: tuple[Path, Path]) -> None:
    first, _ = reader.load(pair, KEEP)
    second, _ = reader.load(pair, KEEP)
    assert first.cache_columns(KEEP, Token())
    assert second.cache_columns(KEEP, Token())
    assert stores() == {first.stored.folder, second.stored.folder}
    first.release()
    assert stores() == {second.stored.folder}
    second.release()
    reader.cached(pair)
    assert reader.count == 2
    assert stores() == {second.stored.folder}


def test_a_new_folder_that_somebody_is_sweeping_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sweeps may have claimed it before it was held; it is about to go."""
    swept: list[Path] = []

    def late(folder: Path) -> Hold | None:
        if swept:
            return held(folder)
        swept.append(folder)
        with claimed(folder) as mine:
            assert mine
            return held(folder)

    monkeypatch.setattr(folders, "held", late)
    made = folders.new()
    assert made.folder not in swept
    assert made.hold is not None
    made.release()
    assert stores() == set(swept)
    folders.sweep_leftovers(folders.place())
    assert stores() == set()


def test_closing_while_it_is_kept(reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns are given back when keeping is done."""
    loaded, _ = reader.load(pair, KEEP)
    real = os.fsync

    def fsync(fd: int) -> None:
        loaded.release()
        real(fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        assert loaded.cache_columns(KEEP, Token())
    with claimed(loaded.stored.folder) as mine:
        assert mine
    reader.cached(pair)
    assert reader.count == 1


def test_the_longest_unused_goes_first(reader: Reader, tmp_path: Path) -> None:
    pairs = []
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        pairs.append(poplar.write_pair(tmp_path / str(number), SCALE))
        reader.cached(pairs[-1])
    by_age = [folders.place() / kept.folder for kept in sweeping.cached_folders(folders.place())]
    for age, folder in enumerate(reversed(by_age), 1):
        unused_for(folder, age * DAY)
    one = folders.size_of(by_age[0])
    sweeping.sweep(2 * one + one // 2)
    assert stores() == set(by_age[1:])
    unused_for(by_age[1], 40 * DAY)
    sweeping.sweep(1 << 40)
    assert stores() == {by_age[2]}
    reader.cached(pairs[2])  # used again, it is the youngest
    assert reader.count == 3


def test_what_is_larger_than_the_limit_is_not_kept(reader: Reader, pair: tuple[Path, Path]) -> None:
    reader.cached(pair, CacheLimit(1000))
    assert stores() == set()


def test_clearing_frees_what_is_not_in_use(reader: Reader, pair: tuple[Path, Path]) -> None:
    reader.cached(pair)
    loaded, _ = reader.load(pair[:1], KEEP)
    loaded.cache_columns(KEEP, Token())
    sizes = {folder: folders.size_of(folder) for folder in stores()}
    assert sweeping.usage() == sum(sizes.values())
    cleared = sweeping.clear()
    assert cleared.in_use == sizes[loaded.stored.folder]
    assert cleared.freed == sum(sizes.values()) - cleared.in_use
    loaded.release()
    assert stores() == set()
    assert sweeping.usage() == 0


def test_leftovers_of_a_crash_go(reader: Reader, pair: tuple[Path, Path]) -> None:
    home = folders.root()
    crashed, young, old = (home / f"load-none-{name}" for name in ("crashed", "young", "old"))
    for folder in (crashed, young, old):
        folder.mkdir()
    (crashed / LOCK).touch()
    os.utime(old, (1, 1))
    reader.cached(pair)
    assert crashed not in stores()
    assert young in stores()
    assert old not in stores()


@pytest.mark.parametrize("where", ["fsync", "describe", "rename", "name"])
def test_a_process_that_dies_while_it_keeps_leaves_nothing_half_valid(
    where: str, reader: Reader, pair: tuple[Path, Path], root: Path
) -> None:
    paths = os.pathsep.join((str(root), str(root / "tests")))
    command = [sys.executable, "-c", DIES, *map(str, pair), where]
    died = subprocess.run(
        command, cwd=root, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert died.returncode == 9, died.stderr
    (left,) = stores()
    assert not folders.is_cached(left)
    reader.cached(pair)
    assert reader.count == 1
    assert left not in stores()
    assert len(stores()) == 1


def test_nobody_holds_what_is_being_deleted(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch()
    with claimed(tmp_path) as mine:
        assert mine
        assert held(tmp_path) is None
        (tmp_path / LOCK).unlink()
    assert held(tmp_path) is None


def test_room_is_made_for_a_new_file(reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    reader.cached(pair)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 0}))
    sweeping.make_room([10])
    assert stores() == set()


def test_what_a_killed_window_left_goes_also_where_nothing_is_kept(
    reader: Reader, pair: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder that stands in for a place that cannot be written, too."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stand_in = folders.root()
    assert stand_in.parent == tmp_path
    left = stand_in / "load-none-abc"
    left.mkdir()
    (left / LOCK).touch()
    reader.cached(pair, CacheLimit(0))
    assert list(folders.every(stand_in)) == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are Unix's")
@pytest.mark.parametrize("limit", [4_000, 400_000])
def test_a_disk_that_fills_is_one_clear_line_and_leaves_nothing(tmp_path: Path, root: Path, limit: int) -> None:
    """A limit of file sizes stands for the full disk: the worker's write fails in the same place."""
    graph = poplar.write(tmp_path / "graph.json", poplar.graph(poplar.Scale(tiles_per_ipu=400, compute_sets=700)))
    assert graph.stat().st_size > 8 << 20
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(graph), str(limit)], capture_output=True, text=True, cwd=root, check=True
    )
    assert "the column store cannot be written" in done.stdout
    assert f"in {folders.place()}; free disk space, or set" in done.stdout
    assert "Traceback" not in done.stderr
    sweeping.sweep(1 << 30)
    assert stores() == set()
    assert list(folders.place().glob("*.key")) == []
