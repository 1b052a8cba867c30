"""The processes that run a window for the soak: ``python -m soak.one_window WHAT SEED COUNT FOLDER FILE ...``.

Each prints one line of JSON: ``wrong`` (a line for each failure) and ``told`` (a summary of the figures).
"""

from __future__ import annotations

import faulthandler
import json
import os
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from app.formats.events import Began, Progress, SectionReady
from app.profile.issue import Issue
from app.store import folders
from app.window.samples import is_bundled
from soak import raw
from soak.case import Id, whole, write
from soak.corpus import MAKERS
from soak.hand import hand
from soak.session import Session, held

WARM = 12
"""Opens before the first measurement, in which panels are created and fonts and code are loaded."""
MEMORY = 24 << 20
"""Growth in bytes that is not a leak (pools of Qt and the interpreter)."""
FIRST = 100
"""Number of the first damaged case."""
HANGS = 300
"""Seconds after which a file counts as hanging (the machine may be busy)."""
FROZEN = 4.0
"""Seconds of processor time that the window may be blocked by a hostile file."""
MOST_FILES = 20
"""The number of files opened of hundreds; the panels of each are tested elsewhere."""
LATEST = 400
"""Milliseconds after the start of a load within which it is cancelled or the window closed."""


def opens(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Opens and closes files repeatedly; at the end no resources may have leaked."""
    session, wrong = Session(folder / "data"), []
    for turn in range(WARM):
        _once(session, files, turn)
    first = held()
    counted = []
    for turn in range(count):
        _once(session, files, turn)
        if turn % 10 == 9:
            counted.append(held()["memory"])
    session.pump(0.2)
    last = held()
    wrong += _more(("threads", "files", "children", "folders"), first, last)
    grown = min(counted[-3:], default=last["memory"]) - first["memory"]
    if grown > MEMORY:
        wrong.append(f"memory: {first['memory'] >> 20} MB at first, {grown >> 20} MB more after {count} opens")
    text = f"{count} opens: memory {first['memory'] >> 20} MB, {grown / 2**20:+.1f} MB; " + ", ".join(
        f"{name} {first[name]} to {last[name]}" for name in ("threads", "files", "children", "folders")
    )
    wrong += session.errors + session.failures
    session.end()
    return {"told": text, "wrong": wrong}


def _more(names: Sequence[str], first: dict[str, int], last: dict[str, int]) -> list[str]:
    """A line for each resource that has grown since the first measurement."""
    return [f"{name}: {first[name]} at first, {last[name]} in the end" for name in names if last[name] > first[name]]


def _anew(path: Path) -> None:
    """Changes the file, so that its cached columns are invalid."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        os.utime(file)


def _once(session: Session, files: Sequence[Path], turn: int) -> None:
    if turn % 3 == 0 and not is_bundled(files[turn % len(files)]):
        _anew(files[turn % len(files)])
    session.open([files[turn % len(files)]])
    if turn % 4 == 0:
        session.every_panel()
    session.close_all()


def cancels(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Cancels loads at random moments; nothing may stay open or continue."""
    session, random, wrong, stopped = Session(folder / "data"), Random(seed), [], 0
    session.open(files[:1])
    session.close_all()
    first = held()
    for turn in range(count):
        _anew(files[turn % len(files)])
        session.window.open([files[turn % len(files)]])
        session.pump(random.random() ** 2 * LATEST / 1e3)
        busy = session.loader.busy
        for job in session.loader.jobs:
            session.loader.cancel(job.id)
        session.until(lambda: not session.loader.busy, "the end of what was cancelled")
        stopped += busy and not any(entry.done for entry in session.document.entries)
        session.close_all()
    session.pump(0.2)
    last = held()
    wrong += _more(("threads", "children", "folders"), first, last)
    wrong += session.errors + session.failures
    session.end()
    return {"told": f"{count} loads, {stopped} of them stopped before their end", "wrong": wrong}


def changing(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Truncates, overwrites, replaces and deletes files while they are read and while they are shown."""
    session, random, wrong = Session(folder / "data"), Random(seed), []
    lines = 0
    for turn in range(count):
        here = folder / f"changing-{turn}"
        source = files[turn % len(files)]
        shutil.copytree(source, here) if source.is_dir() else shutil.copy(source, _made(here) / source.name)
        session.window.open([here])
        session.pump(random.random() ** 2 * LATEST / 1e3)
        for path in sorted(path for path in here.rglob("*") if path.is_file()):
            random.choice(HARM)(path, random)
        session.until(lambda: not session.loader.busy, "the end of a load")
        try:
            session.every_panel(random)
            for entry in session.document.entries:
                session.loader.reload(entry.id)
            session.until(lambda: not session.loader.busy, "the end of reading again")
            session.every_panel(random)
        except Exception:
            session.errors.append(traceback.format_exc())
        session.close_all()
        lines += len(session.failures)
        wrong += [text for text in session.failures if "a defect in" in text or "\n" in text]
        wrong += session.errors
        session.failures.clear()
        session.errors.clear()
        shutil.rmtree(here, ignore_errors=True)
    left = held()
    wrong += _more(("children", "folders"), {"children": 0, "folders": 0}, left)
    session.end()
    return {"told": f"{count} loads of files that changed meanwhile, {lines} of them refused", "wrong": wrong}


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _cut(path: Path, random: Random) -> None:
    os.truncate(path, random.randrange(path.stat().st_size + 1))


def _overwrite(path: Path, random: Random) -> None:
    with path.open("r+b") as file:
        file.seek(random.randrange(path.stat().st_size + 1))
        file.write(random.randbytes(random.choice((1, 1000, 100_000))))


def _replace(path: Path, random: Random) -> None:
    other = path.with_name(f"{path.name}.new")
    other.write_bytes(path.read_bytes()[: random.choice((0, 100, -1))])
    other.replace(path)


def _delete(path: Path, random: Random) -> None:
    path.unlink()


HARM: tuple[Callable[[Path, Random], None], ...] = (_cut, _overwrite, _replace, _delete, lambda path, random: None)


def closing(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Closes the window when a load has reached a stage, which ``count`` selects."""
    session, stage = Session(folder / "data"), STAGES[count % len(STAGES)]
    seen: set[str] = set()
    _listen(session, seen)
    begin = time.monotonic()
    session.window.open(files)
    if stage.startswith("after "):
        session.pump(int(stage.split()[1]) / 1e3)
    elif stage.startswith("keeping "):
        session.until(lambda: not session.loader.busy, "the end of a load")
        session.pump(int(stage.split()[1]) / 1e3)
    else:
        session.until(lambda: stage in seen or not session.loader.busy, f"the stage {stage}")
    at = time.monotonic()
    session.end()
    took = time.monotonic() - at
    wrong = list(session.errors)
    if took > 3:
        wrong.append(f"closing took {took:.1f} s at the stage {stage}")
    left = held()
    if left["children"] or left["folders"]:
        wrong.append(f"left when closed at the stage {stage}: {left}")
    return {"told": f"{stage}: at {1e3 * (at - begin):.0f} ms, ended in {1e3 * took:.0f} ms", "wrong": wrong}


STAGES = (
    "opened",
    "began",
    "progress",
    "section",
    "issue",
    "read",
    *(f"keeping {ms} ms" for ms in (0, 2, 5, 10, 20, 50)),
    *(f"after {ms} ms" for ms in (0, 2, 5, 10, 20, 40, 80, 120, 160, 200, 300, 400)),
)


def _listen(session: Session, seen: set[str]) -> None:
    """Adds events to ``seen`` as they leave the loader's queue, before the window handles them."""
    seen.add("opened")
    queue = session.loader._queue
    put = queue.put
    names: dict[type, str] = {Began: "began", Progress: "progress", SectionReady: "section", Issue: "issue"}

    def heard(message: Any) -> None:
        event = getattr(message, "event", None)
        seen.add(names.get(type(event), "read" if type(message).__name__ == "Closed" else "planned"))
        put(message)

    queue.put = heard  # type: ignore[method-assign]


def damaged(seed: int, seconds: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Opens damaged files of all formats in the window for some time, with every panel; skips whole files."""
    session, wrong, number = Session(folder / "data"), [], 0
    names, end = list(MAKERS), time.monotonic() + seconds
    while number < 2 * len(names) or time.monotonic() < end:
        one = Id(names[number % len(names)], seed, FIRST + number)
        number += 1
        if whole(one):
            continue
        faulthandler.dump_traceback_later(HANGS, exit=True)
        faults = _looked_at(session, one, folder / str(one))
        wrong += faults
        print(json.dumps({"at": str(one), "wrong": faults}), file=sys.stderr, flush=True)
    faulthandler.cancel_dump_traceback_later()
    session.end()
    return {"told": f"{number} damaged files shown in every panel", "wrong": wrong}


def hostile(seed: int, seconds: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Opens hostile files of all formats in the window, with every panel; it must respond within some seconds."""
    session, wrong, number = Session(folder / "data"), [], 0
    names, end = list(MAKERS), time.monotonic() + seconds
    worst = (0.0, "")
    while number < 2 * len(names) or time.monotonic() < end:
        one = Id(names[number % len(names)], seed, number, hostile=True)
        number += 1
        faulthandler.dump_traceback_later(HANGS, exit=True)
        session.longest = (0.0, "")
        faults = _looked_at(session, one, folder / str(one), MOST_FILES)
        took, when = session.longest
        worst = max(worst, (took, f"{one}, {when}"))
        if took > FROZEN:
            faults.append(f"{one}: no answer for {took:.1f} s: {when}")
        wrong += faults
        print(json.dumps({"at": str(one), "longest": session.longest, "wrong": faults}), file=sys.stderr, flush=True)
    faulthandler.cancel_dump_traceback_later()
    session.end()
    return {
        "told": f"{number} hostile files shown in every panel; longest time without an answer {worst[0]:.2f} s"
        f" of processor time ({worst[1]})",
        "wrong": wrong,
    }


def _looked_at(session: Session, one: Id, folder: Path, most: int | None = None) -> list[str]:
    try:
        session.open(write(one, folder)[:most])
        session.every_panel(Random(str(one)))
    except Exception:  # errors in calls from Python to Qt propagate to the caller
        session.errors.append(traceback.format_exc())
    session.close_all()
    faults = [f"{one}: {text}" for text in session.errors]
    faults += [f"{one}: {text}" for text in session.failures if "a defect in" in text or "\n" in text]
    session.errors.clear()
    session.failures.clear()
    shutil.rmtree(folder, ignore_errors=True)
    return faults


def store(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Cached columns that were damaged on disk must be rebuilt silently."""
    session, random, wrong, times = Session(folder / "data"), Random(seed), [], 0
    seen: dict[Path, list[str]] = {}
    for turn in range(count):
        path = files[turn % len(files)]
        session.open([path])
        digests = [_digest(entry.profile) for entry in session.document.entries]
        if seen.setdefault(path, digests) != digests:
            wrong.append(f"{path.name} is not what it was: {digests} instead of {seen[path]}")
        session.pump(0.3)  # the columns are written to the cache
        session.close_all()
        lying = sorted(place for place in folders.root().rglob("*") if place.is_file() and place.stat().st_size)
        times += bool(lying)
        for place in random.sample(lying, min(len(lying), random.choice((1, 1, 2, 5)))):
            random.choice((_cut, _overwrite, _replace, _delete, _flip))(place, random)
        wrong += session.failures + session.errors
        session.failures.clear()
        session.errors.clear()
    session.end()
    return {"told": f"{count} loads from a store that was damaged {times} times", "wrong": wrong}


def _flip(path: Path, random: Random) -> None:
    path.write_bytes(raw.damaged(path.read_bytes(), random))


def full(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Loads files on a full disk: one message each, the window survives, and with free space the same file opens."""
    import resource

    session, wrong = Session(folder / "data"), []
    for _ in range(count):
        session.failures.clear()
        session.open(files[:1])
        if not session.failures and not session.document.entries:
            wrong.append("nothing was said, and nothing is open")
        wrong += [text for text in session.failures if "a defect in" in text or "\n" in text]
        messages = list(session.failures)
        session.close_all()
    left = held()
    if left["folders"]:
        wrong.append(f"{left['folders']} folders of columns are left on the full disk")
    session.failures.clear()
    os.environ["XDG_CACHE_HOME"] = str(folder / "room")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    session.open(files[:1])
    if session.failures or not session.document.entries:
        wrong.append(f"with room again: {session.failures}")
    wrong += session.errors
    session.end()
    return {
        "told": f"{count} loads on a full disk: {messages[0] if messages else 'opened all the same'}",
        "wrong": wrong,
    }


def shared(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """One of two windows that open the same files at the same time; prints what it read, for comparison."""
    session, seen = Session(folder / f"data-{os.getpid()}"), []
    sys.stdin.readline()  # the other window is ready, too
    for turn in range(count):
        session.open([files[turn % len(files)]])
        seen.append([_digest(entry.profile) for entry in session.document.entries])
        session.close_all()
    wrong = session.errors + session.failures
    session.end()
    return {"told": f"{count} opens", "wrong": wrong, "seen": seen}


def _digest(profile: Any) -> str:
    from benchmarks.loads import bytes_of

    return f"{profile.name}: " + ", ".join(f"{name} {bytes_of(profile.section(name))}" for name in profile.filled())


WHAT: dict[str, Callable[[int, int, Path, Sequence[Path]], dict[str, Any]]] = {
    "opens": opens,
    "cancels": cancels,
    "changing": changing,
    "closing": closing,
    "damaged": damaged,
    "hostile": hostile,
    "store": store,
    "full": full,
    "shared": shared,
    "hand": hand,
}

if __name__ == "__main__":
    faulthandler.enable()
    found = WHAT[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), [Path(w) for w in sys.argv[5:]])
    print(json.dumps(found), flush=True)
