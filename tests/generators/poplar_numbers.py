"""The numbers of the generated Poplar profile, row by row, so that every file tells the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.profile.arrays import I64
from generators.poplar_network import Network

BYTE_KINDS = ("codeBytes", "copyPtrBytes", "descriptorBytes", "edgePtrBytes", "paddingBytes", "vertexDataBytes")
_CYCLES, _ACTIVE, _BYTES, _TYPE_BYTES, _EXCHANGE, _COUNTS, _TYPES, _PLACE = range(8)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One exchange: int64[entries] each."""

    sent: I64
    received: I64
    cycles: I64
    code: I64


@dataclass(frozen=True, slots=True)
class Span:
    """What a step says of its cycles per tile."""

    cycles: int
    total: int
    tiles: int
    balance: float
    active_balance: float


class Numbers:
    """All figures per compute set, exchange, vertex type and tile; each row from its own seed."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.scale = net.scale
        self.entries = net.scale.entries
        self.set_span = lru_cache(None)(lambda c: span(self.cycles(c)))
        self.set_active = lru_cache(None)(lambda c: int(self.active(c).sum()))

    def random(self, *key: int) -> np.random.Generator:
        return np.random.default_rng([self.scale.seed, *key])

    def used(self, index: int) -> I64:
        """The tiles that compute set ``index`` runs on: convolutions on nearly all, the rest on a run of them. The last
        tiles of an IPU stay idle, as on real ones."""
        most = max(1, round(self.entries * 0.95))
        share = 1.4 if index % 6 < 2 else 0.35 + 0.1 * (index % 5)
        count = min(most, max(1, round(self.entries * self.scale.spread * share)))
        start = 0 if count == most else int(self.random(_PLACE, index).integers(0, most - count + 1))
        return np.arange(start, start + count, dtype=np.int64)

    def vertex_counts(self, index: int) -> I64:
        """How many vertices of each of its types set ``index`` has."""
        kinds = len(self.net.set_types[index])
        return self.random(_COUNTS, index).integers(1, 7, kinds) * len(self.used(index))

    def cycles(self, index: int) -> I64:
        random = self.random(_CYCLES, index)
        used = self.used(index)
        base = int(random.integers(400, 40_000))
        out = np.zeros(self.entries, np.int64)
        out[used] = random.integers(base, base + base // 8 + 2, len(used))
        return out

    def active(self, index: int) -> I64:
        """Cycles in which a thread ran: at least one in six."""
        share = self.random(_ACTIVE, index).uniform(0.3, 1.0)
        return (self.cycles(index) * share).astype(np.int64)

    def active_by_type(self, index: int) -> I64:
        """int64[vertex types]; adds up to the active cycles of all tiles."""
        kinds = self.net.set_types[index]
        out = np.zeros(self.scale.vertex_types, np.int64)
        out[kinds] = split(self.set_active(index), len(kinds), self.random(_TYPES, index))
        return out

    def set_bytes(self, kind: str, index: int) -> I64:
        """Bytes of one kind of compute set ``index`` per tile; "totalBytes" is the sum of the others."""
        return self._bytes(kind, index, self.used(index), _BYTES, len(self.net.set_types[index]))

    def type_bytes(self, kind: str, index: int) -> I64:
        """The same for a vertex type: on the tiles of every set that has it."""
        sets = [c for c, kinds in enumerate(self.net.set_types[:6]) if index in kinds]
        used = self.used(sets[0]) if sets else np.arange(1, dtype=np.int64)
        return self._bytes(kind, index, used, _TYPE_BYTES, 1)

    def _bytes(self, kind: str, index: int, used: I64, key: int, weight: int) -> I64:
        if kind == "totalBytes":
            return sum((self._bytes(k, index, used, key, weight) for k in BYTE_KINDS), np.zeros(self.entries, np.int64))
        number = BYTE_KINDS.index(kind)
        random = self.random(key, number, index)
        out = np.zeros(self.entries, np.int64)
        if kind == "codeBytes":
            out[used] = 4 * random.integers(200, 1200) * weight
        elif kind in ("copyPtrBytes", "descriptorBytes"):
            out[used] = 8 if index % 6 == 5 else 0
        elif kind == "paddingBytes":
            out[used] = random.integers(0, 4, len(used)) * 2
        else:
            out[used] = 4 * random.integers(6, 240, len(used))
        return out

    def transfer(self, kind: str, index: int) -> Transfer:
        """``kind``: internal, external or host."""
        number = ("internal", "external", "host").index(kind)
        random = self.random(_EXCHANGE, number, index)
        size = self.entries
        used = self.used(index) if kind == "internal" else np.arange(0, size, 1 if kind == "external" else 4)
        sent, received, cycles, code = (np.zeros(size, np.int64) for _ in range(4))
        top = int(random.integers(300, 9000))
        upload = kind == "host" and index % 3 != 2
        if not upload:
            sent[used] = 4 * random.integers(1, top // 4, len(used))
        if kind != "host" or upload:
            received[used] = 4 * random.integers(1, top // 4, len(used))
        slow = 20 if kind == "host" else 1
        cycles[used] = (sent + received)[used] * slow // 4 + random.integers(20, 60)
        code[used] = 4 * random.integers(8, 60, len(used))
        return Transfer(sent, received, cycles, code)


def span(values: I64) -> Span:
    """Longest, sum, tiles at work and the two balances of the vendor's description (0 where all idle)."""
    longest, total, tiles = int(values.max(initial=0)), int(values.sum()), int((values > 0).sum())
    if not longest:
        return Span(0, 0, 0, 0.0, 0.0)
    return Span(longest, total, tiles, total / (longest * len(values)), total / (longest * tiles))


def split(total: int, parts: int, random: np.random.Generator) -> I64:
    """``total`` in ``parts`` whole numbers."""
    cuts = np.sort(random.integers(0, total + 1, parts - 1))
    return np.diff(np.concatenate(([0], cuts, [total]))).astype(np.int64)
