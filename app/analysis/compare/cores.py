"""Columns of one core each: that of a core is compared with the column of the same core, however many each side has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from app.analysis.ascend.cores import core_names
from app.analysis.compare.names import core, paired_cores
from app.analysis.table import Table
from app.profile.profile import Profile

TABLES: Final = ("instructions", "source-lines")
"""Their columns are called ``cycles.core0.veccore0``, or ``cycles`` where there is one core only."""
UNNAMED: Final = ""


def with_cores_of(before: Table, after: Table, profiles: tuple[Profile, Profile]) -> Table:
    """``before`` with its columns called as those of the same cores after."""
    if before.id not in TABLES:
        return before
    names = tuple(core_names(profile) for profile in profiles)
    if len(names[0]) <= 1 and len(names[1]) <= 1:
        return before
    pairs = same_cores(*names)
    keys = {column.key for column in after.columns}
    columns = []
    for column in before.columns:
        key = _key_after(column.key, names, pairs)
        columns.append(replace(column, key=key) if key in keys and key != column.key else column)
    return replace(before, columns=tuple(columns))


def same_cores(before: Collection[str], after: Collection[str]) -> dict[str, str]:
    """The core after for each core before that has one. The only core of a side that does not name it is number 0, if
    the other side has cores of one kind only."""
    own, other = before or (UNNAMED,), after or (UNNAMED,)
    if UNNAMED not in own and UNNAMED not in other:
        return paired_cores(own, other)
    zero = _number_zero(other if UNNAMED in own else own)
    if zero is None:
        return {}
    return {UNNAMED: zero} if UNNAMED in own else {zero: UNNAMED}


def _number_zero(names: Collection[str]) -> str | None:
    found = {name: known for name in names if (known := core(name)) is not None}
    if len({known.stem for known in found.values()}) != 1:
        return None
    return next((name for name, known in found.items() if not any(map(int, known.numbers))), None)


def _key_after(key: str, names: tuple[tuple[str, ...], ...], pairs: dict[str, str]) -> str:
    """What the column of a core is called after; a side with one core leaves its name out."""
    figure, _, rest = key.partition(".")
    own = (
        (names[0] or (UNNAMED,))[0]
        if len(names[0]) <= 1
        else next((name for name in names[0] if rest == name or rest.startswith(f"{name}.")), None)
    )
    other = None if own is None else pairs.get(own)
    if own is None or other is None:
        return key
    part = rest if len(names[0]) <= 1 else rest[len(own) :].removeprefix(".")
    return ".".join(word for word in (figure, "" if len(names[1]) <= 1 else other, part) if word)
