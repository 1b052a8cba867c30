"""Bandwidth of the links between ranks, and the packets that they carry (Ascend captures, section 5)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.capture.ranks import groups_of, same_texts, sums
from app.profile.arrays import F64, I32, I64, Bool, among
from app.profile.profile import Profile
from app.profile.strings import Strings

TOTAL: Final = "total"
LOCAL: Final = "LOCAL"
"""The transport of copies within a rank, which no link carries."""
RDMA: Final = "RDMA"
SDMA: Final = ("HCCS", "PCIE", "SIO")
"""What SDMA covers; a row of SDMA itself repeats theirs."""


class LinkTotals(Struct, frozen=True, eq=False):
    """One row per rank that reports it, source, target and transport. ``rank``: row of the capture; ``source``,
    ``target``: numbers of ranks; ``transport``: text id; float64: bytes, seconds, bytes per second (NaN without
    time)."""

    strings: Strings
    rank: I32
    source: I64
    target: I64
    transport: I32
    size: F64
    time: F64
    bandwidth: F64


@np.errstate(over="ignore", invalid="ignore")
def links_of(profile: Profile) -> LinkTotals | None:
    """Sums over the totals of all types of operations, groups and steps; where a file has no totals, over what it has.
    None without a communication matrix."""
    own = profile.links
    if own is None:
        return None
    whole = among(own.selection, own.strings.find(TOTAL))
    rows = np.flatnonzero(whole) if whole.any() else np.arange(len(own))
    transport = own.transport[rows]
    same = same_texts(own.strings)[transport]
    of, first = groups_of(own.rank[rows], own.source[rows], own.target[rows], same)
    count = len(first)
    size = sums(of, np.nan_to_num(own.size[rows]), count)
    time = sums(of, np.nan_to_num(own.time[rows]), count)
    bandwidth = np.divide(size, time, out=np.full(count, np.nan), where=time > 0)
    one = rows[first]
    return LinkTotals(
        strings=own.strings,
        rank=own.rank[one],
        source=own.source[one],
        target=own.target[one],
        transport=own.transport[one],
        size=size,
        time=time,
        bandwidth=bandwidth,
    )


def carried_by(profile: Profile, *transports: str) -> Bool:
    """bool[packets]: those of these ``transports``."""
    own = profile.packets
    if own is None:
        return np.zeros(0, np.bool_)
    chosen = np.zeros(len(own), np.bool_)
    for transport in transports:
        chosen |= among(own.transport, own.strings.find(transport))
    return chosen


def by_sdma(profile: Profile) -> Bool:
    """bool[packets]: what SDMA carried: the rows of HCCS, PCIE and SIO, else those of SDMA itself."""
    parts = carried_by(profile, *SDMA)
    own = profile.packets
    if own is None:
        return parts
    detailed = bool((own.count[parts] > 0).any())
    return parts if detailed else carried_by(profile, "SDMA")
