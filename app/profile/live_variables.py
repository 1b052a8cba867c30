"""Which variables are live at the nodes of the liveness tree."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32, I64, Bool
from app.profile.ragged import Ragged
from app.profile.strings import Strings


class LiveVariables(Struct, frozen=True, eq=False, kw_only=True):
    """``name``: int32 text ids, ``number``: int64, the variable's id in the file, ``size``: int64, bytes; each -1 if
    not stated. ``always``: bool, listed as always live.

    ``at``: a row of variables (int32, without duplicates) for every node of Liveness; ``stated``: bool[nodes], whether
    the file has a list for that node at all (it may be empty). ``first``, ``last``: int32, the first and the last
    program step (see ``program_steps``) whose node lists the variable, -1 for none; ``steps``: int32, the number of
    such steps.
    """

    SECTION: ClassVar[str] = "live_variables"
    strings: Strings
    name: I32
    number: I64
    size: I64
    always: Bool
    at: Ragged
    stated: Bool
    first: I32
    last: I32
    steps: I32

    def __len__(self) -> int:
        return len(self.name)
