"""Cores, memories and caches of an Ascend NPU; lanes and slices; source lines and instructions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from app.analysis.ascend.paths import path_names
from app.analysis.ascend.registers import instruction_parts
from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.poplar.parts import slice_parts
from app.language import tr
from app.profile.arrays import Integers
from app.profile.profile import Profile


def _blocks(profile: Profile) -> int:
    return 0 if profile.operator is None else profile.operator.block_dim or 0


def _cores(profile: Profile) -> int:
    return 0 if profile.core_load is None else int(profile.core_load.core.max(initial=-1)) + 1


def _memory_paths(profile: Profile) -> Iterator[Named]:
    if profile.memory_paths is not None:
        ids, (paths, _, _) = path_names(profile.memory_paths.path)
        yield Named(paths, ids)


def _memory_path_traits(profile: Profile) -> list[Trait] | None:
    paths = profile.memory_paths
    return None if paths is None else numbers(paths.blocks.block[paths.entry], paths.path)


def _roofs(profile: Profile) -> Iterator[Named]:
    if profile.roofline is not None:
        yield Named(profile.roofline.strings, profile.roofline.bandwidth_name)


def _roof_traits(profile: Profile) -> list[Trait] | None:
    roof = profile.roofline
    if roof is None:
        return None
    return [*texts(roof.strings, roof.bandwidth_name, roof.compute_name), *numbers(roof.chart)]


def _cache_line_name(side: str, profile: Profile, index: int) -> str:
    """``cache line 138 (hits)``: by the number that the file gives the line, not by its index."""
    lines = profile.cache.lines if profile.cache is not None else None
    if lines is None or not 0 <= index < len(lines.line):
        return ""
    number = int(lines.line[index])
    return (
        tr("cache line {number:,}{side}", number=number, side=side)
        if number >= 0
        else tr("cache line without a number{side}", side=side)
    )


def _cache_line_traits(profile: Profile) -> list[Trait] | None:
    cache = profile.cache
    return None if cache is None or cache.lines is None else numbers(cache.lines.line)


def _cache_sets(profile: Profile) -> int:
    return 0 if profile.cache is None or profile.cache.sets is None else len(profile.cache.sets)


def _access_traits(profile: Profile) -> list[Trait] | None:
    own = profile.memory_accesses
    return None if own is None else numbers(own.operation, own.core, own.space, own.address, own.size, own.pc)


def _onchip_blocks(profile: Profile) -> Iterator[Named]:
    if profile.onchip is not None:
        yield Named(profile.onchip.strings, profile.onchip.blocks.buffer)


def _onchip_block_traits(profile: Profile) -> list[Trait] | None:
    memory = profile.onchip
    if memory is None:
        return None
    blocks = memory.blocks
    names = texts(memory.strings, memory.scopes.name[blocks.scope], blocks.buffer, blocks.source)
    return [*names, *numbers(blocks.part, blocks.start)]


def _lanes(profile: Profile) -> Iterator[Named]:
    if profile.timeline is not None:
        yield Named(profile.timeline.strings, profile.timeline.lanes.thread)


def _processes(profile: Profile) -> Integers:
    """int32[lanes]: the process of each lane."""
    return np.empty(0, np.int32) if profile.timeline is None else profile.timeline.lanes.process


def _lane_traits(profile: Profile) -> list[Trait] | None:
    line = profile.timeline
    return None if line is None else texts(line.strings, line.lanes.process, line.lanes.thread)


def _slices(profile: Profile) -> Iterator[Named]:
    if profile.timeline is not None:
        slices = profile.timeline.slices
        yield Named(profile.timeline.strings, slices.name, slices.start)


def _slice_traits(profile: Profile) -> list[Trait] | None:
    line = profile.timeline
    if line is None:
        return None
    lanes, slices = line.lanes, line.slices
    lane_of_row = np.repeat(np.arange(len(lanes.thread)), np.diff(lanes.first_row))
    lane = np.repeat(lane_of_row, np.diff(slices.first))
    where = texts(line.strings, lanes.process[lane], lanes.thread[lane], slices.name)
    return [*where, *numbers(slices.start)]


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
    KindSpec("block", tr("block"), tr("blocks"), ("block-details", "memory-blocks"), count=_blocks),
    KindSpec("core", tr("core"), tr("cores"), ("core-load",), count=_cores),
    KindSpec(
        "memory_path",
        tr("memory path"),
        tr("memory paths"),
        ("memory-paths",),
        names=_memory_paths,
        traits=_memory_path_traits,
    ),
    KindSpec("roof", tr("roof"), tr("roofs"), ("roofline",), names=_roofs, traits=_roof_traits),
    KindSpec(
        "cache_line",
        tr("cache line"),
        tr("cache lines"),
        ("cache-lines",),
        title_of=partial(_cache_line_name, ""),
        traits=_cache_line_traits,
    ),
    KindSpec(
        "cache_hit",
        tr("cache line (hits)"),
        tr("cache lines (hits)"),
        ("cache-lines",),
        rows_of="cache_line",
        title_of=partial(_cache_line_name, " (hits)"),
        traits=_cache_line_traits,
    ),
    KindSpec(
        "cache_miss",
        tr("cache line (misses)"),
        tr("cache lines (misses)"),
        ("cache-lines",),
        rows_of="cache_line",
        title_of=partial(_cache_line_name, " (misses)"),
        traits=_cache_line_traits,
    ),
    KindSpec("cache_set", tr("cache set"), tr("cache sets"), ("cache-sets",), count=_cache_sets),
    KindSpec(
        "access",
        tr("memory access"),
        tr("memory accesses"),
        ("memory-accesses",),
        traits=_access_traits,
    ),
    KindSpec(
        "onchip_block",
        tr("on-chip block"),
        tr("on-chip blocks"),
        ("onchip-blocks",),
        names=_onchip_blocks,
        traits=_onchip_block_traits,
    ),
    KindSpec(
        "lane",
        tr("lane"),
        tr("lanes"),
        ("lanes",),
        names=_lanes,
        owners=_processes,
        traits=_lane_traits,
    ),
    KindSpec(
        "slice",
        tr("slice"),
        tr("slices"),
        ("slices", "task-blocks"),
        described_by=("step",),
        names=_slices,
        traits=_slice_traits,
        parts=slice_parts,
    ),
    KindSpec(
        "line",
        tr("source line"),
        tr("source lines"),
        ("source-lines",),
        title_of=_line_name,
        traits=_line_traits,
    ),
    KindSpec(
        "instruction",
        tr("instruction"),
        tr("instructions"),
        ("instructions",),
        names=_instructions,
        searched=False,  # searched together with its address
        traits=_instruction_traits,
        parts=instruction_parts,
    ),
)
