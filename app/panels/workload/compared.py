"""The compute workload of two profiles. Imported only with a baseline."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.analysis.ascend import workload as view
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators.shares import ComparedShare
from app.language import tr
from app.panels.workload.picture import about, named, title_of
from app.profile.profile import Profile
from app.views.chart.bars import BarsPicture, NamedBar, bars_picture
from app.views.colours import sub_block_colour
from app.views.units import change

NAN = float("nan")


def compared_picture(shares: Sequence[ComparedShare], block: str, comparison: Comparison) -> BarsPicture:
    """A bar of each side per computing unit, of 100 %."""
    clocks = _clock(comparison.before), _clock(comparison.after)
    bars = tuple(_bar(share, clocks) for share in shares)
    title = tr("{title} (narrower bars below: baseline)", title=title_of(block))
    return bars_picture(title, "%", bars, 100.0)


def parts_of(comparison: Comparison, block: str) -> list[str]:
    """The sub-blocks of a block: those after, then those that only the baseline has."""
    sides = (view.tables(profile, block) for profile in (comparison.after, comparison.baseline))
    return list(dict.fromkeys(part.sub_block for tables in sides for part in tables))


def with_sides(titles: list[str], blocks: Sequence[str], after: Collection[str], before: Collection[str]) -> list[str]:
    """The titles of blocks; those that only one side has say so."""
    own, other = set(after), set(before)
    return [
        tr("{title} (only in the baseline)", title=title)
        if block not in own
        else tr("{title} (only in the comparison)", title=title)
        if block not in other
        else title
        for title, block in zip(titles, blocks, strict=True)
    ]


def not_compared(comparison: Comparison, block: str) -> list[str]:
    """Why a block has figures of one side only."""
    if comparison.before.workload is None:
        return [tr("The baseline has no compute workload.")]
    sides = [block in view.block_ids(profile) for profile in (comparison.baseline, comparison.after)]
    if all(sides):
        return []
    if sides[1]:
        return [tr("This block is only in the comparison: it has no baseline.")]
    return [tr("This block is only in the baseline.")]


def _bar(share: ComparedShare, clocks: tuple[float | None, float | None]) -> NamedBar:
    shown, old, new = share.shown, share.before, share.after
    before, after = NAN if old is None else old.percent, NAN if new is None else new.percent
    lines: list[str] = [
        named(shown),
        tr("only in the baseline") if new is None else about(new, clocks[1]),
        tr("only in the comparison") if old is None else tr("Baseline: {about}", about=about(old, clocks[0])),
    ]
    if before == before and after == after:
        lines.append(tr("Difference: {difference}", difference=change(after - before, "%")))
    if old is not None and new is not None and old.cycles == old.cycles and new.cycles == new.cycles:
        lines.append(tr("Difference: {difference}", difference=change(new.cycles - old.cycles, "cycles")))
    return NamedBar(shown.name, shown.sub_block, after, sub_block_colour(shown.sub_block), "\n".join(lines), before)


def _clock(profile: Profile) -> float | None:
    return profile.target.clock_hz if profile.target is not None else None
