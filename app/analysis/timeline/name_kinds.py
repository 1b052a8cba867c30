"""What names of slices say: that they wait, set a flag, or only tell what happens to an instruction before its pipe."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.matching import matching_texts
from app.profile.arrays import Bool
from app.profile.strings import Strings

_WAITS: Final = re.compile(
    r"h?wait_(flag|event)[is]?(_\w+)?([._ ].*)?|try_waiti?"
    r"|notify[_ ]?wait.*|event[_ ]?wait.*|ffts_?wait.*|crosscorewait.*"
    r"|[\w@:.]*synchroni[sz]e\w*([(: ].*)?"
    r"|(\w+@)?(cuda|hip|aclrt)memcpy(2d|3d)?(to|from)?(array|symbol|withstream)?|cumemcpy([dha]to[dha]|2d|3d)?(_v\d)?",
    re.IGNORECASE,
)
"""The device's own words, and host calls that block: synchronisation, and copies that are not asynchronous."""
_BARRIERS: Final = re.compile(r"(pipe_?)?bar(rier)?([._ ].*)?", re.IGNORECASE)
_SETS: Final = re.compile(
    r"h?set_(flag|event)[is]?(_\w+)?([._ ].*)?|notify[_ ]?record.*|event[_ ]?record.*", re.IGNORECASE
)
_BEFORE: Final = re.compile(r"(cache|ccu)_time", re.IGNORECASE)
"""The times that an instruction spends in front of its pipe (Ascend operator files, section 4)."""
_HINTS: Final = ("wait", "sync", "bar", "set_", "record", "memcpy", "_time")
"""One of them is in every name that one of the patterns matches."""


class NameKinds(Struct, frozen=True, eq=False):
    """bool[texts + 1] each, the last entry serves -1, no name; no text is of two kinds."""

    waits: Bool
    barriers: Bool
    sets: Bool
    before: Bool


def name_kinds(strings: Strings) -> NameKinds:
    """What each text says as the name of a slice."""
    maybe = np.zeros(len(strings), np.bool_)
    for hint in _HINTS if len(strings) else ():
        maybe |= matching_texts(strings, hint)
    waits, barriers, sets, before = made = tuple(np.zeros(len(strings) + 1, np.bool_) for _ in range(4))
    patterns = ((barriers, _BARRIERS), (sets, _SETS), (waits, _WAITS), (before, _BEFORE))
    for text in np.flatnonzero(maybe).tolist():
        name = strings[text]
        for kind, pattern in patterns:
            if pattern.fullmatch(name):
                kind[text] = True
                break
    return NameKinds(*made)
