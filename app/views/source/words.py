"""Texts about the selection in the source panel."""

from __future__ import annotations

from app.analysis.kinds import KINDS
from app.analysis.relations import translate
from app.language import labelled, plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection


def about_lines(profile: Profile, selection: Selection, related: int) -> str:
    """``Line 7: 12 related instructions``."""
    lines, count = profile.lines, len(selection.indices)
    known = lines is not None and 0 <= selection.first < len(lines.line)
    number = int(lines.line[selection.first]) if lines is not None and known else -1
    what = tr("Line {number:,}", number=number) if count == 1 and number >= 0 else KINDS["line"].counted(count)
    return plural(
        "{what}: {count:,} related instruction", "{what}: {count:,} related instructions", count=related, what=what
    )


def about_instruction(profile: Profile, selection: Selection) -> str:
    """``Instruction 0x11244000: line 35, 12 slices``; "" for anything but a single instruction."""
    instructions = profile.instructions
    if selection.kind != "instruction" or len(selection.indices) != 1 or instructions is None:
        return ""
    row = selection.first
    if not 0 <= row < len(instructions.address):
        return ""
    parts: list[str] = []
    lines = translate(profile, selection, "line")
    if profile.lines is not None and len(lines):
        numbers = ", ".join(f"{number:,}" for number in sorted(set(profile.lines.line[lines].tolist()))[:3])
        parts.append(
            plural(
                "line {numbers}{part}",
                "lines {numbers}{part}",
                count=len(lines),
                numbers=numbers,
                part=" …" if len(lines) > 3 else "",
            )
        )
    if profile.timeline is not None:
        slices = len(translate(profile, selection, "slice"))
        parts.append(KINDS["slice"].counted(slices) if slices else tr("no slice has this address"))
    address = int(instructions.address[row])
    name = (
        tr("Instruction {address}", address=f"{address:#x}") if address >= 0 else tr("Instruction without an address")
    )
    return labelled(name, ", ".join(parts)) if parts else name
