"""Tool tips of accesses."""

from __future__ import annotations

import numpy as np

from app.language import plural, tr
from app.profile.ascend import CallStacks, MemoryAccesses
from app.views.memory_accesses.records import block_type_name, operation_name, space_name
from app.views.units import size

MOST_FRAMES = 12


def about(section: MemoryAccesses, row: int, bytes_as: str, others: int = 0) -> str:
    """The tool tip of an access: all its fields in the file, and its call stack."""
    start, length = int(section.address[row]), int(section.size[row])
    shown = size(length, bytes_as)  # type: ignore[arg-type]
    exact = f" ({length:,} B)" if length >= 1024 else ""
    core, kind = int(section.core[row]), block_type_name(int(section.block_type[row]))
    lines: list[str] = [
        tr(
            "Record {record:,}: {operation_name}",
            record=int(section.record[row]),
            operation_name=operation_name(int(section.operation[row])),
        ),
        tr(
            "Address: {start} ({number:,}) to {end}",
            start=f"{start:#x}",
            number=start,
            end=f"{start + length:#x}",
        ),
        tr("Size: {shown}{exact}", shown=shown, exact=exact),
        tr("{space_name} of core {core}, {kind}", space_name=space_name(int(section.space[row])), core=core, kind=kind),
        tr("Program counter: {pc}", pc=f"{int(section.pc[row]):#x}"),
    ]
    if section.stacks is not None:
        lines += frames(section.stacks, int(section.pc[row]))
    if others:
        lines.append(tr("and {others:,} more at this pixel: zoom in to tell them apart", others=others))
    return "\n".join(lines)


def frames(stacks: CallStacks, pc: int) -> list[str]:
    """The call stack of a program counter, innermost first."""
    place = int(np.searchsorted(stacks.pc, np.uint64(pc)))
    if place >= len(stacks.pc) or int(stacks.pc[place]) != pc:
        return [tr("Call stack: not in the file")]
    first, after = int(stacks.first[place]), int(stacks.first[place + 1])
    module = stacks.strings.get(int(stacks.module[place]))
    lines: list[str] = [tr("Call stack{module}:", module=f" ({module})" if module else "")]
    for frame in range(first, min(after, first + MOST_FRAMES)):
        function = stacks.strings.get(int(stacks.function[frame])) or tr("unnamed function")
        file = stacks.strings.get(int(stacks.file[frame]))
        number = int(stacks.line[frame])
        where = tr(" at {file}{number}", file=file, number=f":{number}" if number >= 0 else "") if file else ""
        lines.append(f"  {function}{where}")
    if after - first > MOST_FRAMES:
        lines.append(
            plural(
                "  and {count:,} more frame",
                "  and {count:,} more frames",
                count=after - first - MOST_FRAMES,
            )
        )
    if after == first:
        lines.append(tr("  no frames"))
    return lines
