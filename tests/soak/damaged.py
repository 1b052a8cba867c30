"""Thousands of damaged files of every format through the real readers, in processes that may die."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from benchmarks.loads import ROOT, environment
from soak.case import Id, write
from soak.corpus import MAKERS
from soak.outcome import Outcome

HANGS = 60.0
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

    def take(self, told: dict[str, Any]) -> None:
        self.cases += 1
        self.profiles += told["profiles"]
        self.refused += told["refused"]
        self.issues += told["issues"]
        self.worker += told.get("worker", 0)
        self.slowest = max(self.slowest, told["seconds"])
        self.grown = max(self.grown, told["grown"])


def soak(seed: int, seconds: float, kept: Path) -> list[Outcome]:
    """Each format for its share of the time; failing cases are written below ``kept``."""
    return [one_format(name, seed, seconds / len(MAKERS), kept) for name in MAKERS]


def one_format(name: str, seed: int, seconds: float, kept: Path) -> Outcome:
    """At least the whole files, then damage until the time is over."""
    counts, number, end = Counts(), 0, time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        while number == 0 or time.monotonic() < end:
            number = _batch(Id(name, seed, number), Path(folder), end, counts, kept)
    told = (
        f"{counts.cases:,} cases: {counts.profiles:,} profiles, {counts.issues:,} issues, {counts.refused:,} refused; "
        f"{counts.worker:,} again by a worker; slowest {counts.slowest:.2f} s, most memory {counts.grown >> 20} MB"
    )
    return Outcome(f"damaged {name}", told, tuple(counts.wrong))


def repeat(one: Id, kept: Path) -> Outcome:
    """One case again; its files stay."""
    from soak.one_reader import examined

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
        "soak.one_reader",
        first.format,
        str(first.seed),
        str(first.number),
        last,
        str(folder),
    ]
    places = environment(folder / "cache") | {"PYTHONHASHSEED": "0"}
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
            counts.take(told)
            if told["wrong"]:
                keep(Id(first.format, first.seed, at - 1), told["wrong"], counts, kept)
            if time.monotonic() > end:
                break
        child.terminate() if not why else None
        child.wait()
        if why:
            errors.seek(0)
            text = errors.read()[-6000:].decode(errors="replace")
            keep(Id(first.format, first.seed, at), f"{why} (status {child.returncode})\n{text}", counts, kept)
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
