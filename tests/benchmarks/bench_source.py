"""Source and instructions: ``PYTHONPATH=.:tests python tests/benchmarks/bench_source.py``.

A source of 10,000 lines over 500,000 instructions: linking a line to its instructions and back takes under 50 ms,
including the highlighting in the panel. A table of a million instructions: sorting takes at most 1.5 x np.argsort of
the same column, filtering by text and by column at most 60 ms (T7).
"""

from __future__ import annotations

from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from app.analysis.ascend import registers
from app.analysis.ascend.addresses import instruction_lines, line_instructions
from app.analysis.column_filter import ColumnFilter
from app.analysis.source_view import instruction_view
from app.document.document import Document
from app.panels.source.panel import SourcePanel
from app.profile.arrays import sealed
from app.profile.ascend import Instructions, Lines, Sources, TypedColumn
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.table.widget import TableWidget
from benchmarks.bench_table import sort
from benchmarks.clock import application, median, show, timed
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size

PATH = "/src/long_kernel.cpp"
CORES = ("core0.cubecore0", "core0.veccore0", "core0.veccore1")
PIPES = ("SCALAR", "MTE1", "MTE2", "MTE3", "CUBE", "VECTOR", "FIXP", "FLOWCTRL")
RUN = 10
FIRST = 0x10000000


def profile(lines: int, count: int) -> Profile:
    """A profile in which each line has several ranges of instructions across the program, and one line half of all."""
    random = np.random.default_rng(1)
    runs = count // RUN
    owner = random.integers(0, lines, runs)
    owner[::2] = lines // 2  # an unrolled loop
    order = np.argsort(owner, kind="stable")
    start = FIRST + 4 * RUN * order
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(owner, minlength=lines))))
    executed = TypedColumn("Instructions Executed", "int", sealed(random.integers(0, 400, (lines, 3)).astype(np.int32)))
    table = Lines(
        cores=CORES,
        paths=Strings.of([PATH]),
        file=sealed(np.zeros(lines, np.int32)),
        line=sealed(np.arange(1, lines + 1, dtype=np.int32)),
        first_range=sealed(first.astype(np.int64)),
        range_start=sealed(start.astype(np.int64)),
        range_end=sealed((start + 4 * (RUN - 1)).astype(np.int64)),
        columns=(executed,),
    )
    text = "".join(f"    step_{number}(tile, {number});  // line {number + 1}\n" for number in range(lines))
    sources = Sources(Strings.of([PATH]), Strings.of([text]))
    origin = Origin("ascend-bin", (Path("bench.bin"),))
    return Profile(
        name="bench", origin=origin, sources=sources, lines=table, instructions=program(count, np.repeat(owner, RUN))
    )


def program(count: int, owner: np.ndarray) -> Instructions:
    random = np.random.default_rng(2)
    texts = [f"MOV_XD_{number} XD:X{number % 30},XN:X{number % 7}" for number in range(4000)]
    strings = Strings.of([*PIPES, PATH, *texts])
    cycles = random.integers(0, 100_000, (count, 3))
    share = np.where(random.random((count, 3)) < 0.5, np.nan, random.random((count, 3)) * 100)
    return Instructions(
        cores=CORES,
        strings=strings,
        address=sealed(FIRST + 4 * np.arange(count)),
        by_address=sealed(np.arange(count)),
        pipe=sealed(random.integers(0, len(PIPES), count).astype(np.int32)),
        text=sealed((random.integers(0, len(texts), count) + len(PIPES) + 1).astype(np.int32)),
        file=sealed(np.full(count, len(PIPES), np.int32)),
        line=sealed((owner[:count] + 1).astype(np.int32)),
        by_inner_code=True,
        columns=(
            TypedColumn("Instructions Executed", "int", sealed(random.integers(0, 400, (count, 3)).astype(np.int32))),
            TypedColumn("Vector Utilization Percentage", "percent", sealed(share)),
            TypedColumn("Cycles", "int", sealed(cycles.astype(np.int32))),
        ),
    )


