"""A flame graph of differences as a timeline whose axis is cycles, and what it says of a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tables import ONLY_AFTER, ONLY_BEFORE
from app.analysis.compare.timelines import at_start
from app.analysis.compare.trees import FlameDifferences, TreeDifferences, flame_differences, tree_differences
from app.analysis.table import Coded, Table
from app.analysis.trees import Hierarchy, StepTree, step_tree
from app.language import tr
from app.profile.arrays import F64, I32, I64, among, sealed
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Interner
from app.profile.timeline import Lanes, Slices, Timeline
from app.views.units import NO_DATA, change, cycles_and_time, percent_change

MEASURE: Final = "cycles"
STEPS: Final = (0.02, 0.10, 0.30)
"""Changes from which on a colour is stronger."""
CLASSES: Final[tuple[tuple[str, float], ...]] = (
    (tr("shorter by more than 30 %"), -1.0),
    (tr("shorter by 10 to 30 %"), -0.7),
    (tr("shorter by 2 to 10 %"), -0.45),
    (tr("shorter by up to 2 %"), -0.2),
    (tr("the same"), 0.0),
    (tr("longer by up to 2 %"), 0.2),
    (tr("longer by 2 to 10 %"), 0.45),
    (tr("longer by 10 to 30 %"), 0.7),
    (tr("longer by more than 30 %"), 1.0),
)
SAME: Final = len(STEPS) + 1
LEAST_NUMBERED: Final = 2e-4
"""Share of the whole from which on a frame is wide enough for numbers in its label."""


class DifferenceFrames(Struct, frozen=True, eq=False):
    """``flame``: the frames; ``timeline``: the same as slices; ``differences``: of the trees of names; ``tree``: that
    of the comparison, None without steps; ``baseline``: whether the widths are those of the baseline."""

    flame: FlameDifferences
    timeline: Timeline
    differences: TreeDifferences
    tree: StepTree | None
    names: Coded
    clock_hz: float | None
    baseline: bool

    def node(self, frame: int) -> int:
        """The item of the comparison's tree that a frame stands for; -1 where only the baseline has it."""
        compared, item = self.differences.compared, int(self.flame.item[frame])
        return int((compared.rows_before if self.baseline else compared.rows_after)[item])

    def frames_of(self, nodes: I64) -> I64:
        """int64, rising: the frames of items of the comparison's tree."""
        compared = self.differences.compared
        rows = compared.rows_before if self.baseline else compared.rows_after
        return np.flatnonzero(among(rows[self.flame.item], nodes[nodes >= 0])).astype(np.int64)

    def about(self, frame: int) -> list[str]:
        """The name of a frame, and both figures."""
        flame = self.flame
        name = self.names.strings.get(int(self.names.ids[flame.item[frame]]))
        before, after = float(flame.before[frame]), float(flame.after[frame])
        lines: list[str] = [name]
        if flame.status[frame] == ONLY_BEFORE:
            lines.append(tr("only in the baseline: {amount}", amount=_amount(before, self.clock_hz)))
        elif flame.status[frame] == ONLY_AFTER:
            lines.append(tr("only in the comparison: {amount}", amount=_amount(after, self.clock_hz)))
        else:
            lines.append(tr("before {amount}", amount=_amount(before, self.clock_hz)))
            lines.append(tr("after {amount}", amount=_amount(after, self.clock_hz)))
            lines.append(tr("difference {change}", change=_change(before, after)))
        return lines


def difference_frames(
    comparison: Comparison, stretch: TimeRange | None, *, baseline: bool, check: Callable[[], None]
) -> DifferenceFrames | None:
    """The flame graph of the steps' names of two profiles; None without steps on either side. ``stretch``: only steps
    in this range of the comparison, and in that of the baseline which is as far from its start."""
    trees = [step_tree(comparison.before, baseline_range(comparison, stretch)), step_tree(comparison.after, stretch)]
    before, after = trees
    check()
    if before is None or after is None:
        return None
    if baseline:
        differences = tree_differences(comparison.swapped(), after.hierarchy, before.hierarchy, check)
    else:
        differences = tree_differences(comparison, before.hierarchy, after.hierarchy, check)
    flame = flame_differences(differences, MEASURE, baseline=baseline)
    check()
    names = next(column.values for column in differences.table_of_all.columns if column.key == "name")
    assert isinstance(names, Coded)
    target = comparison.after.target
    clock = None if target is None else target.clock_hz
    return DifferenceFrames(flame, _timeline(flame, names, clock), differences, after, names, clock, baseline)


