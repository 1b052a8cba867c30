"""How the pipes of the core that ends last share its time: by the timeline, else by the sums of its block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from app.analysis.ascend.sub_cores import LastCore, last_of
from app.analysis.checks.task_length import longer
from app.analysis.time.floors import Floor, at_most
from app.analysis.time.model import Bound, CoreTime, bound_by, time_model
from app.analysis.timeline.pipes import has_pipes
from app.language import tr
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item


class CoreUse(Struct, frozen=True, eq=False):
    """``name``: of the core; ``span``, ``work`` and ``wait`` (by pipe) in ``unit``, work without waiting; ``floor``:
    the least that remains; ``core``: the core of the timeline, None where only sums are known; ``table``, ``key`` and
    ``selection``: where its figures are."""

    name: str
    unit: Literal["s", "cycles"]
    span: float
    work: Mapping[str, float]
    floor: Floor
    table: str
    key: str
    selection: Selection | None
    wait: Mapping[str, float] = {}
    core: CoreTime | None = None

    @property
    def at_most(self) -> float:
        """What better scheduling can save at most."""
        return at_most(self.span, self.floor.value)

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """The pipes that work, with their work, the busiest first."""
        return sorted(((pipe, time) for pipe, time in self.work.items() if time > 0), key=lambda pair: -pair[1])

    @property
    def busiest(self) -> str:
        return self.ordered[0][0]

    @property
    def share(self) -> float:
        """Of the span in which the busiest pipe works, 0..1."""
        return self.ordered[0][1] / self.span

    @property
    def bound(self) -> Bound:
        return bound_by(self.share)


def last_core(profile: Profile) -> CoreUse | None:
    """None if the file does not say how long pipes work. A timeline that is longer than its operator contradicts it:
    then the sums of the blocks are used, if there are any. It may take seconds for a large timeline."""
    line = profile.timeline
    if line is None or not has_pipes(line):
        return _of_block(last_of(profile))
    sums = _of_block(last_of(profile)) if longer(profile) is not None else None
    return sums or _of_timeline(time_model(profile).longest, line.seconds_per_unit)


def _of_timeline(core: CoreTime | None, seconds: float | None) -> CoreUse | None:
    if core is None or not core.busiest[1] > 0:
        return None
    scale = 1.0 if seconds is None else seconds
    work = {pipe: scale * time for pipe, time in core.work.items()}
    own = core.floor
    floor = Floor(scale * own.value, own.by, scale * own.head, scale * own.own, scale * own.tail)
    lane = core.lanes.lanes[core.busiest[0]][0]
    unit: Literal["s", "cycles"] = "cycles" if seconds is None else "s"
    return CoreUse(
        core.name, unit, scale * core.span, work, floor, "lanes", core.name, Selection("lane", (lane,)), core=core
    )


def _of_block(last: LastCore | None) -> CoreUse | None:
    """Its pipes may work at once, so the busiest is all that is known of the least that remains."""
    if last is None:
        return None
    block = int(last.own.block[last.row])
    name = tr("{core} of block {block}", block=block, core=last.own.title)
    pipe, own = max(last.work.items(), key=lambda pair: pair[1])
    return CoreUse(
        name,
        last.unit,
        last.span,
        last.work,
        Floor(own, pipe, own=own),
        last.own.table,
        str(block),
        selected_item("block", block),
        last.wait,
    )
