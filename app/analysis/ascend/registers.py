"""Registers at each instruction: which are live, from the states that a file stores, which instruction wrote those
that it reads, and which ones read what it writes."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import orjson
from msgspec import Struct

from app.analysis.part import Fact, Part, Pointer
from app.language import capitalised, plural, tr
from app.profile.arrays import I32, I64, U8, expand, sealed
from app.profile.ascend import Instructions, TypedColumn, state_column
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Interner, Strings

READ, WRITE, READ_WRITE, IN_USE = 1, 2, 3, 4
USES: Final[dict[int, str]] = {
    READ: tr("read"),
    WRITE: tr("written"),
    READ_WRITE: tr("read and written"),
    IN_USE: tr("in use"),
}
"""What an instruction does with a register (Ascend operator files, section 2.6)."""

BEGIN, BETWEEN, END = 0, 1, 2
CHECK_EVERY = 4096


class RegisterLives(Struct, frozen=True, eq=False):
    """The entries of instruction r are first[r] .. first[r + 1] - 1 (int64[rows + 1]), by rising lane. ``lane``: int32,
    where the line of the register is drawn; ``phase``: uint8, BEGIN, BETWEEN or END of its lifetime; ``use``: uint8,
    what the instruction does with it; ``name``: int32 ids into ``names``; ``length``: int32, instructions that it lives
    for. ``lanes``: the largest number of lanes side by side."""

    first: I64
    lane: I32
    phase: U8
    use: U8
    name: I32
    length: I32
    names: Strings
    lanes: int

    def of_row(self, row: int) -> range:
        """The entries of one instruction."""
        return range(int(self.first[row]), int(self.first[row + 1]))

    def describe(self, row: int) -> str:
        """One line per register: ``R3: written, begins here, lives for 5 instructions``."""
        return "\n".join(self._line(entry) for entry in self.of_row(row))

    def _line(self, entry: int) -> str:
        length, phase = int(self.length[entry]), int(self.phase[entry])
        words = {BEGIN: tr("starts here"), END: tr("ends here")}.get(phase, "")
        life = plural("live for {count:,} instruction", "live for {count:,} instructions", count=length)
        parts = (USES.get(int(self.use[entry]), tr("state unknown")), words, life)
        return f"{self.names.get(int(self.name[entry]))}: " + ", ".join(part for part in parts if part)


def lives(
    instructions: Instructions, column: TypedColumn, core: int = 0, check: Callable[[], object] = lambda: None
) -> RegisterLives:
    """Lifetimes by rising address. A register takes the first free lane at the first instruction that lists it; each
    instruction that lists it decrements its remaining lifetime, and at 0 its lane is free for the next instruction
    (Ascend operator files, section 2.6). ``check`` is called now and then and may raise."""
    ids, strings = column.of_core(core), column.strings or Strings.of(())
    blob, ends = strings.blob.tobytes(), strings.ends
    walk = _Walk()
    counts = np.zeros(len(ids), np.int64)
    order = instructions.by_address if len(instructions.by_address) == len(ids) else np.arange(len(ids), dtype=np.int64)
    for number, row in enumerate(order.tolist()):
        if number % CHECK_EVERY == 0:
            check()
        code = int(ids[row])
        if 0 <= code < len(ends):
            counts[row] = walk.step(states_of(blob[int(ends[code - 1]) if code else 0 : int(ends[code])]))
    return walk.finished(counts, order)


def states_of(cell: bytes) -> list[tuple[str, int, int]]:
    """(register, use, instructions it lives for) of each valid entry of a cell."""
    try:
        items = orjson.loads(cell)
    except ValueError:
        return []
    items = items if isinstance(items, list) else [items]
    return [
        (str(item.get("regIndex", "?")), _count(item.get("regStatus")), max(_count(item.get("survivalTime")), 1))
        for item in items
        if isinstance(item, dict)
    ]


def _count(value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return 0
    return number if 0 <= number < 1 << 31 else 0


class _Walk:
    """The live registers, from one instruction to the next."""

    def __init__(self) -> None:
        self._names = Interner()
        self._lane: dict[int, int] = {}
        self._left: dict[int, int] = {}
        self._length: dict[int, int] = {}
        self._free: list[int] = []
        self._lanes = 0
        self._columns = tuple(array("i") for _ in range(5))

    def step(self, states: list[tuple[str, int, int]]) -> int:
        """Process one instruction; return how many registers it lists."""
        made = []
        for text, use, life in states:
            name = self._names(text)
            phase = self._count_down(name, life)
            made.append((self._lane[name], phase, min(use, 255), name, self._length[name]))
        made.sort()
        for entry in made:
            for column, value in zip(self._columns, entry, strict=True):
                column.append(value)
            if self._left.get(entry[3], 1) <= 0:
                self._release(entry[3])
        return len(made)

    def _count_down(self, name: int, life: int) -> int:
        if name in self._left:
            self._left[name] -= 1
            return END if self._left[name] <= 0 else BETWEEN
        if not self._free:
            heapq.heappush(self._free, self._lanes)
            self._lanes += 1
        self._lane[name] = heapq.heappop(self._free)
        self._left[name], self._length[name] = life - 1, life
        return BEGIN

    def _release(self, name: int) -> None:
        heapq.heappush(self._free, self._lane.pop(name))
        del self._left[name], self._length[name]

    def finished(self, counts: I64, order: I64) -> RegisterLives:
        """The lifetimes, in the order of the rows."""
        walked = [np.array(column, np.int32) for column in self._columns]
        in_walk = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts[order])))
        starts = np.empty(len(counts), np.int64)
        starts[order] = in_walk[:-1]
        first = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
        at = expand(starts, starts + counts)
        lane, phase, use, name, length = (column[at] for column in walked)
        return RegisterLives(
            sealed(first),
            sealed(lane),
            sealed(phase.astype(np.uint8)),
            sealed(use.astype(np.uint8)),
            sealed(name),
            sealed(length),
            self._names.strings() if self._names.ids else Strings.of(()),
            self._lanes,
        )


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