def baseline_range(comparison: Comparison, stretch: TimeRange | None) -> TimeRange | None:
    """The range of the baseline that is as far from its start as ``stretch`` from that of the comparison."""
    before, after = comparison.before.timeline, comparison.after.timeline
    time_map = None if before is None or after is None else at_start(before, after)
    return stretch if stretch is None or time_map is None else time_map.range_before(stretch)


def table_range(comparison: Comparison | None, stretch: TimeRange | None, profile: Profile) -> TimeRange | None:
    """The range of one of the two profiles."""
    if comparison is None or profile.steps is not comparison.before.steps:
        return stretch
    return baseline_range(comparison, stretch)


def table_of(
    make: Callable[[Profile, TimeRange | None], Table | None],
    comparison: Comparison | None,
    stretch: TimeRange | None,
    profile: Profile,
) -> Table | None:
    """A table of the steps in the range of one of the two profiles."""
    return make(profile, table_range(comparison, stretch, profile))


def tree_of(comparison: Comparison, stretch: TimeRange | None, profile: Profile) -> Hierarchy | None:
    """The tree of step names in the range of one of the two profiles."""
    tree = step_tree(profile, table_range(comparison, stretch, profile))
    return None if tree is None else tree.hierarchy


def classes(flame: FlameDifferences) -> I64:
    """int64: which of CLASSES each frame belongs to."""
    difference = np.nan_to_num(flame.difference)
    base = np.where(flame.before > 0, flame.before, np.abs(difference) + (difference == 0))
    share = np.where(flame.status == ONLY_AFTER, 1.0, np.where(flame.status == ONLY_BEFORE, -1.0, difference / base))
    size = np.searchsorted(np.array(STEPS), np.abs(share), "right") + 1
    return SAME + np.where(difference == 0, 0, np.sign(share).astype(np.int64) * size)


def _timeline(flame: FlameDifferences, names: Coded, clock_hz: float | None) -> Timeline:
    """A lane with a row for each level."""
    ids = Interner()
    whole = float(flame.width[: flame.first[1]].sum()) if len(flame) else 0.0
    labels = [ids(text) for text in _labels(flame, names, LEAST_NUMBERED * whole)]
    kinds: I32 = np.array([ids(text) for text, _ in CLASSES], np.int32)
    process, lane = ids(tr("Steps")), ids(tr("By name"))
    count = len(flame)
    return Timeline(
        unit="cycles",
        seconds_per_unit=1 / clock_hz if clock_hz else None,
        strings=ids.strings(),
        lanes=Lanes(
            process=sealed(np.array([process], np.int32)),
            thread=sealed(np.array([lane], np.int32)),
            first_row=sealed(np.array([0, len(flame.first) - 1], np.int32)),
        ),
        slices=Slices(
            start=flame.left,
            duration=flame.width,
            name=sealed(np.array(labels, np.int32)),
            category=sealed(kinds[classes(flame)]),
            record=sealed(np.full(count, -1, np.int64)),
            address=sealed(np.full(count, -1, np.int64)),
            first=flame.first,
        ),
    )


def _labels(flame: FlameDifferences, names: Coded, least: float) -> list[str]:
    """The names, of frames that are wide enough with their change."""
    texts = names.strings.tolist()
    own = [texts[number] if 0 <= number < len(texts) else "" for number in names.ids[flame.item].tolist()]
    for frame in np.flatnonzero(flame.width >= least).tolist():
        status = flame.status[frame]
        if status == ONLY_BEFORE:
            beside: str = tr("only in the baseline")
        elif status == ONLY_AFTER:
            beside = tr("only in the comparison")
        else:
            beside = _change(float(flame.before[frame]), float(flame.after[frame]))
        own[frame] = f"{own[frame]}  {beside}"
    return own


def _amount(value: F64 | float, clock_hz: float | None) -> str:
    amount = float(value)
    return NO_DATA if amount != amount else cycles_and_time(round(amount), clock_hz)


def _change(before: float, after: float) -> str:
    """The difference in percent and in cycles."""
    if before != before or after != after:
        return NO_DATA
    difference = after - before
    amount = change(round(difference), "cycles")
    if not before or not difference:
        return amount
    return f"{percent_change(difference, before)} ({amount})"
