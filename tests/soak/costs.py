"""Runs one hostile case through the readers, the tables and the figures, and measures its cost per file size."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import psutil

from app.formats import unpacked
from app.formats.errors import Cancelled, FormatError
from app.formats.registry import Job, plan
from app.store import folders
from app.store.limits import ROOM, TIMES
from app.store.load import load
from app.store.token import Token
from soak import hostile
from soak.case import Id
from soak.one_reader import Wrong, count_anew, memory, read_here

SLOW = 3.0
SLOW_EACH = 20.0
"""Processor seconds allowed for any file, and per megabyte."""
SLOW_NOTHING = 15.0
"""Processor seconds allowed per gigabyte without meaning (of sparse files)."""
WATCHED = 1.5
"""Above this many processor seconds a quarter of the file is read too, which must take at least a ninth of the time."""
QUARTER, TIMES_AS_LONG, FREE = 0.25, 9.0, 0.5
CANCELLED = 0.2
"""Seconds within which a cancelled load must end: the best of three, because the machine may be busy."""
EVERY_CANCEL = 9
SMALL = 30_000
"""Bytes below which costs per megabyte would only show the fixed cost of a read."""
HEADROOM = 30_000_000
"""Bytes of memory allowed for any read; not counted as memory per megabyte."""


def examined(one: Id, folder: Path) -> dict[str, Any]:
    """Reads and uses one case and returns the result; ``wrong`` says what must not happen, "" if nothing did."""
    made = hostile.made(one.format, one.seed, one.number)
    result: dict[str, Any] = {"profiles": 0, "refused": 0, "issues": 0, "wrong": "", "what": made.what}
    before = _things()
    try:
        seconds, grown = measured(made, folder / "whole", result)
        result["costs"] = _costs(made.bytes, seconds, grown)
        result["seconds"], result["grown"] = seconds, grown
        _judge(one, made, seconds, grown, folder)
        if one.number % EVERY_CANCEL == EVERY_CANCEL - 1:
            result["costs"]["cancel"] = _cancelled(made.write(folder / "cancelled"), seconds, Random(str(one)))
        if left := _things() - before:
            raise Wrong(f"left behind: {', '.join(sorted(left))}")
    except Wrong as wrong:
        result["wrong"] = f"{made.what}, {made.bytes:,} bytes: {wrong}"
    except Exception:
        result["wrong"] = f"{made.what}, {made.bytes:,} bytes\n{traceback.format_exc()}"
    shutil.rmtree(unpacked.folder(), ignore_errors=True)
    return {"seconds": 0.0, "grown": 0} | result


def measured(made: hostile.Files, folder: Path, result: dict[str, Any]) -> tuple[float, int]:
    """(processor seconds, bytes of memory) for reading and using the files."""
    paths = made.write(folder)
    before, begin = count_anew(), time.process_time()
    read_here(paths, result)
    return time.process_time() - begin, memory("VmHWM") - before


def _judge(one: Id, made: hostile.Files, seconds: float, grown: int, folder: Path) -> None:
    size = made.bytes
    if grown > TIMES * size + ROOM:
        raise Wrong(f"it took {grown / 1e6:,.0f} MB of memory")
    if seconds > SLOW + SLOW_EACH * size / 1e6 + SLOW_NOTHING * made.length / 1e9:
        raise Wrong(f"it took {seconds:.1f} s of processor time")
    if seconds > WATCHED and size:
        less = hostile.made(one.format, one.seed, one.number, QUARTER)
        nothing: dict[str, Any] = {"profiles": 0, "refused": 0, "issues": 0}
        quick, _ = measured(less, folder / "quarter", nothing)
        if seconds > max(TIMES_AS_LONG * quick, 2.25 * quick * size / max(1, less.bytes)) + FREE:
            raise Wrong(f"{less.bytes:,} bytes took {quick:.2f} s, {size:,} bytes {seconds:.1f} s of processor time")


def _costs(size: int, seconds: float, grown: int) -> dict[str, float]:
    made = {"seconds": seconds}
    if size >= SMALL:
        made["seconds_each"] = seconds / size * 1e6
        made["megabytes_each"] = max(0, grown - HEADROOM) / size
    return made


def _cancelled(paths: Sequence[Path], seconds: float, random: Random) -> float:
    """Seconds from cancelling a load (by a worker, as in the window) to its end."""
    jobs, _ = plan(paths)
    if not jobs:
        return 0.0
    took = []
    for _ in range(3):
        took.append(_one_cancel(random.choice(jobs), random.random() * (seconds + 0.5)))
        if took[-1] <= CANCELLED:
            break
    if min(took) > CANCELLED:
        raise Wrong(f"cancelling it took {min(took):.2f} s")
    return min(took)


def _one_cancel(job: Job, after: float) -> float:
    token, failed = Token(), []

    def read() -> None:
        try:
            loaded = load(job, lambda _: None, token, apart=True)
            if loaded is not None:
                loaded.release()
        except (FormatError, Cancelled):
            return
        except Exception:
            failed.append(traceback.format_exc())

    thread = threading.Thread(target=read)
    thread.start()
    thread.join(after)
    begin = time.monotonic()
    token.cancel()
    thread.join()
    if failed:
        raise Wrong(failed[0])
    return time.monotonic() - begin


def _things() -> set[str]:
    """The existing child processes, temporary files and column folders."""
    children = {f"process {child.pid}" for child in psutil.Process().children(recursive=True)}
    files = {str(path) for path in Path(tempfile.gettempdir()).iterdir()}
    return children | files | {str(folder) for folder in folders.root().glob("load-*")}
