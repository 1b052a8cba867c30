"""Which instruction wrote the registers that an instruction reads, and which ones read what it writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.ascend.registers import READ, READ_WRITE, USES, WRITE, states_of
from app.analysis.part import Fact, Part, Pointer
from app.language import capitalised, plural, tr
from app.profile.arrays import I64
from app.profile.ascend import Instructions, TypedColumn, state_column
from app.profile.profile import Profile
from app.profile.selection import Selection

MOST: Final = 4096
"""So many instructions before and after one are examined."""
MOST_NAMED: Final = 12
_READS, _WRITES = (READ, READ_WRITE), (WRITE, READ_WRITE)


def uses_of(own: Instructions, row: int) -> dict[str, int]:
    """What an instruction does with each register that its states list; empty without states."""
    column = state_column(own.columns)
    return {} if column is None else _uses(column, row)


def writers_of(own: Instructions, row: int) -> dict[str, int]:
    """Each register that the instruction reads, with the row that wrote it; -1 where the states do not show it.

    By rising address: the last one before that wrote it, if all in between list the register. Jumps are not followed.
    """
    wanted = {name for name, use in uses_of(own, row).items() if use in _READS}
    writers = dict.fromkeys(sorted(wanted), -1)
    for other, uses in _from(own, row, -1):
        wanted &= uses.keys()
        written = {name for name in wanted if uses[name] in _WRITES}
        writers.update(dict.fromkeys(written, other))
        wanted -= written
        if not wanted:
            break
    return writers


def readers_of(own: Instructions, row: int) -> dict[str, list[int]]:
    """Each register that the instruction writes, with the rows that read this value, by rising address: those after it
    up to the next one that writes the register or does not list it."""
    wanted = {name for name, use in uses_of(own, row).items() if use in _WRITES}
    readers: dict[str, list[int]] = {name: [] for name in sorted(wanted)}
    for other, uses in _from(own, row, 1):
        wanted &= uses.keys()
        for name in wanted:
            if uses[name] in _READS:
                readers[name].append(other)
        wanted -= {name for name in wanted if uses[name] in _WRITES}
        if not wanted:
            break
    return readers


def instruction_parts(profile: Profile, index: I64) -> Iterator[Part]:
    """The section about registers of one instruction."""
    own, row = profile.instructions, int(index[0])
    if own is None or not 0 <= row < len(own.address):
        return
    uses = uses_of(own, row)
    if not uses:
        return
    groups: dict[str, list[str]] = {}
    for name, use in uses.items():
        groups.setdefault(USES.get(use, tr("state unknown")), []).append(name)
    facts = [Fact(tr("Live"), (f"{len(uses):,}",), tr("Registers that the file lists for this instruction."))]
    facts += [Fact(capitalised(label), (_named(names),)) for label, names in groups.items()]
    writers, readers = writers_of(own, row), readers_of(own, row)
    pointers = [_written(own, name, other) for name, other in writers.items() if other >= 0]
    pointers += [_read(own, name, rows) for name, rows in readers.items() if rows]
    unknown = [name for name, other in writers.items() if other < 0]
    unread = [name for name, rows in readers.items() if not rows]
    below = [Fact(tr("Writer unknown"), (_named(unknown),), _UNKNOWN)] if unknown else []
    below += [Fact(tr("No reader"), (_named(unread),), _UNREAD)] if unread else []
    yield Part(tr("Registers"), tuple(facts), tuple(pointers), tuple(below))


_UNKNOWN: Final = tr(
    "By rising address, no instruction before this one writes the register while it is live: an argument, or a value "
    "from a jump."
)
_UNREAD: Final = tr("By rising address, no instruction reads this value before the register is written again or free.")


def _written(own: Instructions, name: str, row: int) -> Pointer:
    text = tr("{register} was written by {instruction}", register=name, instruction=_called(own, row))
    return Pointer((text,), Selection("instruction", (row,), "details"))


def _read(own: Instructions, name: str, rows: list[int]) -> Pointer:
    text = plural(
        "{register} is read by {instruction}",
        "{register} is read by {count:,} instructions, first {instruction}",
        count=len(rows),
        register=name,
        instruction=_called(own, rows[0]),
    )
    return Pointer((text,), Selection("instruction", tuple(rows), "details"))


def _called(own: Instructions, row: int) -> str:
    """``0x11244000 ADD``: the address, and the first word of the disassembly."""
    address = int(own.address[row])
    words = own.strings.get(int(own.text[row])).split() if own.text[row] >= 0 else []
    place = f"0x{address:x}" if address >= 0 else tr("row {row:,}", row=row)
    return " ".join((place, *words[:1]))


def _named(names: list[str]) -> str:
    """The first names, in order."""
    more = ", …" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _uses(column: TypedColumn, row: int) -> dict[str, int]:
    values = column.of_core(0)
    code = int(values[row]) if 0 <= row < len(values) else -1
    if code < 0 or column.strings is None:
        return {}
    return {name: use for name, use, _ in states_of(column.strings.get(code).encode())}


def _from(own: Instructions, row: int, step: int) -> Iterator[tuple[int, dict[str, int]]]:
    """(row, uses) of the instructions before (step -1) or after (1) ``row``, by address."""
    column = state_column(own.columns)
    if column is None:
        return
    order = own.by_address if len(own.by_address) == len(own.address) else np.arange(len(own.address), dtype=np.int64)
    places = np.flatnonzero(order == row)
    if not len(places):
        return
    place = int(places[0])
    for _ in range(MOST):
        place += step
        if not 0 <= place < len(order):
            return
        other = int(order[place])
        yield other, _uses(column, other)
