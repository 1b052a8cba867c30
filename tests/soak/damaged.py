"""Thousands of damaged and hostile files of every format through the real readers, in processes that may die."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from benchmarks.loads import ROOT, environment
from soak.case import Id, write
from soak.outcome import Costs, Outcome, Worst

HANGS = 300.0
"""Seconds without a word after which a reader is said to hang (the machine may be busy)."""
BATCH = 5000


@dataclass(slots=True)
class Counts:
    cases: int = 0
    profiles: int = 0
    refused: int = 0
    issues: int = 0
    worker: int = 0
    slowest: float = 0.0
    grown: int = 0
    wrong: list[str] = field(default_factory=list)
    worst: dict[str, Worst] = field(default_factory=dict)
    """Of the fields of ``Costs``."""

    def take(self, told: dict[str, Any], case: str) -> None:
        self.cases += 1
        self.profiles += told["profiles"]
        self.refused += told["refused"]
        self.issues += told["issues"]
        self.worker += told.get("worker", 0)
        self.slowest = max(self.slowest, told["seconds"])
        self.grown = max(self.grown, told["grown"])
        for name, figure in told.get("costs", {}).items():
            self.worst[name] = max(self.worst.get(name, Worst()), Worst(figure, case))


def one_format(name: str, seed: int, seconds: float, kept: Path, hostile: bool = False) -> Outcome:
    """At least the whole files, then damage until the time is over; or hostile files."""
    counts, number, end = Counts(), 0, time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        while number == 0 or time.monotonic() < end:
            number = _batch(Id(name, seed, number, hostile), Path(folder), end, counts, kept)
    told = (
        f"{counts.cases:,} cases: {counts.profiles:,} profiles, {counts.issues:,} issues, {counts.refused:,} refused; "
        f"{counts.worker:,} again by a worker; slowest {counts.slowest:.2f} s, most memory {counts.grown >> 20} MB"
    )
    costs = Costs(name, **counts.worst) if hostile else None
    return Outcome(f"{'hostile' if hostile else 'damaged'} {name}", told, tuple(counts.wrong), costs)


def repeat(one: Id, kept: Path) -> Outcome:
    """One case again; its files stay."""
    from soak.one_process import examined

    told = examined(one, kept / str(one))
    return Outcome(
        f"case {one}", json.dumps(told | {"wrong": bool(told["wrong"])}), (told["wrong"],) if told["wrong"] else ()
    )


def _batch(first: Id, folder: Path, end: float, counts: Counts, kept: Path) -> int:
    """One process from case ``first`` on; the number to go on with."""
    last = str(first.number + BATCH)
    command = [
        sys.executable,
        "-m",
        "soak.one_process",
        str(first),
        last,
        str(folder),
    ]
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    places = environment(folder / "cache") | {"PYTHONHASHSEED": "0", "TMPDIR": str(temporary)}
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, cwd=ROOT, env=places, stdout=subprocess.PIPE, stderr=errors)
        assert child.stdout is not None
        lines = _lines(child.stdout)
        at, why = first.number, ""
        while True:
            try:
                line = lines.get(timeout=HANGS)
            except queue.Empty:
                why = f"nothing was heard for {HANGS:.0f} s"
                child.send_signal(signal.SIGABRT)
                break
            if line is None:
                why = "" if at >= first.number + BATCH else "the process ended"
                break
            told = json.loads(line)
            if "begin" in told:
                at = told["begin"]
                continue
            at = told["end"] + 1
            one = replace(first, number=told["end"])
            counts.take(told, str(one))
            if told["wrong"]:
                keep(one, told["wrong"], counts, kept)
            if time.monotonic() > end:
                break
        child.terminate() if not why else None
        child.wait()
        if why:
            errors.seek(0)
            text = errors.read()[-6000:].decode(errors="replace")
            keep(replace(first, number=at), f"{why} (status {child.returncode})\n{text}", counts, kept)
            at += 1
    return at


def _lines(pipe: IO[bytes]) -> queue.Queue[bytes | None]:
    found: queue.Queue[bytes | None] = queue.Queue()

    def read() -> None:
        for line in pipe:
            found.put(line)
        found.put(None)

    threading.Thread(target=read, daemon=True).start()
    return found


def keep(one: Id, why: str, counts: Counts, kept: Path) -> None:
    """Writes a failing case and its reason below ``kept``, under its name."""
    folder = kept / str(one)
    write(one, folder)
    (folder / "why.txt").write_text(f"repeat with: dev.py soak --repeat {one}\n\n{why}\n")
    counts.wrong.append(f"{one}: {why.strip().splitlines()[-1][:200]}")
    sys.stderr.write(f"  {counts.wrong[-1]}\n")
    sys.stderr.flush()
