"""The compiled programs, and how they contain and call each other."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import I32, I64
from app.profile.exchanges import ExchangeKind
from app.profile.ragged import Ragged
from app.profile.strings import Strings

EXCHANGE_OF_TYPE: Final[dict[str, ExchangeKind]] = {
    "DoExchange": "internal",
    "GlobalExchange": "external",
    "StreamCopy": "host",
}
"""The list of exchanges that the ``exchange`` of a program or step of that type indexes."""


class InstructionBytes(Struct, frozen=True, eq=False):
    """Bytes of exchange instructions by kind (programs of type DoExchange).

    ``kinds``: names of the kinds ("total" among them); ``program``: int32[rows], ascending; ``bytes``: int64[rows,
    kinds], -1 if a program does not state that kind.
    """

    kinds: tuple[str, ...]
    program: I32
    bytes: I64


class Programs(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.7; one entry per program, -1 for missing fields.

    ``type``, ``name``: int32 text ids in ``strings`` (names are paths with "/"). ``children``: rows of program indices,
    all within the list (a broken file may still contain cycles). ``compute_set``: int32; ``exchange``: int32 into the
    list for the type; ``call``: int32 into ``functions``. Compute set and exchange are as stored and may be out of
    range. ``control``, ``functions``: int32 program indices.
    """

    SECTION: ClassVar[str] = "programs"
    strings: Strings
    type: I32
    name: I32
    children: Ragged
    compute_set: I32
    exchange: I32
    call: I32
    control: I32
    functions: I32
    instructions: InstructionBytes | None = None

    def __len__(self) -> int:
        return len(self.type)

    def of_type(self, *names: str) -> I64:
        """Indices of the programs of these types, ascending."""
        wanted = [index for index, text in enumerate(self.strings) if text in names]
        return np.flatnonzero(np.isin(self.type, wanted)).astype(np.int64)
