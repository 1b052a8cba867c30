"""Records as the one table that people read, and as JSON."""

from __future__ import annotations

import os
import platform
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from benchmarks.record import Record, number

HEAD = ("", "figure", "target", "measured", "baseline", "ratio", "verdict", "note")
RIGHT = (3, 4, 5)
BUSY = 0.3
"""Load of each core above which figures are not to be trusted."""


def table(records: Sequence[Record], *, everything: bool = False) -> str:
    """A line a record, below a head. Those without a bound are left out unless ``everything`` is wanted."""
    shown = [record for record in records if everything or record.verdict != "no bound"]
    rows = [HEAD, *(_cells(record) for record in shown)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    lines = []
    for row in rows:
        cells = [
            row[place].rjust(width) if place in RIGHT else row[place].ljust(width) for place, width in enumerate(widths)
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def load() -> float:
    """Processes that ran or waited for a processor in the last minute, for each core; 0 where nobody counts."""
    return os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 0.0


def summary(records: Sequence[Record], seconds: float, load: float = 0.0) -> str:
    """How many of each verdict; a warning where the machine had other work (``load`` before it began)."""
    counts = Counter(record.verdict for record in records)
    parts = ", ".join(
        f"{counts[verdict]} {verdict}" for verdict in ("met", "not met", "not measured") if counts[verdict]
    )
    busy = (
        f"\nThe machine was busy ({load:.1f} for each core): times are longer than they should be."
        if load > BUSY
        else ""
    )
    return f"{parts or 'nothing measured'}; {seconds:.0f} s on {os.cpu_count()} cores{busy}"


def document(records: Sequence[Record], seconds: float) -> dict[str, Any]:
    """The same for programs: what each record holds, with its ratio and verdict."""
    rows = [
        msgspec.to_builtins(record) | {"ratio": record.ratio, "verdict": record.verdict, "bound": record.bound}
        for record in records
    ]
    machine = {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}
    return {"machine": machine, "seconds": seconds, "records": rows}


def show(records: Sequence[Record]) -> None:
    """What a single benchmark prints when it runs by itself."""
    sys.stdout.write(table(records, everything=True) + "\n")


def _cells(record: Record) -> tuple[str, ...]:
    measured = "-" if record.value is None else f"{number(record.value)} {record.unit}".rstrip()
    baseline = "" if record.baseline is None else f"{number(record.baseline)} {record.unit}".rstrip()
    ratio = "" if record.ratio is None else number(record.ratio)
    return record.target, record.name, record.bound, measured, baseline, ratio, record.verdict, record.note
