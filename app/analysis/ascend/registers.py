"""Which registers are live at each instruction: their lifetimes, from the states that a file stores."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import orjson
from msgspec import Struct

from app.language import plural, tr
from app.profile.arrays import I32, I64, U8, expand, sealed
from app.profile.ascend import Instructions, TypedColumn
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
