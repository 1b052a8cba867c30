"""Target and compilation of a Poplar graph."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.profile import Profile
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
