"""Which variables are live at the nodes of the liveness tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.arrays import I32, I64, Bool
from app.profile.ragged import Ragged
from app.profile.strings import Strings


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LiveVariables:
    """``name``: int32 text ids, ``number``: int64, the file's own id of the variable, ``size``: int64, bytes; each -1
    where the file does not say. ``always``: bool, listed as always live.

    ``at``: a row of variables (int32, each once) for every node of Liveness; ``stated``: bool[nodes], whether the file
    lists the variables of that node at all (a listed node may have none). ``first``, ``last``: int32, the first and
    the last program step (see ``program_steps``) whose node lists the variable, -1 for none; ``steps``: int32, how
    many do.
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
