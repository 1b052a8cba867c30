"""Where a program stands: the programs that it is in, from the top down."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.hierarchy import walk
from app.analysis.part import Part, Pointer, Words
from app.analysis.poplar.trees import edges
from app.language import tr
from app.profile.profile import Profile
from app.profile.programs import Programs
from app.profile.selection import Selection

SOURCE: Final = "details"
MOST_AROUND: Final = 10
"""Of more programs around one the nearest are listed."""


def path_part(profile: Profile, index: int) -> Part | None:
    """The way to the first place where the program is met; None for one at the top, or that nothing runs."""
    own = profile.programs
    if own is None or not 0 <= index < len(own):
        return None
    parent = walk(np.concatenate((own.control, own.functions)).astype(np.int64), edges(own)).parent
    around: list[int] = []
    while (index := int(parent[index])) >= 0:
        around.append(index)
    if not around:
        return None
    listed = around[:MOST_AROUND][::-1]
    title = (
        tr("Path")
        if len(listed) == len(around)
        else tr("Path, the nearest {count} of {around_count:,} levels", count=len(listed), around_count=len(around))
    )
    return Part(title, (), tuple(Pointer(_called(own, program), _selected(program)) for program in listed))


def _called(own: Programs, program: int) -> Words:
    kind = own.strings.get(int(own.type[program]), "program")
    name = own.strings.get(int(own.name[program]), "")
    return (f"{name} ({kind})" if name else f"{kind} {program:,}",)


def _selected(program: int) -> Selection:
    return Selection("program", (program,), SOURCE)
