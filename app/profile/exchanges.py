"""Transfers between tiles, between IPUs and with the host, as compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

from app.profile.arrays import Integers

ExchangeKind: TypeAlias = Literal["internal", "external", "host"]
EXCHANGE_KINDS: Final[tuple[ExchangeKind, ...]] = ("internal", "external", "host")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ExchangeList:
    """Exchanges of one kind: ``count`` of them, and per exchange and tile [count, tiles], narrow whole numbers,
    None where the file has none: ``sent`` and ``received`` bytes, ``cycles`` (exact for internal exchanges,
    estimated for the others), ``code`` bytes (internal ones; not in the vendor's description, but written)."""

    count: int
    sent: Integers | None = None
    received: Integers | None = None
    cycles: Integers | None = None
    code: Integers | None = None

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exchanges:
    """Poplar profiling data format, 7.1.6; None where the file lacks that list.

    Where all exchanges are counted in one row (selection, tables), internal come first, then external, then host.
    """

    SECTION: ClassVar[str] = "exchanges"
    internal: ExchangeList | None = None
    external: ExchangeList | None = None
    host: ExchangeList | None = None

    def of(self, kind: ExchangeKind) -> ExchangeList | None:
        if kind == "internal":
            return self.internal
        return self.external if kind == "external" else self.host

    def first(self, kind: ExchangeKind) -> int:
        """The number of the first exchange of ``kind`` where all are counted in one row."""
        before = EXCHANGE_KINDS[: EXCHANGE_KINDS.index(kind)]
        return sum(len(self.of(other) or ()) for other in before)

    def __len__(self) -> int:
        return sum(len(self.of(kind) or ()) for kind in EXCHANGE_KINDS)
