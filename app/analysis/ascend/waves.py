"""In how many waves the blocks of an operator run, and how long a perfect packing of them would take."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend import durations
from app.analysis.ascend.cores import VECTOR_CORES, ai_cores
from app.language import tr
from app.profile.ascend import Operator

CORE_WORDS: Final[dict[str, str]] = {
    "cube": tr("AI cores"),
    "mix": tr("AI cores"),
    "aicore": tr("AI cores"),
    "vector": tr("vector cores"),
}
"""The cores that the blocks of each operator type run on."""


class Packing(Struct, frozen=True):
    """Durations in µs: ``work`` of all blocks together, ``longest`` of a single one, and ``perfect``, the least that
    these blocks can take on the cores: max(longest, work / cores). A block takes as long as its longest sub-block."""

    work: float
    longest: float
    perfect: float


class Waves(Struct, frozen=True):
    """``blocks`` on ``cores`` (displayed as ``core_word``) run in ``count`` waves, the last of which has ``last``
    blocks; if ``packing`` is None, ``no_packing`` says why."""

    blocks: int
    cores: int
    core_word: str
    count: int
    last: int
    packing: Packing | None
    no_packing: str = ""


class NotChecked(Struct, frozen=True):
    """``why`` the waves are unknown; ``code``: the same for programs."""

    code: str
    why: str


def waves(base: Operator) -> Waves | NotChecked:
    """ceil(blocks / cores) waves: each core runs one block at a time and takes the next when it is free."""
    blocks = base.block_dim if base.block_dim is not None else len(durations.of_blocks(base))
    if blocks <= 0:
        return NotChecked("no-block-count", tr("the file does not state how many blocks were launched"))
    if not base.soc:
        return NotChecked("no-chip", tr("the file does not name the chip"))
    core_word = CORE_WORDS.get(base.type.lower())
    if core_word is None:
        why = tr("the kind of cores for an operator of type “{type}” is unknown", type=base.type or "unknown")
        return NotChecked("unknown-type", why)
    cores = ai_cores(base.soc) * (VECTOR_CORES if base.type.lower() == "vector" else 1)
    if not cores:
        return NotChecked("unknown-chip", tr("the number of cores of {soc} is unknown", soc=base.soc))
    count = -(-blocks // cores)
    packing = _packing(base, blocks, cores)
    last = blocks - (count - 1) * cores
    if isinstance(packing, str):
        return Waves(blocks, cores, core_word, count, last, None, packing)
    return Waves(blocks, cores, core_word, count, last, packing)


def _packing(base: Operator, blocks: int, cores: int) -> Packing | str:
    """The packing, or why there is none."""
    if durations.doubtful(base):
        return tr("the unit of the block durations is doubtful")
    stored = durations.of_blocks(base)
    known = stored[~np.isnan(stored).all(axis=1)] if stored.size else stored[:0]
    if len(known) != blocks:
        return tr("the file has durations for only {count:,} of {blocks:,} blocks", count=len(known), blocks=blocks)
    length = np.fmax.reduce(known, axis=1)
    work, longest = float(length.sum()), float(length.max())
    return Packing(work, longest, max(longest, work / cores))
