"""What a comparison is about: totals, and the columns whose rows explain a difference of them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.language import tr


class Subject(Struct, frozen=True):
    """``totals``: ids of figures, the first that both profiles have is the total. ``columns``: for each table (its id,
    or the part before "/") the key of the column; one that ends in "." stands for the sum of all columns that begin
    with it."""

    id: str
    title: str
    totals: tuple[str, ...]
    columns: dict[str, str]


SUBJECTS: Final[tuple[Subject, ...]] = (
    Subject(
        "time",
        tr("Time"),
        ("execution.cycles", "operator.duration_s", "report.block_time_max_s", "timeline.span"),
        {
            "step-types": "cycles",
            "steps-by-compute-set": "cycles",
            "steps-by-name": "own",
            "steps": "cycles",
            "programs": "cycles",
            "exchanges": "run_cycles",
            "tile-cycles": "average",
            "lanes": "busy",
            "slice-statistics": "total",
            "slices": "duration",
            "block-details": "duration",
            "workload": "cycles",
            "core-load": "cycles",
            "source-lines": "cycles.",
            "instructions": "cycles.",
        },
    ),
    Subject(
        "memory",
        tr("Memory"),
        ("memory.total_bytes", "popef.bytes", "onchip.peak_bytes", "tensors.bytes"),
        {
            "memory-by-category": "total",
            "tiles": "total",
            "variables": "size",
            "live-variables": "size",
            "compute-sets": "total_bytes",
            "blobs": "size",
            "executables": "bytes",
            "tensors": "bytes",
            "feeds": "bytes",
            "opaques": "bytes",
            "onchip-memories": "peak",
            "onchip-blocks": "size",
            "mapped-tensors": "bytes",
            "mapped-tiles": "bytes",
        },
    ),
    Subject(
        "traffic",
        tr("Data moved"),
        ("events.bytes_to_device", "report.bytes_read"),
        {"exchanges": "data", "steps": "data", "transfers": "bytes", "transferred-tensors": "bytes"},
    ),
)
