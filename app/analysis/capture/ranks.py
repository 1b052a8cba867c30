"""The ranks of a capture: their numbers, what is computed once for all of them, and texts that several ranks have."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final, TypeVar

import numpy as np

from app.analysis.table import Column
from app.language import tr
from app.profile.arrays import F64, I64, Array, Bool, Integers, Ragged, distinct, sealed
from app.profile.profile import Profile
from app.profile.strings import Interner, Strings

Made = TypeVar("Made")

SECOND: Final = 1e9
"""Nanoseconds of a second."""
NANOSECOND: Final = 1e-9
SECTIONS: Final = (
    "kernels",
    "collectives",
    "packets",
    "links",
    "training_steps",
    "memory_record",
    "memory_operators",
    "calls",
    "framework_operators",
)
"""Those whose rows are of ranks."""
RANK_HELP: Final = tr("The number of the rank in its run. It is not the number of the device.")


def once(profile: Profile, make: Callable[[Profile], Made]) -> Made:
    """What ``make`` (a function of a module) returns for a capture, computed once as long as its sections stay."""
    if profile.capture is None:
        return make(profile)
    key = f"{make.__module__}.{make.__qualname__}"
    own = tuple(profile.section(name) for name in (*SECTIONS, "timeline"))
    memory = profile.capture.__dict__
    known = memory.get(key)
    if known is None or any(one is not other for one, other in zip(known[0], own, strict=True)):
        known = memory[key] = own, make(profile)
    made: Made = known[1]
    return made


def rank_numbers(profile: Profile) -> I64:
    """int64[ranks]: their numbers, -1 where nothing states them."""
    return np.empty(0, np.int64) if profile.capture is None else profile.capture.rank


def number_of(profile: Profile, row: int) -> int:
    """The number of the rank in a row of the capture, -1 if it is unknown."""
    numbers = rank_numbers(profile)
    return int(numbers[row]) if 0 <= row < len(numbers) else -1


def rank_key(profile: Profile, row: int) -> str:
    """What a rank is called in output for programs: its number, the name of its folder, or its place in the capture
    (``#2``)."""
    number = number_of(profile, row)
    if number >= 0:
        return str(number)
    own = profile.capture
    folder = "" if own is None or not 0 <= row < len(own) else own.strings.get(int(own.folder[row]))
    return folder or f"#{row}"


def rank_name(profile: Profile, row: int) -> str:
    """``rank 3``, for sentences."""
    return tr("rank {number}", number=rank_key(profile, row))


def of_rank(profile: Profile, row: int, step: int = -1) -> str:
    """``rank 3, step 50``, as the beginning of a sentence."""
    rank = rank_key(profile, row)
    return tr("Rank {rank}, step {step}", rank=rank, step=step) if step >= 0 else tr("Rank {rank}", rank=rank)


def several(profile: Profile) -> bool:
    """Whether it has more than one rank."""
    return profile.capture is not None and len(profile.capture) > 1


def rank_column(profile: Profile, rank: Integers) -> Column:
    """The number of each row's rank; ``rank``: rows of the capture, -1 none."""
    known = np.append(rank_numbers(profile), -1)
    numbers = known[np.where((rank >= 0) & (rank < len(known)), rank, -1)]
    return Column("rank", tr("Rank"), numbers, help=RANK_HELP, missing=marked(numbers < 0), role="key")


def number_column(key: str, title: str, values: I64, about: str = "") -> Column:
    """A column of identifying numbers; negative ones are none."""
    return Column(key, title, values, help=about, missing=marked(values < 0), role="key")


def marked(missing: Bool) -> Bool | None:
    """``missing``, None if nothing is."""
    return missing if bool(missing.any()) else None


def same_texts(strings: Strings) -> I64:
    """int64[texts + 1]: the same number for texts that are the same (ranks bring texts of their own); -1 for id -1."""
    intern = Interner()
    return np.array([*map(intern, strings.tolist()), -1], np.int64)


def starting_with(strings: Strings, *words: str) -> Bool:
    """bool[texts + 1]: which texts start with any of ``words``, in lower case."""
    return np.array([*(text.lower().startswith(words) for text in strings.tolist()), False], np.bool_)


def origin(profile: Profile) -> Decimal:
    """The time in nanoseconds since 1970 from which times count in tables: where the first slice starts, as on the
    timeline; without a timeline the first time of any section."""
    line = profile.timeline
    if line is not None and line.origin and line.seconds_per_unit:
        return line.origin * Decimal(repr(line.seconds_per_unit)) * 1_000_000_000
    columns: list[I64] = []
    if profile.kernels is not None:
        columns.append(profile.kernels.start)
    if profile.collectives is not None:
        columns.append(profile.collectives.start)
    if profile.memory_record is not None:
        columns.append(profile.memory_record.time)
    if profile.memory_operators is not None:
        columns += [profile.memory_operators.allocated_at, profile.memory_operators.released_at]
    first = [int(column[column >= 0].min()) for column in columns if (column >= 0).any()]
    return Decimal(min(first, default=0))


def moments(profile: Profile, key: str, title: str, times: I64, about: str = "") -> Column:
    """A column of times in seconds since the ``origin``; ``times``: int64 nanoseconds since 1970, -1 none."""
    zero = once(profile, origin)
    whole = int(zero)
    since = tr("Relative to {time} ns since 1970.", time=f"{zero.normalize():,f}")
    seconds = ((times - whole) - float(zero - whole)) / SECOND
    text = " ".join(part for part in (about, since) if part)
    return Column(key, title, seconds, "s", text, marked(times < 0), finest=NANOSECOND, role="place")


def lengths(key: str, title: str, times: I64, about: str = "") -> Column:
    """A column of durations in seconds; ``times``: int64 nanoseconds, -1 none."""
    return Column(key, title, times / SECOND, "s", about, marked(times < 0), finest=NANOSECOND)


def groups_of(*columns: Integers) -> tuple[I64, I64]:
    """Rows that are equal in all ``columns``: (int64[rows], the number of each row's group; int64[groups], the first
    row of each). Groups are in the order of the columns."""
    order = np.lexsort([column.astype(np.int64) for column in reversed(columns)])
    new = np.ones(len(order), np.bool_)
    if len(order):
        new[1:] = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1
    first = order[new]
    return group, sealed(first.astype(np.int64))


def sums(group: Integers, values: Array, groups: int) -> F64:
    """float64[groups]: the sum of each group's ``values``."""
    return np.bincount(group, values, groups).astype(np.float64, copy=False)


def rows_of_ranks(profile: Profile, rank: Integers) -> Ragged:
    """The rows of a section by rank, ascending within each; ``rank``: its column."""
    count = len(rank_numbers(profile))
    order = np.argsort(rank, kind="stable")
    lengths = np.bincount(rank, minlength=count)[:count].astype(np.int64)
    return Ragged.of(lengths, order[: int(lengths.sum())].astype(np.int64))


def listed_numbers(values: Array) -> list[int]:
    """The distinct numbers of a column that are known, ascending."""
    return [int(value) for value in distinct(values) if value >= 0]
