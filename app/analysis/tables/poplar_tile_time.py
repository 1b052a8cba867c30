"""How long each tile was at work in the steps of a run, or of a range of it."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.columns import optional
from app.analysis.poplar.inside import inside
from app.analysis.poplar.numbers import blocks, ipu_of_tiles
from app.analysis.poplar.tile_time import Part, tile_time
from app.analysis.table import Column, Table
from app.analysis.tables.poplar_step_columns import note
from app.language import tr
from app.profile.arrays import F64
from app.profile.profile import Profile
from app.profile.selection import TimeRange


def tiles(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per tile; None if no step has cycles per tile."""
    times = tile_time(profile)
    if times is None or profile.steps is None:
        return None
    share = np.zeros(len(profile.steps))
    part_of = inside(profile, stretch)
    share[part_of.steps] = part_of.share
    columns = [Column("tile", tr("Tile"), np.arange(times.tiles, dtype=np.int64), role="key")]
    columns += optional("ipu", "IPU", ipu_of_tiles(profile.target, times.tiles), times.tiles, role="key")
    length = times.end - times.start if stretch is None else stretch.end - stretch.start
    every = np.zeros(times.tiles)
    for part in times.parts:
        cycles = _cycles(part, share)
        every += cycles
        columns.append(Column(part.type, part.type, cycles, "cycles", f"{part.words[:1].upper()}{part.words[1:]}."))
    at_work = 100.0 * every / length if length > 0 else np.full(times.tiles, np.nan)
    help_ = tr("Cycles in these steps / cycles of the range or run. The rest is waiting, or was not measured.")
    remark = note(stretch)
    if times.without:
        at_work = np.where(every > 0, at_work, np.nan)
        absent = ", ".join(times.without)
        remark = tr("{remark} The file has no cycles per tile for {absent}.", remark=remark, absent=absent)
    columns.append(Column("at_work", tr("Busy share"), at_work, "%", help_, share_of=tr("the run or range")))
    return Table("tile-time", tr("Busy tiles"), tuple(columns), "tile", note=remark)


def _cycles(part: Part, share: F64) -> F64:
    """float64[tiles]: cycles of each tile in all steps of the part, each weighted by the share that counts."""
    weights = np.bincount(part.row, share[part.step], len(part.matrix)) / part.runs
    out = np.zeros(part.matrix.shape[1])
    for rows in blocks(*part.matrix.shape):
        if weights[rows].any():
            out += weights[rows] @ part.matrix[rows]
    return out
