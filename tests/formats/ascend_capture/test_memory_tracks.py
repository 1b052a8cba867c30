"""The memory of a rank as counters of its timeline."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_capture.timelines import with_memory
from app.profile.ascend_capture import MemoryRecord
from app.profile.strings import Strings
from app.profile.timeline import Timeline
from generators.timelines import counter, timeline

BEGIN = 1_700_000_000_000_000_000
LINE = replace(timeline([("CANN", "1", [[(0.0, 10.0, "ADD", "")]])]), origin=Decimal(BEGIN) / 1000)


def record(*rows: tuple[int, int, int, int, int]) -> MemoryRecord:
    """Rows of component, time after BEGIN, allocated, reserved, active."""
    component, time, *amounts = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    names = Strings.of(["PTA", "PTA+GE", "APP"])
    return MemoryRecord(names, np.zeros(len(time), np.int32), component.astype(np.int32), BEGIN + time, *amounts)


def tracks(line: Timeline) -> dict[str, list[tuple[float, float]]]:
    counters, text = line.counters, line.strings
    bounds = list(zip(counters.first[:-1].tolist(), counters.first[1:].tolist(), strict=True))
    return {
        f"{text.get(process)}/{text.get(name)}/{text.get(series)}": list(
            zip(counters.time[a:b].tolist(), counters.value[a:b].tolist(), strict=True)
        )
        for process, name, series, (a, b) in zip(
            counters.process.tolist(), counters.name.tolist(), counters.series.tolist(), bounds, strict=True
        )
    }


def test_each_amount_is_a_track_in_the_time_of_the_timeline() -> None:
    """What was not measured, and the sum of other components, has none; times are sorted."""
    rows = ((0, 5_000, 20, 30, -1), (0, 2_000, 10, 30, -1), (1, 2_000, 99, 99, 99), (2, 1_500, -1, 70, -1))
    assert tracks(with_memory(LINE, record(*rows))) == {
        "Memory/PTA allocated/B": [(2.0, 10.0), (5.0, 20.0)],
        "Memory/PTA reserved/B": [(2.0, 30.0), (5.0, 30.0)],
        "Memory/APP reserved/B": [(1.5, 70.0)],
    }


def test_tracks_of_the_trace_stay_and_cycles_get_none() -> None:
    own = replace(LINE, counters=counter(0, 1, np.array([1.0]), np.array([7.0])))
    made = tracks(with_memory(own, record((0, 0, 1, -1, -1))))
    assert list(made.values()) == [[(1.0, 7.0)], [(0.0, 1.0)]]
    cycles = replace(LINE, unit="cycles", seconds_per_unit=None)
    assert with_memory(cycles, record((0, 0, 1, 1, 1))) is cycles
    assert with_memory(LINE, record((0, 0, -1, -1, -1))) is LINE
