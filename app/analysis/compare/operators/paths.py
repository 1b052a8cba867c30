"""The memory paths of a block of two profiles."""

from __future__ import annotations

from msgspec.structs import replace

from app.analysis.ascend.diagram.figures import BaselineFigures, BlockFigures, figures_of
from app.analysis.compare.operators.named import pairs_by_name
from app.language import tr
from app.profile.ascend import MemoryPaths
from app.profile.profile import Profile

MOST_NAMED = 12


def compared_figures(
    before: MemoryPaths | None, after: MemoryPaths, entry: int, *, show_all: bool = False
) -> BlockFigures:
    """The figures of row ``entry`` of the blocks after, with those of the block of the same id and type in the
    baseline."""
    own = figures_of(after, entry, show_all=show_all)
    place = entry_before(before, after, entry)
    if before is None or place < 0:
        return replace(own, baseline=BaselineFigures("", {}, {}))
    other = figures_of(before, place, show_all=True)
    paths = {path.path: path for path in (*other.elsewhere[::-1], *other.shown.values())}
    return replace(own, baseline=BaselineFigures(other.block, paths, other.boxes))


def entry_before(before: MemoryPaths | None, after: MemoryPaths, entry: int) -> int:
    """The row of the baseline's blocks for a row of those after; -1 none."""
    if before is None:
        return -1
    own, other = pairs_by_name(_blocks(before), _blocks(after))
    return next((first for first, second in zip(own.tolist(), other.tolist(), strict=True) if second == entry), -1)


def not_compared(before: Profile, after: Profile, entry: int) -> list[str]:
    """Which blocks only one side has: one sentence each."""
    if after.memory_paths is None:
        return []
    if before.memory_paths is None:
        return [tr("The baseline has no memory paths.")]
    reasons: list[str] = []
    own, other = _blocks(before.memory_paths), _blocks(after.memory_paths)
    if entry_before(before.memory_paths, after.memory_paths, entry) < 0:
        block, kind = other[entry]
        reasons.append(tr("The baseline has no block {block} of type {kind}.", block=block, kind=kind))
    first, second = pairs_by_name(own, other)
    alone = [" ".join(own[row]) for row, partner in zip(first.tolist(), second.tolist(), strict=True) if partner < 0]
    if alone:
        more = [tr("{count:,} more", count=len(alone) - MOST_NAMED)] if len(alone) > MOST_NAMED else []
        reasons.append(tr("Blocks only in the baseline: {names}.", names=", ".join([*alone[:MOST_NAMED], *more])))
    return reasons


def _blocks(paths: MemoryPaths) -> list[tuple[str, str]]:
    """(id, type) of each block."""
    blocks = paths.blocks
    return [
        (paths.strings.get(block), paths.strings.get(kind))
        for block, kind in zip(blocks.block.tolist(), blocks.operator_type.tolist(), strict=True)
    ]
