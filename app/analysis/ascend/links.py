"""Links between source lines, instructions and slices of the timeline, through addresses."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64, Ragged, distinct, expand, union
from app.profile.ascend import Instructions, Lines
from app.profile.profile import Profile

NONE = np.empty(0, np.int64)


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
        named = np.flatnonzero(np.isin(_instruction_places(lines, instructions), _line_places(lines)[bare]))
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
        rows = np.flatnonzero(np.isin(places, own[own >= 0]))
        chosen = chosen[~np.isin(own, places[places >= 0])]
    addresses = np.sort(instructions.address[chosen])
    addresses = addresses[np.searchsorted(addresses, 0) :]
    begin = np.searchsorted(addresses, lines.range_start, "left")
    end = np.searchsorted(addresses, lines.range_end, "right")
    holding = _owners(lines.first_range)[end > begin]
    return union(rows, holding)


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


def slice_instructions(profile: Profile, chosen: I64) -> I64:
    """Instructions at the program counters of the slices."""
    timeline, instructions = profile.timeline, profile.instructions
    if timeline is None or instructions is None:
        return NONE
    chosen = chosen[(chosen >= 0) & (chosen < len(timeline.slices.address))]
    addresses = distinct(timeline.slices.address[chosen])
    addresses = addresses[addresses >= 0]
    return in_ranges(instructions, addresses, addresses)


def instruction_slices(profile: Profile, chosen: I64) -> I64:
    """Slices at the addresses of the instructions, on whatever core."""
    timeline, instructions = profile.timeline, profile.instructions
    if timeline is None or instructions is None:
        return NONE
    chosen = chosen[(chosen >= 0) & (chosen < len(instructions.address))]
    addresses = distinct(instructions.address[chosen])
    addresses = addresses[addresses >= 0]
    return np.flatnonzero(np.isin(timeline.slices.address, addresses))


def _owners(first: I64) -> I64:
    owner: I64 = Ragged(first, first).owner
    return owner


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
