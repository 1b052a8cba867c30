"""Bytes of exchange instructions by kind (memoryByInstruction of DoExchange programs)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64
from app.profile.poplar import InstructionBytes
from app.profile.profile import Profile

TOTAL: Final = "total"


class KindTotals(Struct, frozen=True, eq=False):
    """Totals over the programs of a graph, one entry per kind except the total, in file order. ``bytes``: int64;
    ``programs``: int64, those with bytes of that kind. ``stated``: the sum of the file's totals, None without any."""

    kinds: tuple[str, ...]
    bytes: I64
    programs: I64
    stated: int | None


def totals(profile: Profile) -> KindTotals | None:
    """The totals; None if no program states its instructions."""
    table = instructions(profile)
    if table is None:
        return None
    places = [place for place, kind in enumerate(table.kinds) if kind != TOTAL]
    kinds = tuple(table.kinds[place] for place in places)
    known = np.where(table.bytes < 0, 0, table.bytes)
    stated = int(known[:, table.kinds.index(TOTAL)].sum()) if TOTAL in table.kinds else None
    own = known[:, places]
    return KindTotals(kinds, own.sum(axis=0), np.count_nonzero(own > 0, axis=0).astype(np.int64), stated)


def instructions(profile: Profile) -> InstructionBytes | None:
    """The file's instruction bytes; None if no program states any."""
    table = profile.programs.instructions if profile.programs is not None else None
    return table if table is not None and len(table.program) else None


def words(kind: str) -> str:
    """``sendWithPutMux``: ``Send with put mux``."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
    return apart[:1].upper() + apart[1:]
