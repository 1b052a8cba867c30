"""Runs the parts of the soak that need a window, each in separate processes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from app.resources import resource as bundled
from benchmarks.loads import ROOT, environment
from generators import ascend_trace, popef, popef_network, poplar
from soak import one_window
from soak.outcome import Outcome

TIMEOUT = 900.0
"""Seconds that a part may take beyond its time (the machine may be busy)."""
EVENTS = 60_000
"""About 17 MB, so that a worker reads it."""

HEAVY = -2
"""The first of the ``files`` that a worker reads."""


def files(folder: Path) -> list[Path]:
    """One of each kind: the bundled samples, and some that are read by a worker."""
    trace = folder / "trace.json"
    ascend_trace.write(trace, EVENTS, cores=2)
    scale = poplar.Scale(tiles_per_ipu=1472, compute_sets=60, exchanges=30, estimates=True, loops=4)
    pair = folder / "pair"
    pair.mkdir()
    poplar.write_pair(pair, scale)
    model = popef.write(folder / "model.popef", popef_network.blobs())
    samples = bundled("samples")
    report = samples / "OPPROF_20260821101500_QWERTYUIOPASDFGH"
    return [samples / "matmul_leakyrelu.bin", samples / "resnet-1472-tiles", report, model, trace, pair]


def opens(seed: int, seconds: float, folder: Path) -> Outcome:
    """Opens and closes files a hundred times (fewer in a short soak)."""
    count = 100 if seconds >= 60 else 10
    return _one("opens and closes", "opens", seed, count, folder, files(folder))


def cancels(seed: int, seconds: float, folder: Path) -> Outcome:
    heavy = files(folder)[HEAVY:]
    return _one("cancels", "cancels", seed, 60 if seconds >= 60 else 5, folder, heavy)


def closing(seed: int, seconds: float, folder: Path) -> Outcome:
    """Closes the window at every stage of a load, for a file read in the process and for one read by a worker."""
    known, count = files(folder), 0
    wrong: list[str] = []
    stages = range(len(one_window.STAGES)) if seconds >= 60 else (0, 3, 7, 16)
    for stage in stages:
        for number, path in enumerate((known[0], known[HEAVY])):
            outcome = _one("", "closing", seed, stage, folder / f"{stage}-{number}", [path])
            count += 1
            wrong += outcome.wrong
    return Outcome("closed at every stage", f"{count} windows closed while they read", tuple(wrong))


def changing(seed: int, seconds: float, folder: Path) -> Outcome:
    """Changes files while they are read."""
    count = max(5, min(100, round(seconds / 2)))
    return _one("files that change", "changing", seed, count, folder, files(folder))


def shown(seed: int, seconds: float, folder: Path) -> Outcome:
    """Opens damaged files in the window."""
    return _one("damaged in the window", "damaged", seed, max(1, round(seconds)), folder, [])


def hostile(seed: int, seconds: float, folder: Path) -> Outcome:
    """Opens hostile files in the window."""
    return _one("hostile in the window", "hostile", seed, max(1, round(seconds)), folder, [])


def store(seed: int, seconds: float, folder: Path) -> Outcome:
    """Damages cached columns."""
    count = max(6, min(200, round(seconds)))
    return _one("a damaged store", "store", seed, count, folder, files(folder)[HEAVY:])


def disk(seed: int, seconds: float, folder: Path) -> Outcome:
    """Writes columns to full disks: small ones where they can be mounted, so that space runs out at different columns
    (or while the cache is written), else with a limit on file sizes."""
    known, wrong = files(folder), []
    last: Outcome | None = None
    sizes = range(1, 9) if seconds >= 60 else (2,)
    for megabytes in sizes:
        own = folder / f"{megabytes}"
        own.mkdir()
        with _small_disk(own / "disk", megabytes) as mounted:
            places = {"XDG_CACHE_HOME": str(own / "disk")} | ({} if mounted else {LIMITED: str(megabytes)})
            last = _one(
                "a full disk" if mounted else "files that may not grow",
                "full",
                seed,
                3,
                own,
                known[HEAVY : HEAVY + 1],
                places,
            )
            wrong += [f"{megabytes} MB: {line}" for line in last.wrong]
    assert last is not None
    return Outcome(last.name, f"{len(sizes)} sizes; the last: {last.told}", tuple(wrong))


def shared(seed: int, seconds: float, folder: Path) -> Outcome:
    """Runs two windows that open the same files in the same order at the same time, with one store."""
    known, count = files(folder), 20 if seconds >= 60 else 5
    children = [_start("shared", seed, count, folder, known, {}) for _ in range(2)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
    ends = [_end(child, "shared") for child in children]
    wrong = [line for one in ends for line in one["wrong"]]
    if not wrong and ends[0]["seen"] != ends[1]["seen"]:
        wrong.append("the two windows saw different profiles")
    return Outcome("two windows", f"{count} opens in each", tuple(wrong))


def hand(seed: int, seconds: float, folder: Path) -> Outcome:
    """Walks through the window like somebody who does not wait for it."""
    count = max(60, min(2000, round(4 * seconds)))
    return _one("a hand on the mouse", "hand", seed, count, folder, files(folder))


PARTS: dict[str, Callable[[int, float, Path], Outcome]] = {
    "opens": opens,
    "cancels": cancels,
    "closing": closing,
    "changing": changing,
    "shown": shown,
    "shown-hostile": hostile,
    "store": store,
    "disk": disk,
    "two-windows": shared,
    "hand": hand,
}


def part(name: str, seed: int, seconds: float) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        return PARTS[name](seed, seconds, Path(folder))


def _one(
    name: str,
    what: str,
    seed: int,
    count: int,
    folder: Path,
    paths: Sequence[Path],
    places: dict[str, str] | None = None,
) -> Outcome:
    folder.mkdir(exist_ok=True)
    result = _end(_start(what, seed, count, folder, paths, places or {}), what, count)
    return Outcome(name, result["told"], tuple(result["wrong"]))


def _start(
    what: str, seed: int, count: int, folder: Path, paths: Sequence[Path], places: dict[str, str]
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "soak.one_window", what, str(seed), str(count), str(folder), *map(str, paths)]
    made = environment(folder / "cache") | {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)} | places
    limit = partial(_no_room, int(places[LIMITED])) if LIMITED in places else None
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=made,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
    )


LIMITED = "SOAK_FILES_MAY_NOT_GROW"


def _no_room(megabytes: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (megabytes << 18, resource.RLIM_INFINITY))


def _end(child: subprocess.Popen[bytes], what: str, seconds: float = 0) -> dict[str, Any]:
    """The output of the window, or a failure with the reason where it crashed or hung. No child process may be left."""
    below = {process.pid for process in _children(child)}
    try:
        out, errors = child.communicate(timeout=TIMEOUT + seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        out, errors = child.communicate()
        return {"told": "it hangs", "wrong": [f"{what}: no end after {TIMEOUT + seconds:.0f} s: {_last(errors)}"]}
    if child.returncode or not out.strip():
        return {"told": "it died", "wrong": [f"{what}: status {child.returncode}: {_last(errors)}"], "seen": []}
    result: dict[str, Any] = json.loads(out.splitlines()[-1])
    result["wrong"] += [f"process {pid} outlived its window" for pid in below if psutil.pid_exists(pid)]
    return result


def _children(child: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return list(psutil.Process(child.pid).children(recursive=True))
    except psutil.Error:
        return []


def _last(errors: bytes) -> str:
    return errors[-3000:].decode(errors="replace")


@contextmanager
def _small_disk(place: Path, megabytes: int) -> Iterator[bool]:
    """Mounts a disk of a few megabytes; yields whether that is permitted."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tilesight-soak", str(place)]
    mounted = shutil.which("mount") is not None and not quiet(command)
    try:
        yield mounted
    finally:
        if mounted:
            quiet(["umount", "-l", str(place)])


def quiet(command: Sequence[str]) -> int:
    """Runs a command without output; returns its exit status."""
    return subprocess.run(command, capture_output=True, check=False).returncode
