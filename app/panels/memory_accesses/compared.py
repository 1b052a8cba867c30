"""Memory accesses of two profiles: what both have, and what only one has. Imported only with a baseline."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import Qt

from app.analysis.compare.alignment import Check
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators import BIT_AFTER, BIT_BEFORE, BIT_BOTH, MergedAccesses, merged_accesses
from app.language import tr
from app.panels.memory_accesses.draw import SEVERAL, KindStyle
from app.panels.memory_accesses.scene import AccessScene
from app.profile.arrays import I64
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.look import Look
from app.views.memory_accesses.addresses import TOP, address_axis
from app.views.memory_accesses.raster import Bars
from app.views.memory_accesses.records import ALL, Filter, Records, chosen, space_name
from app.views.memory_accesses.words import about
from app.views.theme import Theme


def _fills(theme: Theme) -> dict[int, str]:
    return {BIT_BOTH: theme.muted, BIT_AFTER: theme.more, BIT_BEFORE: theme.less, SEVERAL: theme.text}


STYLE = KindStyle(
    words={
        BIT_BOTH: tr("in both"),
        BIT_AFTER: ONLY_COMPARISON,
        BIT_BEFORE: ONLY_BASELINE,
        SEVERAL: tr("several here"),
    },
    fills=_fills,
    patterns={BIT_AFTER: Qt.BrushStyle.BDiagPattern, BIT_BEFORE: Qt.BrushStyle.Dense5Pattern},
    letters={BIT_BOTH: "=", BIT_AFTER: "+", BIT_BEFORE: "−"},
    broken=BIT_AFTER,
    across=tr("position in the merged order"),
)


class ComparedScene(AccessScene, Struct, frozen=True, eq=False, kw_only=True):
    """Items are accesses of both profiles, in one order."""

    merged: MergedAccesses

    @property
    def style(self) -> KindStyle:
        return STYLE

    @property
    def rows(self) -> I64:
        rows: I64 = self.merged.rows_after[self.bars.records.row]
        return rows

    def about(self, place: int, look: Look, others: int) -> str:
        own = int(self.bars.records.row[place])
        merged = self.merged
        before, after = int(merged.rows_before[own]), int(merged.rows_after[own])
        baseline = merged.comparison.before.memory_accesses
        more = tr("and {others:,} more at this pixel: zoom in to tell them apart", others=others) if others else ""
        if after < 0 and baseline is not None:
            lines = [ONLY_BASELINE.capitalize(), about(baseline, before, look.bytes_as)]
        elif before < 0 or baseline is None:
            lines = [ONLY_COMPARISON.capitalize(), about(self.section, after, look.bytes_as)]
        else:
            lines = [about(self.section, after, look.bytes_as), *self._before(before, after)]
        return "\n".join(line for line in (*lines, more) if line)

    def _before(self, before: int, after: int) -> list[str]:
        """Where the access was in the baseline."""
        baseline = self.merged.comparison.before.memory_accesses
        assert baseline is not None
        record, address = int(baseline.record[before]), int(baseline.address[before])
        same = address == int(self.section.address[after])
        where = tr("the same address") if same else f"{address:#x}"
        return [tr("Baseline: record {record:,}, {where}", record=record, where=where)]


def compared_scene(merged: MergedAccesses, wanted: Filter, *, compact: bool) -> ComparedScene:
    """The scene of the accesses of both that pass a filter, whose kinds are those of ``merged``."""
    section = merged.comparison.after.memory_accesses
    assert section is not None
    rows = chosen(merged.section, Filter(wanted.core, wanted.block_type, wanted.space, ALL))
    rows = rows[(merged.kind[rows] & wanted.kinds) > 0]
    start, size = merged.section.address[rows], merged.section.size[rows]
    end = start + np.minimum(size, TOP - start)
    axis = address_axis(start, end, compact=compact)
    records = Records(
        row=rows,
        x=rows.astype(np.float64),
        low=axis.places(start),
        high=axis.places(end),
        kind=merged.kind[rows],
        axis=axis,
        origin=0,
        width=float(max(len(merged.kind), 1)),
    )
    where = "" if wanted.space is None else tr(" to {space_name}", space_name=space_name(wanted.space))
    title = tr("Memory accesses{where} of both: address over their order", where=where)
    present = int(np.bitwise_or.reduce(merged.kind, initial=0))
    return ComparedScene(section, Bars(records), wanted, present, compact, title, merged=merged)


def summary(merged: MergedAccesses) -> str:
    """``190 in both, 3 only in the baseline, 10 only in the comparison``."""
    return tr(
        "{both:,} in both, {before:,} only in the baseline, {after:,} only in the comparison",
        both=merged.count(BIT_BOTH),
        before=merged.count(BIT_BEFORE),
        after=merged.count(BIT_AFTER),
    )


def prepared_both(
    comparison: Comparison, merged: MergedAccesses | None, wanted: Filter, compact: bool, check: Check
) -> ComparedScene | None:
    """The same scene with everything precomputed that the first frames need; ``merged``: the accesses of both, if they
    have been matched already."""
    both = merged_accesses(comparison, check) if merged is None else merged
    if both is None:
        return None
    scene = compared_scene(both, wanted, compact=compact)
    scene.bars.prepare()
    return scene
