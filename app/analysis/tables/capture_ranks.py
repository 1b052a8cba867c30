"""Communication of an Ascend capture: collectives, their delays between ranks, and links (Ascend captures, section
9)."""

from __future__ import annotations

import numpy as np

from app.analysis.capture.links import links_of
from app.analysis.capture.operations import operations
from app.analysis.capture.ranks import (
    lengths,
    marked,
    moments,
    number_column,
    rank_column,
    rank_numbers,
)
from app.analysis.capture.steps import collective_steps
from app.analysis.table import Coded, Column, Table
from app.language import joined, plural, tr
from app.profile.arrays import F64, I64, U8, Integers
from app.profile.ascend_capture import KIND_NAMES, Collectives
from app.profile.profile import Profile
from app.profile.strings import Strings

PLANE = tr("As the producer computed it, on the plane of the main stream.")
IDLE = tr("Duration minus transit and wait, as the producer computed it. It is not free time of the device.")
MATCHED = tr("Operations match by whole name, group and order on each rank.")


def collectives(profile: Profile) -> Table | None:
    """One row per rank and communication operation."""
    own = profile.collectives
    if own is None or not len(own):
        return None
    duration = np.where((own.start >= 0) & (own.end >= own.start), own.end - own.start, -1)
    late = operations(profile).late_by
    columns = (
        rank_column(profile, own.rank),
        *_named(own, np.arange(len(own), dtype=np.int64)),
        moments(profile, "start", tr("Start"), own.start),
        moments(profile, "end", tr("End"), own.end),
        lengths("duration", tr("Duration"), duration, tr("End minus start.")),
        _time("transit", tr("Transit"), own.transit, PLANE),
        _time("wait", tr("Wait"), own.wait, PLANE),
        _time("synchronization", tr("Synchronisation"), own.synchronization, PLANE),
        _time("idle", tr("Idle"), own.idle, IDLE),
        Column(
            "late_by",
            tr("Late by"),
            late,
            "s",
            tr("Its start minus the first start of all ranks. None if only one rank has it."),
            finest=1e-9,
            adds_up=False,
        ),
        number_column("step", tr("Step"), collective_steps(profile), tr("The number of the training step.")),
        *_texts(own, ("algorithm", tr("Algorithm"), own.algorithm), ("data_type", tr("Data type"), own.data_type)),
        *_elements(own.count),
    )
    return Table("collectives", tr("Communication operations"), columns, "collective", note=clock_note(profile))


def delays(profile: Profile) -> Table | None:
    """One row per operation that two ranks or more have."""
    section, own = profile.collectives, operations(profile)
    if section is None or not len(own):
        return None
    late, steps = rank_column(profile, own.late), collective_steps(profile)[own.row]
    columns = (
        Column("rank", tr("Rank"), late.values, help=tr("The late rank."), missing=late.missing, role="key"),
        *_named(section, own.row),
        number_column("step", tr("Step"), steps, tr("The number of the training step.")),
        Column("ranks", tr("Ranks"), own.ranks, help=tr("How many ranks have the operation."), adds_up=False),
        Column(
            "late_rank",
            tr("Late rank"),
            late.values,
            help=tr("The rank that starts last. None where ends differ by more than the delay: clocks differ."),
            missing=late.missing,
            role="key",
        ),
        _one("delay", tr("Delay"), own.delay, tr("Last start minus first start.")),
        _one(
            "end_spread", tr("Spread of ends"), own.end_spread, tr("Last end minus first end: what clocks differ by.")
        ),
        _time(
            "wait_caused",
            tr("Wait caused"),
            own.wait_caused,
            tr("Sum of the waits of all other ranks: last start minus own start. An upper bound of what they lose."),
        ),
    )
    notes = [clock_note(profile), _differing(own.delay, own.end_spread), MATCHED]
    note = joined(" ", [note for note in notes if note])
    return Table("collective-delays", tr("Delays between ranks"), columns, "collective", own.row, note=note)


def links(profile: Profile) -> Table | None:
    """One row per rank that reports it, source, target and transport."""
    own = links_of(profile)
    if own is None or not len(own.source):
        return None
    columns = (
        rank_column(profile, own.rank),
        number_column("src", tr("From"), own.source, tr("The rank that sends.")),
        number_column("dst", tr("To"), own.target, tr("The rank that receives.")),
        Column("transport", tr("Transport"), Coded(own.transport, own.strings), role="kind"),
        Column("size", tr("Size"), own.size, "B", tr("Sum over all types of operations.")),
        _time("time", tr("Time"), own.time, tr("Sum of the times of its transfers.")),
        Column("bandwidth", tr("Bandwidth"), own.bandwidth / 1e9, "GB/s", tr("Size / time, in 10^9 bytes per second.")),
    )
    return Table("links", tr("Links between ranks"), columns)


def clock_note(profile: Profile) -> str:
    """Whose clocks were shifted; "" if none was."""
    shift = operations(profile).shift
    rows = np.flatnonzero(shift)
    if not len(rows):
        return ""
    numbers = rank_numbers(profile)[rows]
    shown = ", ".join(str(number) for number in numbers[:8].tolist())
    return plural(
        "The clock of {count:,} rank differs from the others by more than its collectives vary ({ranks}); its times "
        "between ranks are shifted, an estimate.",
        "The clocks of {count:,} ranks differ from the others by more than their collectives vary ({ranks}); their "
        "times between ranks are shifted, an estimate.",
        count=len(rows),
        ranks=shown if len(rows) <= 8 else f"{shown}, …",
    )


def _differing(delay: F64, spread: F64) -> str:
    count = int(np.count_nonzero(spread > delay))
    if not count:
        return ""
    return plural(
        "In {count:,} operation ends differ by more than starts: clocks differ, no rank is named.",
        "In {count:,} operations ends differ by more than starts: clocks differ, no rank is named.",
        count=count,
    )


def _named(own: Collectives, rows: I64) -> tuple[Column, Column, Column]:
    """Name, group and kind of operations."""
    return (
        Column("name", tr("Name"), Coded(own.name[rows], own.strings), role="name"),
        Column("group", tr("Group"), Coded(own.group[rows], own.strings)),
        Column("kind", tr("Kind"), _kinds(own.kind[rows]), role="kind"),
    )


def _kinds(codes: U8) -> Coded:
    return Coded(codes.astype(np.int16), Strings.of(KIND_NAMES))


def _time(key: str, title: str, values: F64, text: str) -> Column:
    return Column(key, title, values, "s", text, finest=1e-9)


def _one(key: str, title: str, values: F64, text: str) -> Column:
    return Column(key, title, values, "s", text, finest=1e-9, adds_up=False)


def _texts(own: Collectives, *columns: tuple[str, str, Integers]) -> list[Column]:
    return [Column(key, title, Coded(ids, own.strings)) for key, title, ids in columns if (ids >= 0).any()]


def _elements(count: I64) -> list[Column]:
    if not (count >= 0).any():
        return []
    return [Column("count", tr("Elements"), count, missing=marked(count < 0), adds_up=False)]
