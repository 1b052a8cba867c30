"""What a Poplar report says of the whole: target, compilation, steps and their totals, files, notes, lowered variables,
texts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.poplar.columns import masked
from app.analysis.poplar.exchanges import TOLERANCE, Recomputed, differing, recomputed
from app.analysis.poplar.runs import bandwidth, type_totals
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64
from app.profile.poplar import Steps
from app.profile.profile import Profile, Target
from app.profile.strings import Strings


def target(profile: Profile) -> Table | None:
    """The machine, one row per figure."""
    own = profile.target
    if own is None or profile.origin.format != "poplar":
        return None
    rows = [
        (tr("Type"), own.kind or None, ""),
        (tr("IPUs"), own.ipus, ""),
        (tr("Tiles"), own.tiles, ""),
        (tr("Tiles per IPU"), own.tiles_per_ipu, ""),
        (tr("Memory per tile"), own.bytes_per_tile, "B"),
        (tr("Memory per IPU"), own.bytes_per_ipu, "B"),
        (tr("Memory of all tiles"), own.total_bytes, "B"),
        (tr("Clock"), own.clock_hz, "Hz"),
        (tr("Minimum sync delay"), own.min_sync_delay, "cycles"),
    ]
    known = [(name, _whole(value), unit) for name, value, unit in rows if value is not None]
    units = Strings.of([unit for _, _, unit in known])
    units_of_rows = Coded(np.arange(len(known), dtype=np.int32), units)
    columns = (
        Column("property", tr("Property"), tuple(name for name, _, _ in known)),
        Column("value", tr("Value"), tuple(value for _, value, _ in known), units=units_of_rows),
        Column("unit", tr("Unit"), tuple(unit for _, _, unit in known)),
    )
    return Table("target", tr("Target"), columns)


def _whole(value: str | float) -> str:
    """All digits, without trailing zeros after the decimal point."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def optimisation(profile: Profile) -> Table | None:
    """Internal figures of the compilation."""
    values = profile.graph.optimisation if profile.graph is not None else {}
    if not values:
        return None
    columns = (
        Column("metric", tr("Metric"), tuple(values)),
        Column("value", tr("Value"), np.array(list(values.values()), np.float64)),
    )
    return Table(
        "optimisation",
        tr("Optimisation information"),
        columns,
        note=tr("The meaning of these figures is not documented."),
    )


def steps(profile: Profile) -> Table | None:
    """One row per step, in the file's order."""
    own, again = profile.steps, recomputed(profile)
    if own is None or again is None:
        return None
    columns = (
        Column("step", tr("Step"), np.arange(len(own), dtype=np.int64), role="key"),
        Column("type", tr("Type"), Coded(own.type, own.strings), role="kind"),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        *_cycles(own, profile.target),
        *_balances(own, again),
        *_data(own, again, profile.target),
        masked("program", tr("Program"), own.program, role="key"),
        masked("compute_set", tr("Compute set"), own.compute_set, role="key"),
        masked("exchange", tr("Exchange"), own.exchange, help_=tr("Index in the list given by the type."), role="key"),
        Column(
            "sync", tr("Sync"), Coded(own.sync_type, own.strings), help=tr("Whether the sync is external or internal.")
        ),
    )
    return Table("steps", tr("Steps"), columns, "step")


def _cycles(own: Steps, target: Target | None) -> Iterator[Column]:
    """How long each step takes and where it is in the run, with times if the clock is known."""
    first, last = tr("First cycle in which any tile ran it."), tr("Last cycle in which any tile ran it.")
    yield masked("cycles", tr("Cycles"), own.cycles, "cycles", tr("Cycles of the tile that ran longest."))
    yield masked("from", tr("From"), own.cycles_from, "cycles", first, role="place")
    yield masked("to", tr("To"), own.cycles_to, "cycles", last, role="place")
    yield masked("overlapped", tr("Overlapped"), own.overlapped, "cycles", tr("Cycles overlapped by earlier steps."))
    if target is not None and target.clock_hz:
        time, about = own.cycles / target.clock_hz, tr("Cycles / clock of the target.")
        yield Column("time", tr("Time"), time, "s", about, missing=own.cycles < 0)


def _balances(own: Steps, again: Recomputed) -> Iterator[Column]:
    """How evenly the tiles and their threads work."""
    tile, active = tr("Cycles of all tiles / (longest x tiles)."), tr("Tile balance without idle tiles.")
    yield from _balance("tile_balance", tr("Tile balance"), own.tile_balance, again.tile, tile)
    yield masked("active_tiles", tr("Busy tiles"), own.active_tiles)
    yield from _balance("active_balance", tr("Active balance"), own.active_tile_balance, again.active_tile, active)
    about = tr("How well the threads are used, as stated in the file.")
    yield Column("thread_balance", tr("Thread balance"), own.thread_balance, stored=True, help=about)


def _data(own: Steps, again: Recomputed, target: Target | None) -> Iterator[Column]:
    """What exchanges move, with their bandwidth if the clock is known."""
    about = tr("Like tile balance, for bytes sent and received.")
    yield masked("data", tr("Data"), own.data, "B", tr("Data moved by the exchange, as stated in the file."))
    yield from _balance("data_balance", tr("Data balance"), own.data_balance, again.data, about)
    if target is not None and target.clock_hz:
        rate = bandwidth(own, target) / 1e9
        yield Column("bandwidth", tr("Bandwidth"), rate, "GB/s", tr("Data / (cycles / clock)."))


