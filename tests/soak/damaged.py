"""Runs thousands of damaged and hostile files of every format through the real readers, in processes that may crash."""

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

from msgspec.structs import replace

from benchmarks.loads import ROOT, environment
from soak.case import Id, write
from soak.outcome import Costs, Outcome, Worst

HANGS = 300.0
"""Seconds without output after which a reader counts as hanging (the machine may be busy)."""
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

    def take(self, result: dict[str, Any], case: str) -> None:
        self.cases += 1
        self.profiles += result["profiles"]
        self.refused += result["refused"]
        self.issues += result["issues"]
        self.worker += result.get("worker", 0)
        self.slowest = max(self.slowest, result["seconds"])
        self.grown = max(self.grown, result["grown"])
        for name, figure in result.get("costs", {}).items():
            self.worst[name] = max(self.worst.get(name, Worst()), Worst(figure, case))


def one_format(name: str, seed: int, seconds: float, case_folder: Path, hostile: bool = False) -> Outcome:
    """Runs at least the whole files, then damaged ones until the time is over; or hostile files."""
    counts, number, end = Counts(), 0, time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        while number == 0 or time.monotonic() < end:
            number = _batch(Id(name, seed, number, hostile), Path(folder), end, counts, case_folder)
    text = (
        f"{counts.cases:,} cases: {counts.profiles:,} profiles, {counts.issues:,} issues, {counts.refused:,} refused; "
        f"{counts.worker:,} again by a worker; slowest {counts.slowest:.2f} s, most memory {counts.grown >> 20} MB"
    )
    costs = Costs(name, **counts.worst) if hostile else None
    return Outcome(f"{'hostile' if hostile else 'damaged'} {name}", text, tuple(counts.wrong), costs)


def repeat(one: Id, case_folder: Path) -> Outcome:
    """Runs one case again and keeps its files."""
    from soak.one_process import examined

    result = examined(one, case_folder / str(one))
    return Outcome(
        f"case {one}",
        json.dumps(result | {"wrong": bool(result["wrong"])}),
        (result["wrong"],) if result["wrong"] else (),
    )


def _batch(first: Id, folder: Path, end: float, counts: Counts, case_folder: Path) -> int:
    """Runs one process from case ``first`` on; returns the number of the next case."""
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
            message = json.loads(line)
            if "begin" in message:
                at = message["begin"]
                continue
            at = message["end"] + 1
            one = replace(first, number=message["end"])
            counts.take(message, str(one))
            if message["wrong"]:
                keep(one, message["wrong"], counts, case_folder)
            if time.monotonic() > end:
                break
        child.terminate() if not why else None
        child.wait()
        if why:
            errors.seek(0)
            text = errors.read()[-6000:].decode(errors="replace")
            keep(replace(first, number=at), f"{why} (status {child.returncode})\n{text}", counts, case_folder)
            at += 1
    return at


def _lines(pipe: IO[bytes]) -> queue.Queue[bytes | None]:
    lines: queue.Queue[bytes | None] = queue.Queue()

    def read() -> None:
        for line in pipe:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def keep(one: Id, why: str, counts: Counts, case_folder: Path) -> None:
    """Writes a failing case and its reason into ``case_folder``, under its name."""
    folder = case_folder / str(one)
    write(one, folder)
    (folder / "why.txt").write_text(f"repeat with: dev.py soak --repeat {one}\n\n{why}\n")
    counts.wrong.append(f"{one}: {why.strip().splitlines()[-1][:200]}")
    sys.stderr.write(f"  {counts.wrong[-1]}\n")
    sys.stderr.flush()
