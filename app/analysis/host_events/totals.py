"""Totals over all events: counts, seconds of compilation, bytes in each direction, and by tensor."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.spread import Spread, spread
from app.profile.arrays import F64, I32, I64
from app.profile.tensorflow import (
    COMPILATION_REPORT,
    COMPILE_END,
    EXECUTION_REPORT,
    FROM_DEVICE,
    TO_DEVICE,
    HostEvents,
    event_type,
)

DIRECTIONS = (TO_DEVICE, FROM_DEVICE)


class TensorTraffic(Struct, frozen=True, eq=False):
    """One row for each tensor and direction, most bytes first. ``direction``: int32 type of the transfers; ``name``:
    int32 text id, -1 none; ``transfers``: int64; ``bytes``: int64; ``unknown``: int64, transfers that do not state its
    bytes; ``each``: statistics of the bytes of one transfer, over those that state them."""

    direction: I32
    name: I32
    transfers: I64
    bytes: I64
    unknown: I64
    each: Spread

    def __len__(self) -> int:
        return len(self.name)


def counts(events: HostEvents) -> dict[str, int]:
    """Number of events by the name of their type, only types that occur."""
    kinds, numbers = np.unique(events.type, return_counts=True)
    return {event_type(kind): count for kind, count in zip(kinds.tolist(), numbers.tolist(), strict=True)}


def compile_seconds(events: HostEvents) -> F64:
    """float64[events]: seconds that a COMPILE_END states, else those since its COMPILE_BEGIN; NaN for other events."""
    since = np.where(events.begin >= 0, events.time - events.starts(), np.nan)
    seconds = np.where(np.isnan(events.duration), since, events.duration)
    return np.where(events.type == COMPILE_END, seconds, np.nan)


def bytes_moved(events: HostEvents, direction: int) -> int | None:
    """Sum of the bytes that transfers of a direction state; None where none does."""
    stated = events.bytes[(events.type == direction) & (events.bytes >= 0)]
    return sum(stated.tolist()) if len(stated) else None


def reports(events: HostEvents) -> I64:
    """Rows of ``attached`` that are compilation or execution reports (or the paths of such)."""
    return np.flatnonzero(np.isin(events.attached.role, (COMPILATION_REPORT, EXECUTION_REPORT))).astype(np.int64)


def traffic(events: HostEvents) -> TensorTraffic:
    """The traffic of all transfers by tensor name and direction."""
    direction = events.type[events.tensors.event]
    keys = np.stack((direction, events.tensors.name), axis=1)
    pairs, of = np.unique(keys, axis=0, return_inverse=True)
    of, size = of.reshape(-1), events.tensors.bytes
    known = size >= 0
    moved = np.bincount(of[known], size[known].astype(np.float64), minlength=len(pairs))
    total = np.minimum(moved, 2.0**62).astype(np.int64)
    order = np.argsort(-total, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return TensorTraffic(
        direction=pairs[order, 0].astype(np.int32),
        name=pairs[order, 1].astype(np.int32),
        transfers=np.bincount(of, minlength=len(pairs))[order].astype(np.int64),
        bytes=total[order],
        unknown=np.bincount(of[~known], minlength=len(pairs))[order].astype(np.int64),
        each=spread(place[of[known]], size[known], len(pairs)),
    )
