"""Programs, target and compilation of a Poplar graph."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.columns import given, number, optional
from app.analysis.poplar.runs import executions_of_programs, sums_of_steps
from app.analysis.poplar.trees import call_targets
from app.analysis.table import Coded, Column, Table
from app.profile.profile import Profile


def programs(profile: Profile) -> Table | None:
    """One row a program, in the file's order."""
    own = profile.programs
    if own is None:
        return None
    count = len(own)
    columns = [
        number(count, "Program"),
        Column("type", "Type", Coded(own.type, own.strings)),
        Column("name", "Name", Coded(own.name, own.strings)),
        Column("children", "Children", own.children.lengths),
        given("compute_set", "Compute set", own.compute_set),
        given("exchange", "Exchange", own.exchange, help_="Index in the list that the type says."),
        given("calls", "Calls", call_targets(own), help_="The program that it runs as a function."),
    ]
    runs = executions_of_programs(profile)
    columns += optional("runs", "Runs", runs, count, help_="How often it stands in the program trace.")
    if profile.steps is not None:
        cycles = sums_of_steps(profile.steps.program, profile.steps.cycles, count)
        columns += optional("cycles", "Cycles", cycles, count, "cycles", "Sum over the steps of this very program.")
    table = own.instructions
    if table is not None and "total" in table.kinds:
        values = np.full(count, -1, np.int64)
        values[table.program] = table.bytes[:, table.kinds.index("total")]
        columns.append(given("instructions", "Exchange instructions", values, "B", "memoryByInstruction.total"))
    return Table("programs", "Programs", tuple(columns), "program")


def target(profile: Profile) -> Table | None:
    """The machine, figure by figure."""
    own = profile.target
    if own is None or profile.origin.format != "poplar":
        return None
    rows = [
        ("Type", own.kind or None, ""),
        ("IPUs", own.ipus, ""),
        ("Tiles", own.tiles, ""),
        ("Tiles per IPU", own.tiles_per_ipu, ""),
        ("Memory per tile", own.bytes_per_tile, "B"),
        ("Memory per IPU", own.bytes_per_ipu, "B"),
        ("Memory of all tiles", own.total_bytes, "B"),
        ("Clock", own.clock_hz, "Hz"),
        ("Smallest sync delay", own.min_sync_delay, "cycles"),
    ]
    known = [(name, str(value), unit) for name, value, unit in rows if value is not None]
    columns = (
        Column("property", "Property", tuple(name for name, _, _ in known)),
        Column("value", "Value", tuple(value for _, value, _ in known)),
        Column("unit", "Unit", tuple(unit for _, _, unit in known)),
    )
    return Table("target", "Target", columns)


def optimisation(profile: Profile) -> Table | None:
    """Internal figures of the compilation."""
    found = profile.graph.optimisation if profile.graph is not None else {}
    if not found:
        return None
    columns = (
        Column("metric", "Metric", tuple(found)),
        Column("value", "Value", np.array(list(found.values()), np.float64)),
    )
    return Table("optimisation", "Optimisation information", columns, note="What these mean is not documented.")
