"""The programs of a Poplar graph with their costs, and the instructions of their exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.amounts import shares
from app.analysis.poplar.columns import masked, max_column, number
from app.analysis.poplar.graph import call_targets
from app.analysis.poplar.names import instruction_totals, instruction_words
from app.analysis.poplar.program_figures import ProgramFigures, program_figures
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I64
from app.profile.poplar import Programs
from app.profile.profile import Profile

RUNS: Final = tr(
    "Occurrences in the program trace. If the trace lists only what runs on tiles, the runs of programs that contain "
    "or call others are unknown."
)
MEMORY: Final = tr(
    "For a program that runs a compute set: all its bytes, code included (memory.byComputeSet.totalBytes), summed "
    "over tiles. For an internal exchange: its code bytes, or the bytes of its instructions if the file has no code "
    "bytes. For other programs the file states no bytes."
)
CODE: Final = tr(
    "Code bytes of the compute set (memory.byComputeSet.codeBytes) or exchange that it runs, summed over tiles."
)
MAX_CODE: Final = tr("Code bytes of its own compute set or exchange, without the programs below it.")
TOTAL_MEMORY: Final = tr(
    "Memory of this program and all programs below it, including calls. A compute set or exchange that several "
    "programs run counts once, so the parts may add up to more than the whole. Code shared by several compute sets "
    "counts in each of them, so the sum may exceed the memory in use. No data if there are too many shared parts to "
    "compute it."
)
TOTAL_PROGRAM_CODE: Final = tr(
    "Code of this program and all programs below it, including calls. A compute set or exchange that several programs "
    "run counts once, so the parts may add up to more than the whole. Code shared by several compute sets counts in "
    "each of them, so the sum may exceed the memory in use. No data if there are too many shared parts to compute it."
)
ESTIMATE: Final = tr(
    "Cycles of the longest tile in one run of the compute set or exchange, as compiled: exact for internal exchanges, "
    "estimates for the others. For compute sets they exist only for the IPU model."
)
TOTAL_ESTIMATE: Final = tr(
    "Estimated cycles of one pass over this program and all programs below it, one after the other. Calls count each "
    "time, the body of a Repeat once (the file does not state the repeats), and of branches (If, IfElse, Switch) the "
    "longest. Sync and control cost nothing here. No data if anything below has no estimate."
)
CYCLES: Final = tr("Sum over the steps of this program itself (each as long as its longest tile), all runs together.")
TOTAL_CYCLES: Final = tr(
    "Cycles of the steps of this program and all programs below it, all runs together; steps may overlap in time. "
    "Programs that did not run add nothing. No data if a part of it also ran from elsewhere, because the file does not "
    "attribute those runs."
)


def programs(profile: Profile) -> Table | None:
    """One row per program, in the file's order."""
    return with_figures(profile, program_figures(profile) or ProgramFigures())


def with_figures(profile: Profile, figures: ProgramFigures) -> Table | None:
    """The same with figures that are already computed; those that are None get no columns."""
    own = profile.programs
    if own is None:
        return None
    columns = (
        number(len(own), tr("Program")),
        Column("type", tr("Type"), Coded(own.type, own.strings), role="kind"),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        masked("compute_set", tr("Compute set"), own.compute_set, role="key"),
        masked("exchange", tr("Exchange"), own.exchange, help_=tr("Index in the list given by the type."), role="key"),
        masked(
            "calls", tr("Calls"), call_targets(own), help_=tr("The program that it runs as a function."), role="key"
        ),
        *_figures(figures),
        *_instructions(own),
        Column("children", tr("Children"), own.children.lengths),
    )
    return Table("programs", tr("Programs"), columns, "program")


def _figures(figures: ProgramFigures) -> Iterator[Column]:
    if figures.runs is not None:
        yield masked("runs", tr("Runs"), figures.runs, help_=RUNS)
    if figures.cycles is not None:
        yield masked("cycles", tr("Cycles"), figures.cycles, "cycles", CYCLES)
    if figures.total_cycles is not None:
        yield masked("total_cycles", tr("Total cycles"), figures.total_cycles, "cycles", TOTAL_CYCLES, inclusive=True)
    if figures.memory is not None and figures.total_memory is not None:
        yield _bytes("memory", tr("Memory"), figures.memory, MEMORY)
        help_ = f"{TOTAL_MEMORY}\n{MEMORY}"
        yield _bytes("total_memory", tr("Total memory"), figures.total_memory, help_, inclusive=True)
    if figures.code is not None and figures.total_code is not None:
        yield _bytes("code", tr("Code"), figures.code, CODE)
        help_ = f"{TOTAL_PROGRAM_CODE}\n{CODE}"
        yield _bytes("total_code", tr("Total code"), figures.total_code, help_, inclusive=True)
    if figures.max_code is not None:
        yield max_column("code", tr("Code"), figures.max_code, "B", MAX_CODE, figures.max_code < 0)
    if figures.estimate is not None and figures.total_estimate is not None:
        yield masked("estimate", tr("Estimate"), figures.estimate, "cycles", ESTIMATE)
        yield masked(
            "total_estimate",
            tr("Estimate of one pass"),
            figures.total_estimate,
            "cycles",
            TOTAL_ESTIMATE,
            inclusive=True,
        )


def _bytes(key: str, title: str, values: I64, help_: str, *, inclusive: bool = False) -> Column:
    """Bytes of programs. They share what they run, so that the sum over programs is meaningless."""
    return Column(key, title, values, "B", help_, missing=values < 0, adds_up=False, inclusive=inclusive)


def _instructions(own: Programs) -> Iterator[Column]:
    table = own.instructions
    if table is not None and "total" in table.kinds:
        values = np.full(len(own), -1, np.int64)
        values[table.program] = table.bytes[:, table.kinds.index("total")]
        yield masked("instructions", tr("Exchange instructions"), values, "B", "memoryByInstruction.total")


def exchange_instructions(profile: Profile) -> Table | None:
    """One row per kind of exchange instruction, over all programs of the graph."""
    sums = instruction_totals(profile)
    if sums is None:
        return None
    whole = int(sums.bytes.sum())
    help_ = tr("memoryByInstruction, summed over the programs of the graph with exchanges.")
    columns = (
        Column("kind", tr("Instruction"), tuple(instruction_words(kind) for kind in sums.kinds)),
        Column("bytes", tr("Bytes"), sums.bytes, "B", help_),
        Column(
            "share",
            tr("Share"),
            shares(sums.bytes),
            "%",
            tr("Share of the bytes of all kinds."),
            share_of=tr("the bytes of all kinds"),
        ),
        Column("programs", tr("Programs"), sums.programs, help=tr("Programs with bytes of this kind.")),
        Column("key", tr("Key"), sums.kinds, help=tr("Name in the file.")),
    )
    note = (
        ""
        if sums.stated in (None, whole)
        else tr("The totals stated in the file add up to {stated:,} B.", stated=sums.stated)
    )
    return Table("exchange-instructions", tr("Exchange instructions"), columns, note=note)
