"""Traffic that the memories do not like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend.unit_use import column
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.time.model import last_core
from app.language import plural, tr
from app.profile.arrays import Bool, among
from app.profile.ascend import OPERATIONS, SPACES, MemoryAccesses
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.profile.selection import Selection

_ALIGNMENT: Final = 32
"""Bytes: the unit in which the memories of a core are addressed; transfers that begin elsewhere are split."""
_LINE: Final = 128
"""Bytes of an access to the L2 cache (a kernel that reads 129 KiB has 1,032 reads)."""
_MOVES: Final = tuple(OPERATIONS.index(name) for name in ("MEMCPY_BLOCKS", "LOAD", "STORE"))
_MOST_LISTED: Final = 5


def _hits(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    paths = profile.memory_paths
    if paths is None:
        return NotChecked(tr("the file has no hits and misses of the L2 cache"))
    blocks = paths.blocks
    known = ~np.isnan(blocks.hit) & ~np.isnan(blocks.miss)
    hit, miss = float(blocks.hit[known].sum()), float(blocks.miss[known].sum())
    if hit + miss <= 0:
        return NotChecked(tr("the file has no hits and misses of the L2 cache"))
    rate = 100 * hit / (hit + miss)
    if rate >= thresholds.l2_hits:
        return ()
    text = sentence(
        plural(
            "Of {count:,} access, {share} hit. The first access to data always misses. Blocks that "
            "read the same data should read it close together in time, in pieces that fit.",
            "Of {count:,} accesses, {share} hit. The first access to data always misses. Blocks that "
            "read the same data should read it close together in time, in pieces that fit.",
            count=int(hit + miss),
            share=Amount(rate, "%"),
        )
    )
    evidence = (
        Evidence("memory-blocks", "", tr("hits of all blocks"), hit),
        Evidence("memory-blocks", "", tr("misses of all blocks"), miss),
    )
    cold = _cold_misses(profile)
    use = last_core(profile) if cold is not None and miss > cold else None
    severity: Severity = "warning" if use is not None and use.busiest == "MTE2" else "info"
    return (Finding(severity, tr("Low hit rate of the L2 cache"), text, evidence),)


def _cold_misses(profile: Profile) -> float | None:
    """The misses of the first access to each line that is read; None if the file does not say what it reads."""
    tables = profile.report_tables
    read = None if tables is None else column(tables, "Memory", "read_main_memory_datas(KB)")
    if read is not None and not np.isnan(read).all():
        return 1024 * float(np.nansum(read)) / _LINE
    accesses = profile.memory_accesses
    if accesses is None or not bool((loads := _moves(accesses)).any()):
        return None
    return float(accesses.size[loads].sum()) / _LINE


def _moves(accesses: MemoryAccesses) -> Bool:
    """bool[records]: transfers to or from main memory."""
    moves: Bool = among(accesses.operation, _MOVES) & (accesses.space == SPACES.index("GM"))
    return moves


def _small(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    accesses = profile.memory_accesses
    if accesses is None or not bool((moved := _moves(accesses)).any()):
        return NotChecked(tr("the file lists no transfers from or to main memory"))
    small = np.flatnonzero(moved & (accesses.size < thresholds.small_transfer))
    count, total = len(small), int(np.count_nonzero(moved))
    share = 100 * count / total
    if share < thresholds.small_transfers:
        return ()
    title = plural(
        "{count:,} of {total:,} transfers with main memory is small",
        "{count:,} of {total:,} transfers with main memory are small",
        count=count,
        total=total,
    )
    text = sentence(
        tr(
            "{share} move less than {size} each, {small} of {whole} in total. Each costs its latency, whatever its "
            "size.",
            share=Amount(share, "%"),
            size=Amount(thresholds.small_transfer, "B"),
            small=Amount(int(accesses.size[small].sum()), "B"),
            whole=Amount(int(accesses.size[moved].sum()), "B"),
        )
    )
    return (Finding("info", title, text, _records(accesses, small)),)


def _misaligned(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    accesses = profile.memory_accesses
    if accesses is None or not bool((moved := _moves(accesses)).any()):
        return NotChecked(tr("the file lists no transfers from or to main memory"))
    odd = np.flatnonzero(moved & (accesses.address % _ALIGNMENT != 0))
    total = int(np.count_nonzero(moved))
    share = 100 * len(odd) / total
    if share < thresholds.misaligned:
        return ()
    title = plural(
        "{count:,} of {total:,} transfers has an unaligned address",
        "{count:,} of {total:,} transfers have unaligned addresses",
        count=len(odd),
        total=total,
    )
    text = tr(
        "An address in main memory that is not a multiple of {alignment} bytes splits the transfer.",
        alignment=_ALIGNMENT,
    )
    return (Finding("info", title, (text,), _records(accesses, odd), confidence="estimated"),)


def _records(accesses: MemoryAccesses, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[Evidence, ...]:
    """The first of these accesses."""
    return tuple(
        Evidence(
            "memory-accesses",
            str(int(accesses.record[row])),
            tr("size at address {address}", address=f"0x{int(accesses.address[row]):x}"),
            int(accesses.size[row]),
            "B",
            Selection("access", (row,)),
        )
        for row in rows[:_MOST_LISTED].tolist()
    )


RULES: Final = (
    Rule(
        "ascend.l2-hits",
        tr("A low hit rate of the L2 cache"),
        tr(
            "Hits / (hits + misses) of all blocks. A warning only if MTE2 is the busiest pipe, and there are more "
            "misses than the first access to each line needs (bytes read / 128)."
        ),
        ("memory_paths",),
        _hits,
        ("l2_hits",),
    ),
    Rule(
        "ascend.small-transfers",
        tr("Many small transfers with main memory"),
        tr("Copies, loads and stores of main memory below a size, as a share of all."),
        ("memory_accesses",),
        _small,
        ("small_transfers", "small_transfer"),
    ),
    Rule(
        "ascend.misaligned",
        tr("Transfers at unaligned addresses of main memory"),
        tr("Copies, loads and stores whose address is not a multiple of 32 bytes, as a share of all."),
        ("memory_accesses",),
        _misaligned,
        ("misaligned",),
    ),
)
