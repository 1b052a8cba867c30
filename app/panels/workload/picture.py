"""Bars of one block's compute units, alone or beside a baseline, and which blocks can be compared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from app.analysis.ascend import workload as view
from app.analysis.ascend.workload import MEAN, Share, block_shares, blocks
from app.analysis.compare.operators import ComparedShare, compared_shares
from app.language import tr
from app.panels.spec import chart_plot
from app.profile.profile import Profile
from app.views.chart.bars import BarsPicture, NamedBar, bars_picture
from app.views.colours import sub_block_colour
from app.views.units import change, cycles_and_time, exact, percent, plain

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


def block_name(block: str) -> str:
    """``block 3``; a description if it is not a single block."""
    if block == MEAN:
        return tr("mean of the cores")
    return tr("block {block}", block=block) if block else tr("block without an id")


def picture_of(profile: Profile, block: str, comparison: Comparison | None = None) -> tuple[BarsPicture, list[Share]]:
    """(a bar per compute unit, of 100 %; the share that each shows)."""
    title = tr("Pipe utilisation, {block_name}", block_name=block_name(block))
    before = None if comparison is None else comparison.before
    if comparison is None:
        pairs = [ComparedShare(None, share) for share in block_shares(profile, block)]
    else:
        pairs = compared_shares(comparison.baseline, profile, block)
        title = tr("{title} (narrower bars below: baseline)", title=title)
    bars = tuple(_bar(pair, profile, before) for pair in pairs)
    return bars_picture(title, "%", bars, 100.0), [pair.shown for pair in pairs]


def _bar(pair: ComparedShare, profile: Profile, baseline: Profile | None) -> NamedBar:
    shown, old, new = pair.shown, pair.before, pair.after
    lines = [_named(shown), tr("only in the baseline") if new is None else _about(new, profile)]
    before, after = None, float("nan") if new is None else new.percent
    if baseline is not None:
        before = float("nan") if old is None else old.percent
        lines.append(
            tr("only in the comparison") if old is None else tr("Baseline: {about}", about=_about(old, baseline))
        )
        if before == before and after == after:
            lines.append(tr("Difference: {difference}", difference=change(after - before, "%")))
        if old is not None and new is not None and old.cycles == old.cycles and new.cycles == new.cycles:
            lines.append(tr("Difference: {difference}", difference=change(new.cycles - old.cycles, "cycles")))
    return NamedBar(shown.name, shown.sub_block, after, sub_block_colour(shown.sub_block), "\n".join(lines), before)


def _named(share: Share) -> str:
    """The computing unit and its sub-block."""
    return f"{share.name}, {share.sub_block}" if share.sub_block else share.name


def _about(share: Share, profile: Profile) -> str:
    """The share of the cycles, and these."""
    lines: list[str] = []
    clock = None if profile.target is None else profile.target.clock_hz
    known = share.percent == share.percent
    full = f" ({exact(share.percent, '%')})" if known and round(share.percent, 1) != share.percent else ""
    lines.append(
        tr(
            "{percent} of the cycles of {sub_block}{full}",
            percent=percent(share.percent),
            sub_block=share.sub_block or tr("its block"),
            full=full,
        )
        if known
        else tr("no data")
    )
    if share.cycles == share.cycles:
        of = tr(" of {total}", total=plain(share.total)) if share.total == share.total else ""
        lines.append(tr("Cycles: {cycles_and_time}{of}", cycles_and_time=cycles_and_time(share.cycles, clock), of=of))
    return "\n".join(lines)


def parts_of(profile: Profile, block: str, comparison: Comparison | None = None) -> list[str]:
    """The sub-blocks of a block: those of the profile, then those that only the baseline has."""
    sides = (profile,) if comparison is None else (profile, comparison.baseline)
    return list(dict.fromkeys(part.sub_block for side in sides for part in view.tables(side, block)))


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


PLOTS = (
    chart_plot(
        "pipe-utilisation",
        tr("Pipe utilisation"),
        lambda profile: any(block_shares(profile, block) for block in blocks(profile)[:1]),
        lambda profile: picture_of(profile, blocks(profile)[0])[0],
    ),
)
