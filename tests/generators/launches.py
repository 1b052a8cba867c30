"""Traces of a host that launches kernels on the streams of a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from app.profile.arrays import sealed
from app.profile.timeline import Flows, Timeline
from generators.timelines import timeline

HOST, DEVICE = "python (1) [CPU]", "python (0) [GPU 0]"

Slices = Sequence[tuple[float, float, str]]
"""(start, duration, name), by start."""


def launching(host: Slices, streams: Mapping[str, Slices], arrows: Sequence[tuple[int, str, int]]) -> Timeline:
    """``arrows``: (number of the slice of the host, stream, number of its slice). They begin with the host's slice."""
    rows = [(HOST, "thread 1", [_row(host)]), *((DEVICE, lane, [_row(own)]) for lane, own in streams.items())]
    line = replace(timeline(rows), basis="trace")
    names = list(streams)
    first = dict(zip(names, np.cumsum([len(host), *map(len, streams.values())]).tolist(), strict=False))
    count = len(arrows)
    return replace(
        line,
        flows=Flows(
            sealed(np.full(count, -1, np.int32)),
            sealed(np.array([host[one][0] for one, _, _ in arrows])),
            sealed(np.zeros(count, np.int32)),
            sealed(np.array([one for one, _, _ in arrows], np.int64)),
            sealed(np.array([streams[lane][two][0] for _, lane, two in arrows])),
            sealed(np.array([1 + names.index(lane) for _, lane, _ in arrows], np.int32)),
            sealed(np.array([first[lane] + two for _, lane, two in arrows], np.int64)),
        ),
    )


def _row(slices: Slices) -> list[tuple[float, float, str, str]]:
    return [(start, duration, name, "") for start, duration, name in slices]
