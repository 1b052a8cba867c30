"""Source lines and instructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.analysis.ascend import links, memory_links
from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.language import tr
from app.profile.profile import Profile


def _line_name(profile: Profile, index: int) -> str:
    """``kernel.cpp:12``."""
    lines = profile.lines
    if lines is None or not 0 <= index < len(lines.line):
        return ""
    path = lines.paths.get(int(lines.file[index])).replace("\\", "/")
    return f"{path.rsplit('/', 1)[-1]}:{int(lines.line[index])}"


def _line_traits(profile: Profile) -> list[Trait] | None:
    lines = profile.lines
    return None if lines is None else [*texts(lines.paths, lines.file), *numbers(lines.line)]


def _instructions(profile: Profile) -> Iterator[Named]:
    if profile.instructions is not None:
        yield Named(profile.instructions.strings, profile.instructions.text)


def _instruction_traits(profile: Profile) -> list[Trait] | None:
    code = profile.instructions
    return None if code is None else [*texts(code.strings, code.text), *numbers(code.address)]


KINDS: Final = (
    KindSpec(
        "line",
        tr("source line"),
        tr("source lines"),
        ("source-lines",),
        title_of=_line_name,
        links={"instruction": links.line_instructions},
        traits=_line_traits,
    ),
    KindSpec(
        "instruction",
        tr("instruction"),
        tr("instructions"),
        ("instructions",),
        names=_instructions,
        searched=False,  # searched together with its address
        links={
            "line": links.instruction_lines,
            "slice": links.instruction_slices,
            "cache_hit": memory_links.instruction_hits,
            "cache_miss": memory_links.instruction_misses,
            "cache_line": memory_links.instruction_cache_lines,
            "access": memory_links.instruction_accesses,
        },
        traits=_instruction_traits,
    ),
)
