"""Formats records as a table for people, and as JSON."""

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
"""Load per core above which measurements are not reliable."""


def table(records: Sequence[Record], *, everything: bool = False) -> str:
    """A table with a header and one line per record. Records without a bound are left out unless ``everything``."""
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
    """The load average of the last minute per core; 0 where it is not available."""
    return os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 0.0


def summary(records: Sequence[Record], seconds: float, load: float = 0.0) -> str:
    """The number of records of each verdict (without those of single inputs), with a warning where the machine was busy
    (``load`` before the run)."""
    counts = Counter(record.verdict for record in records if not record.input)
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
    """The records as JSON values, with ratio and verdict."""
    rows = [
        msgspec.to_builtins(record) | {"ratio": record.ratio, "verdict": record.verdict, "bound": record.bound}
        for record in records
    ]
    machine = {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}
    return {"machine": machine, "seconds": seconds, "records": rows}


def show(records: Sequence[Record]) -> None:
    """Prints the records of a benchmark that runs by itself."""
    sys.stdout.write(table(records, everything=True) + "\n")


def _cells(record: Record) -> tuple[str, ...]:
    measured = "-" if record.value is None else f"{number(record.value)} {record.unit}".rstrip()
    baseline = "" if record.baseline is None else f"{number(record.baseline)} {record.unit}".rstrip()
    ratio = "" if record.ratio is None else number(record.ratio)
    return (
        "" if record.input else record.target,
        record.name,
        record.bound,
        measured,
        baseline,
        ratio,
        record.verdict,
        record.note,
    )