def linking(made: Profile) -> list[Record]:
    assert made.lines is not None
    assert made.instructions is not None
    lines, count = len(made.lines.line), len(made.instructions.address)
    plain = median(lambda: np.flatnonzero(np.isin(made.instructions.line, [7])))  # type: ignore[union-attr]
    records = []
    for what, row in (("a line", 7), ("the unrolled line", lines // 2)):
        rows = np.array([row])
        hits = len(line_instructions(made, rows))
        ours = median(partial(line_instructions, made, rows))
        name = f"{what} to its {hits:,} of {count:,} instructions"
        records.append(Record(name, "", ours, "ms", at_most=50, baseline=plain, against="np.isin of all"))
    every = median(partial(line_instructions, made, np.arange(lines)))
    back = median(partial(instruction_lines, made, np.array([count // 3])))
    records.append(Record(f"all {lines:,} lines to their instructions", "", every, "ms"))
    records.append(Record("an instruction to its lines", "", back, "ms", at_most=50))
    return records


def panel(made: Profile) -> list[Record]:
    """Selections in the whole panel: both tables highlighted, the readout updated, a frame painted."""
    document = Document()
    document.finish(document.add(made, job=1))
    widget = SourcePanel(Context(document, Display()))
    records = [Record("the source panel is made and filled", "", timed(lambda: show(widget, 1400, 800)), "ms")]
    assert made.lines is not None
    rows = cycle((7, 8, len(made.lines.line) // 2, 9))

    def select() -> None:
        document.selection.set(Selection("line", (next(rows),), "bench"))
        QApplication.processEvents()

    records.append(Record("a line is selected, seen in the panel", "", median(select, 12), "ms", at_most=50))
    worst = max(timed(select) for _ in range(4))
    records.append(Record("the worst of them (half of all marked)", "", worst, "ms", at_most=50))
    places = cycle((100, len(made.lines.line), len(made.lines.line) * 20))

    def back() -> None:
        document.selection.set(Selection("instruction", (next(places),), "bench"))
        QApplication.processEvents()

    records.append(Record("an instruction is selected, seen in the panel", "", median(back, 12), "ms", at_most=50))
    widget.close()
    widget.deleteLater()
    return records


def table(size: Size) -> list[Record]:
    made = instruction_view(profile(size.source_lines, size.rows))
    assert made is not None
    widget = TableWidget(Display())
    widget.set_table(made[0])
    show(widget, 1200, 900)
    items, what = widget.view.items, f"{size.rows:,} instructions: "
    records = [sort(items, place, what, size) for place in range(len(made[0].columns))]
    items.sort(-1)
    for text in ("MOV_XD_123", "cube", "17"):
        took = median(partial(items.search, text), min(5, size.repeats))
        records.append(Record(f"{what}filter {text!r}", "T7", took, "ms", at_most=60))
    items.search("")
    for key, wanted in (
        ("cycles", ColumnFilter(low=99_000)),
        ("pipe", ColumnFilter(values=frozenset({"CUBE", "MTE2"}))),
        ("text", ColumnFilter(text="mov_xd_12")),
        ("vector_utilization_percentage", ColumnFilter(missing=False)),
    ):
        took = median(partial(widget.filters.set, key, wanted), min(5, size.repeats))
        records.append(Record(f"{what}column filter on {key}", "T7", took, "ms", at_most=60))
        widget.filters.clear()
    widget.close()
    return records


def register_lines(rows: int) -> Record:
    cells = [f'[{{"regIndex":"R{n % 9}","regStatus":2,"survivalTime":5}}]' for n in range(2000)]
    ids = (np.arange(rows) % len(cells)).astype(np.int32)[:, None]
    column = TypedColumn("GPR Status", "json", sealed(ids), Strings.of(cells))
    took = timed(partial(registers.lives, program(rows, np.zeros(rows, np.int64)), column))
    return Record(f"life lines of {rows:,} instructions, in the background", "", took, "ms")


def measure(size: Size) -> list[Record]:
    application()
    made = profile(size.source_lines, size.instructions)
    return [*linking(made), *panel(made), *table(size), register_lines(size.rows // 10)]


if __name__ == "__main__":
    show_records(measure(FULL))
