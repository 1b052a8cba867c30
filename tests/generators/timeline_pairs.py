"""Pairs of timelines of which the second has planted changes."""

from __future__ import annotations

from app.profile.profile import Origin, Profile
from app.profile.timeline import Timeline, TimeUnit
from generators.timelines import LaneRows, timeline

Row = tuple[float, float, str, str]
NAMES = ("load", "mmad", "add", "store")


def lanes(slices: int = 12, *, count: int = 3) -> list[tuple[str, str, list[list[Row]]]]:
    """``count`` lanes with one row of ``slices`` each: 8 long, 10 apart, beginning at 100."""
    return [
        (
            "core0",
            f"lane{lane}",
            [[(100.0 + 10 * at, 8.0, NAMES[(at + lane) % len(NAMES)], "") for at in range(slices)]],
        )
        for lane in range(count)
    ]


def slower(lane: int, at: int, *, share: float = 0.1) -> LaneRows:
    """One slice of a lane takes longer, and all later ones of that lane begin later."""
    made = lanes()
    row = made[lane][2][0]
    late = row[at][1] * share
    row[at] = (row[at][0], row[at][1] + late, *row[at][2:])
    row[at + 1 :] = [(start + late, *others) for start, *others in row[at + 1 :]]  # type: ignore[misc]
    return made


def dropped(lane: int) -> LaneRows:
    """One lane is not there."""
    made = lanes()
    del made[lane]
    return made


def inserted(lane: int, at: int, *, name: str = "extra") -> LaneRows:
    """One slice more, between two others."""
    made = lanes()
    made[lane][2][0].insert(at, (100.0 + 10 * at - 1.5, 1.0, name, ""))
    return made


def profile(rows: LaneRows, name: str = "made up", *, unit: TimeUnit = "µs", seconds: float | None = 1e-6) -> Profile:
    """A profile with that timeline."""
    return of(timeline(rows, unit=unit, seconds_per_unit=seconds), name)


def of(line: Timeline, name: str = "made up") -> Profile:
    return Profile(name=name, origin=Origin("ascend-trace", ()), timeline=line)
