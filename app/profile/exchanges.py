"""Transfers between tiles, between IPUs and with the host, as compiled."""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias

from msgspec import Struct

from app.profile.arrays import Integers

ExchangeKind: TypeAlias = Literal["internal", "external", "host"]
EXCHANGE_KINDS: Final[tuple[ExchangeKind, ...]] = ("internal", "external", "host")


class ExchangeList(Struct, frozen=True, eq=False, kw_only=True):
    """Exchanges of one kind.

    ``count``: number of exchanges. The others are narrow integers per exchange and tile [count, tiles], None if the
    file has none: ``sent`` and ``received`` bytes, ``cycles`` (exact for internal exchanges, estimated for the others),
    ``code`` bytes (internal exchanges only; written by Poplar, but not in the vendor's description).
    """

    count: int
    sent: Integers | None = None
    received: Integers | None = None
    cycles: Integers | None = None
    code: Integers | None = None

    def __len__(self) -> int:
        return self.count


class Exchanges(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.6; None if the file lacks that list.

    Where all exchanges are numbered together (selection, tables), internal come first, then external, then host.
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
        """The number of the first exchange of ``kind`` where all are numbered together."""
        before = EXCHANGE_KINDS[: EXCHANGE_KINDS.index(kind)]
        return sum(len(self.of(other) or ()) for other in before)

    def __len__(self) -> int:
        return sum(len(self.of(kind) or ()) for kind in EXCHANGE_KINDS)
