"""Links between instructions and what has their addresses: source lines, slices, memory accesses, cache lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from app.profile.arrays import I64, U64, Ragged, among, distinct, expand, union
from app.profile.ascend import CacheSide, Instructions, Lines
from app.profile.profile import Profile

NONE: Final = np.empty(0, np.int64)
LAST: Final = np.iinfo(np.int64).max

Link: TypeAlias = Callable[[Profile, I64], I64]
"""Maps indices of one kind to the related indices of another (sorted, unique, possibly empty)."""


def line_instructions(profile: Profile, chosen: I64) -> I64:
    """Instructions in the address ranges of the lines, both ends inclusive; for lines without ranges, those that name
    the line as their place in the source (Ascend operator files, sections 2.4 and 5)."""
    lines, instructions = profile.lines, profile.instructions
    if lines is None or instructions is None:
        return NONE
    chosen = chosen[(chosen >= 0) & (chosen < len(lines.line))]
    ranges = expand(lines.first_range[chosen], lines.first_range[chosen + 1])
    rows = in_ranges(instructions, lines.range_start[ranges], lines.range_end[ranges])
    bare = chosen[lines.first_range[chosen] == lines.first_range[chosen + 1]]
    if len(bare):
        named = np.flatnonzero(among(_instruction_places(lines, instructions), _line_places(lines)[bare]))
        rows = union(rows, named)
    return rows


def instruction_lines(profile: Profile, chosen: I64) -> I64:
    """Lines of the instructions. A file whose instructions carry their place (version byte 0) ties them to that line;
    else, and where that line is not in the table, to all lines whose address ranges hold them."""
    lines, instructions = profile.lines, profile.instructions
    if lines is None or instructions is None:
        return NONE
    chosen = chosen[(chosen >= 0) & (chosen < len(instructions.address))]
    rows = NONE
    if instructions.by_inner_code:
        own = _instruction_places(lines, instructions)[chosen]
        places = _line_places(lines)
        rows = np.flatnonzero(among(places, own[own >= 0]))
        chosen = chosen[~among(own, places[places >= 0])]
    return union(rows, _holding(lines, instructions, chosen))


def line_at(profile: Profile, address: I64) -> I64:
    """int64: the only line that each address belongs to, as ``instruction_lines`` ties them; -1 for none or several."""
    instructions, used = profile.instructions, distinct(address[address >= 0])
    if profile.lines is None or instructions is None or not len(used):
        return np.full(len(address), -1, np.int64)
    known = instructions.address[instructions.by_address]
    line = np.full(len(used) + 1, -1, np.int64)  # the last serves addresses that are unknown
    for place, (a, b) in enumerate(np.searchsorted(known, np.column_stack((used, used + 1))).tolist()):
        lines = instruction_lines(profile, instructions.by_address[a:b])
        if len(lines) == 1:
            line[place] = int(lines[0])
    return line[np.where(address >= 0, np.searchsorted(used, address), -1)]


def in_ranges(instructions: Instructions, start: I64, end: I64) -> I64:
    """Rows of the instructions at ``start`` .. ``end`` (inclusive) of any of the ranges, rising and unique."""
    addresses = instructions.address[instructions.by_address]
    begin = np.searchsorted(addresses, np.maximum(start, 0), "left")
    stop = np.searchsorted(addresses, end, "right")
    real = stop > begin
    size = len(addresses) + 1
    if 16 * int((stop - begin)[real].sum()) < size:
        places = expand(begin[real], stop[real])
        return distinct(instructions.by_address[places])
    open_ranges = np.cumsum(np.bincount(begin[real], minlength=size) - np.bincount(stop[real], minlength=size))
    rows: I64 = np.sort(instructions.by_address[open_ranges[:-1] > 0])
    return rows


def by_address(column: Callable[[Profile], I64 | U64 | None]) -> tuple[Link, Link]:
    """Links between things that each have one address (negative: none), and the instructions there."""

    def onwards(profile: Profile, chosen: I64) -> I64:
        own = column(profile)
        if own is None or profile.instructions is None:
            return NONE
        addresses = distinct(own[chosen[(chosen >= 0) & (chosen < len(own))]])
        addresses = addresses[(addresses >= 0) & (addresses <= LAST)].astype(np.int64)
        return in_ranges(profile.instructions, addresses, addresses)

    def back(profile: Profile, chosen: I64) -> I64:
        own = column(profile)
        if own is None or profile.instructions is None:
            return NONE
        return np.flatnonzero(among(own, _addresses(profile.instructions, chosen).astype(own.dtype)))

    return onwards, back


def by_ranges(ranges: Callable[[Profile], CacheSide | None]) -> tuple[Link, Link]:
    """Links between things that have any number of address ranges, both ends inclusive, and the instructions there."""

    def onwards(profile: Profile, chosen: I64) -> I64:
        own = ranges(profile)
        if own is None or profile.instructions is None:
            return NONE
        chosen = chosen[(chosen >= 0) & (chosen < len(own.first_range) - 1)]
        rows = expand(own.first_range[chosen], own.first_range[chosen + 1])
        return in_ranges(profile.instructions, own.range_start[rows], own.range_end[rows])

    def back(profile: Profile, chosen: I64) -> I64:
        own = ranges(profile)
        return NONE if own is None or profile.instructions is None else _holding(own, profile.instructions, chosen)

    return onwards, back


def _holding(of: CacheSide | Lines, instructions: Instructions, chosen: I64) -> I64:
    """Those with a range that holds one of the instructions."""
    addresses = _addresses(instructions, chosen)
    begin = np.searchsorted(addresses, of.range_start, "left")
    end = np.searchsorted(addresses, of.range_end, "right")
    rows: I64 = distinct(Ragged(of.first_range, of.first_range).owner[end > begin])
    return rows


def _addresses(instructions: Instructions, chosen: I64) -> I64:
    """The addresses of the instructions, ascending."""
    addresses: I64 = instructions.address[chosen[(chosen >= 0) & (chosen < len(instructions.address))]]
    return distinct(addresses[addresses >= 0])


def _line_places(lines: Lines) -> I64:
    """int64: one number for each line's file and line number, comparable with ``_instruction_places``; -1 unknown."""
    places: I64 = np.where(lines.line >= 0, lines.file.astype(np.int64) << 32 | lines.line, -1)
    return places


def _instruction_places(lines: Lines, instructions: Instructions) -> I64:
    ids = {path: number for number, path in enumerate(lines.paths)}
    used = np.zeros(len(instructions.strings) + 1, np.bool_)
    used[instructions.file] = True
    file_of = np.full(len(instructions.strings) + 1, -1, np.int64)
    for code in np.flatnonzero(used[:-1]).tolist():
        file_of[code] = ids.get(instructions.strings[code], -1)
    file = file_of[instructions.file]
    return np.where((file >= 0) & (instructions.line >= 0), file << 32 | instructions.line, -1)
