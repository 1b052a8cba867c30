"""The programs of a Poplar graph with what they cost, and the instructions of their exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.poplar.columns import given, max_column, number
from app.analysis.poplar.instructions import totals, words
from app.analysis.poplar.program_figures import ProgramFigures, program_figures
from app.analysis.poplar.trees import call_targets
from app.analysis.shares import shares
from app.analysis.table import Coded, Column, Table
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.programs import Programs

RUNS: Final = (
    "How often it stands in the program trace. Where the trace lists only what runs on tiles, the runs of programs "
    "that contain or call others are not known."
)
MEMORY: Final = (
    "Of a program that runs a compute set: all its bytes, code included (memory.byComputeSet.totalBytes), summed over "
    "tiles. Of an internal exchange: its code bytes, or the bytes of its instructions where the file has no code "
    "bytes. For other programs the file states no bytes."
)
CODE: Final = (
    "Code bytes of the compute set (memory.byComputeSet.codeBytes) or of the exchange that it runs, summed over tiles."
)
MAX_CODE: Final = "Code bytes of its own compute set or exchange. Code of programs below it is not in it."
TOTAL: Final = (
    "{} of this program and of all below it, calls followed. A compute set or exchange that several programs run "
    "counts once, so the parts may add up to more than the whole. Code that several compute sets share counts in each "
    "of them: the sum may exceed what is in memory. No data where too many shared parts make it too much to work out."
)
ESTIMATE: Final = (
    "Cycles of the longest tile in one run of the compute set or exchange, as compiled: exact for internal exchanges, "
    "estimates for the others; of compute sets they exist for the IPU model only."
)
TOTAL_ESTIMATE: Final = (
    "Estimated cycles of one pass over this program and all below it, one after the other: calls count each time, the "
    "body of a Repeat once (the file does not say how often it repeats), of branches (If, IfElse, Switch) the longest. "
    "Sync and control cost nothing here. No data where anything below has no estimate."
)
CYCLES: Final = "Sum over the steps of this very program (each is as long as its longest tile), all runs together."
TOTAL_CYCLES: Final = (
    "Cycles of the steps of this program and of all below it, all runs together; steps may overlap in time. No data "
    "where a part of it is also run from elsewhere: the file does not say whose its runs were."
)


def programs(profile: Profile) -> Table | None:
    """One row a program, in the file's order."""
    return with_figures(profile, program_figures(profile) or ProgramFigures())


def with_figures(profile: Profile, figures: ProgramFigures) -> Table | None:
    """The same with figures that are there already (none: without their columns)."""
    own = profile.programs
    if own is None:
        return None
    columns = (
        number(len(own), "Program"),
        Column("type", "Type", Coded(own.type, own.strings), role="kind"),
        Column("name", "Name", Coded(own.name, own.strings), role="name"),
        given("compute_set", "Compute set", own.compute_set, role="key"),
        given("exchange", "Exchange", own.exchange, help_="Index in the list that the type says.", role="key"),
        given("calls", "Calls", call_targets(own), help_="The program that it runs as a function.", role="key"),
        *_figures(figures),
        *_instructions(own),
        Column("children", "Children", own.children.lengths),
    )
    return Table("programs", "Programs", columns, "program")


def _figures(found: ProgramFigures) -> Iterator[Column]:
    if found.runs is not None:
        yield given("runs", "Runs", found.runs, help_=RUNS)
    if found.cycles is not None:
        yield given("cycles", "Cycles", found.cycles, "cycles", CYCLES)
    if found.total_cycles is not None:
        yield given("total_cycles", "Total cycles", found.total_cycles, "cycles", TOTAL_CYCLES, inclusive=True)
    if found.memory is not None and found.total_memory is not None:
        yield _bytes("memory", "Memory", found.memory, MEMORY)
        help_ = f"{TOTAL.format('Memory')}\n{MEMORY}"
        yield _bytes("total_memory", "Total memory", found.total_memory, help_, inclusive=True)
    if found.code is not None and found.total_code is not None:
        yield _bytes("code", "Code", found.code, CODE)
        help_ = f"{TOTAL.format('Code')}\n{CODE}"
        yield _bytes("total_code", "Total code", found.total_code, help_, inclusive=True)
    if found.max_code is not None:
        yield max_column("code", "Code", found.max_code, "B", MAX_CODE, found.max_code < 0)
    if found.estimate is not None and found.total_estimate is not None:
        yield given("estimate", "Estimate", found.estimate, "cycles", ESTIMATE)
        yield given(
            "total_estimate", "Estimate of one pass", found.total_estimate, "cycles", TOTAL_ESTIMATE, inclusive=True
        )


def _bytes(key: str, title: str, values: I64, help_: str, *, inclusive: bool = False) -> Column:
    """Programs share what they run, so that adding over programs says nothing."""
    return Column(key, title, values, "B", help_, missing=values < 0, adds_up=False, inclusive=inclusive)


def _instructions(own: Programs) -> Iterator[Column]:
    table = own.instructions
    if table is not None and "total" in table.kinds:
        values = np.full(len(own), -1, np.int64)
        values[table.program] = table.bytes[:, table.kinds.index("total")]
        yield given("instructions", "Exchange instructions", values, "B", "memoryByInstruction.total")


def exchange_instructions(profile: Profile) -> Table | None:
    """One row a kind of exchange instruction, over all programs of the graph."""
    found = totals(profile)
    if found is None:
        return None
    whole = int(found.bytes.sum())
    help_ = "memoryByInstruction, summed over the programs of the graph that exchange."
    columns = (
        Column("kind", "Instruction", tuple(words(kind) for kind in found.kinds)),
        Column("bytes", "Bytes", found.bytes, "B", help_),
        Column(
            "share", "Share", shares(found.bytes), "%", "Of the bytes of all kinds.", share_of="the bytes of all kinds"
        ),
        Column("programs", "Programs", found.programs, help="That have bytes of this kind."),
        Column("key", "Key", found.kinds, help="As the file calls it."),
    )
    note = "" if found.stated in (None, whole) else f"The totals that the file states add up to {found.stated:,} B."
    return Table("exchange-instructions", "Exchange instructions", columns, note=note)
