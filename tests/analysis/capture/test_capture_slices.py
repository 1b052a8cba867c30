"""A kernel leads to its slice by rank, stream, name and start, and back."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from msgspec.structs import replace

from app.analysis.capture.slices import NEAR, collective_slices, kernel_slices
from app.analysis.kinds import KINDS
from app.analysis.relations import translate
from app.analysis.tables import by_id
from app.profile.profile import Profile
from app.profile.selection import Selection
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Operation
from generators.timelines import LaneRows, timeline

HARDWARE = "Ascend Hardware"


def at(lanes: LaneRows, profile: Profile) -> Profile:
    """``profile`` with a timeline in µs whose zero is that of the capture."""
    return profile.with_section(replace(timeline(lanes), origin=Decimal(made.ZERO) / 1000))


def test_names_and_streams_decide_not_time_alone() -> None:
    lanes = [
        ("CANN", "Stream 2", [[(1.0, 1.0, "add_0", "")]]),
        ("Ascend Hardware2", "Stream 2", [[(1.0, 1.0, "add_0", "")]]),
        (HARDWARE, "Stream 2", [[(1.0, 1.0, "other", ""), (2.001, 1.0, "add_0", "")]]),
        (f"{HARDWARE} [NPU]", "Stream 3", [[(1.0005, 1.0, "add_0", ""), (9.0, 1.0, "add_0", "")]]),
    ]
    kernels = [Kernel(1000, 5), Kernel(1001, 5, stream=3), Kernel(2000, 5), Kernel(8000, 5, stream=3), Kernel(9, 5)]
    assert kernel_slices(at(lanes, made.profile(kernels))).tolist() == [-1, 4, 3, -1, -1]


def test_of_two_slices_the_nearest_is_taken() -> None:
    lanes = [(HARDWARE, "Stream 2", [[(0.998, 0.001, "add_0", ""), (1.001, 0.5, "add_0", "")]])]
    assert kernel_slices(at(lanes, made.profile([Kernel(1000, 5)]))).tolist() == [1]
    assert NEAR == 2.0


def test_ranks_have_lanes_of_their_own() -> None:
    lanes = [(f"Rank {rank} · {HARDWARE}", "Stream 2", [[(1.0, 1.0, "add_0", "")]]) for rank in (7, 4, 5)]
    profile = at(lanes, made.profile([Kernel(1000, 5, 0), Kernel(1000, 5, 1), Kernel(1000, 5, 2)], ranks=(4, 7, 9)))
    assert kernel_slices(profile).tolist() == [1, 0, -1]


def test_collectives_lead_to_the_lane_of_their_group() -> None:
    name = "hcom_allReduce__123_0_1"
    lanes = [
        (HARDWARE, "Stream 2", [[(1.0, 1.0, name, "")]]),
        ("HCCL", "Plane 0", [[(1.0, 1.0, name, "")]]),
        ("Communication", "Group 0 Communication", [[(1.0, 1.0, name, "")]]),
    ]
    profile = at(lanes, made.profile(operations=[Operation(1000, 2000)]))
    assert collective_slices(profile).tolist() == [2]
    assert translate(profile, Selection("collective", (0,)), "slice").tolist() == [2]
    assert translate(profile, Selection("slice", (2,)), "collective").tolist() == [0]


def test_selections_lead_from_the_table_to_the_timeline_and_back() -> None:
    lanes = [(HARDWARE, "Stream 2", [[(float(start), 0.5, "add_0", "") for start in range(1, 9)]])]
    kernels = [Kernel(start * 1000, 500) for start in (3, 1, 8)]
    profile = at(lanes, made.profile(kernels))
    assert translate(profile, Selection("kernel", (0, 2)), "slice").tolist() == [2, 7]
    assert translate(profile, Selection("slice", (0, 1, 2)), "kernel").tolist() == [0, 1]
    table = by_id(profile, "kernels")
    assert table is not None
    assert table.selects == "kernel"
    assert KINDS["kernel"].name(profile, 1) == "add_0"


def test_many_kernels_are_joined_like_one_by_one() -> None:
    rng = np.random.default_rng(3)
    starts = np.cumsum(rng.integers(1, 6, 400)).tolist()
    names = [f"k{number}" for number in rng.integers(3, size=400).tolist()]
    streams = rng.integers(1, 4, 400).tolist()
    lanes = []
    for stream in (1, 2, 3):
        rows = [
            ((start + int(rng.integers(-1, 2))) / 1000, 0.0005, name, "")
            for start, name, own in zip(starts, names, streams, strict=True)
            if own == stream
        ]
        lanes.append((HARDWARE, f"Stream {stream}", [sorted(rows)]))
    kernels = [
        Kernel(start, 1, name=name, stream=stream) for start, name, stream in zip(starts, names, streams, strict=True)
    ]
    profile = at(lanes, made.profile(kernels))
    line = profile.timeline
    assert line is not None
    flat = [
        (stream, row[2], row[0] * 1000) for stream, lane in zip((1, 2, 3), lanes, strict=True) for row in lane[2][0]
    ]
    for kernel, found in zip(kernels, kernel_slices(profile).tolist(), strict=True):
        near = [
            abs(start - kernel.start)
            for stream, name, start in flat
            if (stream, name) == (kernel.stream, kernel.name) and abs(start - kernel.start) <= NEAR
        ]
        assert flat[found][:2] == (kernel.stream, kernel.name)
        assert round(abs(flat[found][2] - kernel.start), 6) == round(min(near), 6)


def test_tables_count_from_where_the_timeline_does() -> None:
    lanes = [(HARDWARE, "Stream 2", [[(0.0, 1.0, "add_0", "")]])]
    profile = at(lanes, made.profile([Kernel(2500, 5)], memory_record=made.memory_of([("PTA", -500, 1, 2, -1)])))
    starts = by_id(profile, "kernels"), by_id(profile, "memory-record")
    assert [
        table.columns[place].value(0) for table, place in zip(starts, (7, 2), strict=True) if table is not None
    ] == [
        2500e-9,
        -500e-9,
    ]