def _balance(key: str, title: str, stated: F64, again: F64, about: str) -> Iterator[Column]:
    """The balance in the file, and, if any differs, those that differ as recomputed."""
    yield Column(key, title, stated, stored=True, help=about)
    other = differing(stated, again)
    if not bool(np.any(other)):
        return
    help_ = tr(
        "Recomputed from the cycles or bytes per tile, where the result differs from the file by more than "
        "{tolerance}.",
        tolerance=f"{TOLERANCE:g}",
    )
    yield Column(f"{key}_again", tr("{title}, recomputed", title=title), np.where(other, again, np.nan), help=help_)


def step_types(profile: Profile) -> Table | None:
    """One row per type of step."""
    own = profile.steps
    if own is None or not len(own):
        return None
    totals = type_totals(own)
    cycles = profile.execution.cycles if profile.execution is not None else None

    def column(key: str, title: str, values: list[int | None], help_: str) -> Column:
        numbers = np.array([-1 if value is None else value for value in values], np.int64)
        return masked(key, title, numbers, "B" if key == "data" else "cycles", help_)

    busy = [total.busy for total in totals]
    columns = [
        Column("type", tr("Type"), tuple(total.type for total in totals), role="kind"),
        Column("steps", tr("Steps"), np.array([total.steps for total in totals], np.int64)),
        column("cycles", tr("Cycles"), [total.cycles for total in totals], tr("Sum of the steps' own cycles.")),
        column("busy", tr("Busy"), busy, tr("Length of the union of their spans (from first to last cycle).")),
        column(
            "overlapped", tr("Overlapped"), [total.overlapped for total in totals], tr("Sum of the steps' own figures.")
        ),
        column("data", tr("Data"), [total.data for total in totals], tr("Sum of the data of the steps.")),
    ]
    if cycles:
        share = np.array([np.nan if value is None else 100.0 * value / cycles for value in busy])
        columns.insert(
            4, Column("share", tr("Share"), share, "%", tr("Busy / cycles of the run."), share_of=tr("the run"))
        )
    note = tr("Steps overlap, so sums over all types may exceed the run. Sync cycles are not part of any step.")
    return Table("step-types", tr("Step types"), tuple(columns), note=note)


def files(profile: Profile) -> Table | None:
    """One row per file of the report."""
    own = profile.report_files
    if own is None:
        return None
    shown = tuple(tr("shown") if read else tr("not shown") for read in own.read.tolist())
    columns = (
        Column("file", tr("File"), own.names),
        Column("what", tr("Meaning"), own.what),
        Column("size", tr("Size"), own.size, "B", tr("Size of the file.")),
        Column(
            "state", tr("State"), shown, help=tr("The Issues panel explains what to use for files that are not shown.")
        ),
    )
    return Table("report-files", tr("Report files"), columns)


def notes(profile: Profile) -> list[Table]:
    """One table per file, one row per value."""
    own = profile.notes
    return [] if own is None else [_notes(own.files[file], file, profile) for file in range(len(own.files))]


def _notes(name: str, file: int, profile: Profile) -> Table:
    own = profile.notes
    assert own is not None
    rows = np.flatnonzero(own.file == file)
    columns = (
        Column(
            "key", tr("Key"), Coded(own.key[rows], own.strings), help=tr("Keys from the outermost to the innermost.")
        ),
        Column("value", tr("Value"), Coded(own.value[rows], own.strings)),
    )
    return Table(f"notes/{name}", name, columns)


def variables(profile: Profile) -> Table | None:
    """One row per lowered variable."""
    own = profile.variables
    if own is None:
        return None
    columns = [
        masked("variable", tr("Variable"), own.number, help_=tr("Number given by the compiler."), role="key"),
        Column("name", tr("Name"), Coded(own.name, own.strings)),
        masked("size", tr("Size"), own.size, "B"),
        masked("tile", tr("Tile"), own.tile, role="key"),
    ]
    per_ipu = profile.target.tiles_per_ipu if profile.target is not None else None
    if per_ipu and per_ipu > 0:
        columns.append(masked("ipu", "IPU", np.where(own.tile >= 0, own.tile // per_ipu, -1), role="key"))
    columns += [
        Column(
            "offset",
            tr("Address"),
            own.offset,
            help=tr("Address on its tile."),
            missing=own.offset < 0,
            hexadecimal=True,
        ),
        Column("category", tr("Category"), Coded(own.category, own.strings)),
        masked("alignment", tr("Alignment"), own.alignment, "B", adds_up=False),
        Column("allocated", tr("Allocated"), own.allocated),
        Column("constant", tr("Constant"), own.constant),
        Column("always_live", tr("Always live"), own.always_live),
        Column("executable", tr("Executable"), own.executable),
        Column("vertex_code", tr("Vertex code"), own.vertex_code),
        Column("interleaved", tr("Interleaved"), own.interleaved, help=tr("Whether it is in interleaved memory.")),
        masked(
            "class",
            tr("Class"),
            own.equivalence,
            help_=tr("Variables of one equivalence class have the same layout."),
        ),
    ]
    note = tr("Variables of one tile may share addresses if they are never live at the same time.")
    return Table("variables", tr("Lowered variables"), tuple(columns), "variable", note=note)


def texts(profile: Profile) -> list[Table]:
    """One table per text, one row per line."""
    return [] if profile.texts is None else list(_texts(profile))


def _texts(profile: Profile) -> Iterator[Table]:
    own = profile.texts
    assert own is not None
    for number, name in enumerate(own.names):
        ids = np.arange(own.first[number], own.first[number + 1], dtype=np.int64)
        columns = (
            Column("line", tr("Line"), ids - own.first[number] + 1, role="key"),
            Column("text", tr("Text"), Coded(ids, own.lines), role="code"),
        )
        yield Table(f"text/{name}", name, columns)
