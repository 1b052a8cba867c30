"""Which things of a profile are those of an earlier reading of the same files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.profile.arrays import I64, Integers
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.profile.strings import Strings

NOBODY: Final = -1
NUMBERED: Final[frozenset[Kind]] = frozenset(("tile", "block", "core", "cache_set"))
"""Kinds whose index is a number of the machine."""


@dataclass(frozen=True, slots=True, eq=False)
class Trait:
    """What things are known by, one value each: ``values`` themselves, or as ids in ``strings`` (negative: none)."""

    values: npt.NDArray[Any]
    strings: Strings | None = None


def same_things(before: Profile, after: Profile, selection: Selection) -> Selection | None:
    """``selection`` of ``before`` in ``after``: what is equal in all traits of its kind, and of several that are, the
    one at the same place among them. What is there no longer is left out; None where nothing is left."""
    if selection.kind in NUMBERED:
        return selection
    chosen = np.asarray(selection.indices, np.int64)
    old, new = _traits(before, selection.kind), _traits(after, selection.kind)
    if not old or not new:
        return None
    chosen = chosen[(chosen >= 0) & (chosen < len(old[0].values))]
    left = matching(old, new, chosen)
    return replace(selection, indices=tuple(left.tolist())) if len(left) else None


def matching(old: Sequence[Trait], new: Sequence[Trait], chosen: I64) -> I64:
    """int64: for each of ``chosen`` (rows of ``old``) its row in ``new``, without those that have none."""
    codes_old, codes_new = np.zeros(len(old[0].values), np.int64), np.zeros(len(new[0].values), np.int64)
    for one, other in zip(old, new, strict=True):
        first, second, count = _coded(one, other, chosen)
        codes_old = _combined(codes_old, first, count)
        codes_new = _combined(codes_new, second, count)
        wanted = np.unique(codes_old[chosen])  # so that the product of many traits never overflows
        codes_old, codes_new = _renumbered(wanted, codes_old), _renumbered(wanted, codes_new)
    rows_old, ordinals = _ordinals(codes_old)
    ordinal_of = np.zeros(len(codes_old), np.int64)
    ordinal_of[rows_old] = ordinals
    rows_new, _ = _ordinals(codes_new)
    ordered, asked = codes_new[rows_new], codes_old[chosen]
    at = np.searchsorted(ordered, asked) + ordinal_of[chosen]
    there = at < np.searchsorted(ordered, asked, side="right")
    left: I64 = rows_new[at[there]]
    return left


def _coded(old: Trait, new: Trait, chosen: I64) -> tuple[I64, I64, int]:
    """Both columns as numbers of the values that chosen things have, NOBODY for any other; how many there are."""
    if old.strings is None or new.strings is None:
        values = np.unique(old.values[chosen])
        return _renumbered(values, old.values), _renumbered(values, new.values), len(values)
    texts = {old.strings.get(int(id_), "") if id_ >= 0 else None for id_ in np.unique(old.values[chosen])}
    return _text_codes(old, texts), _text_codes(new, texts), len(texts)


def _text_codes(trait: Trait, texts: set[str | None]) -> I64:
    assert trait.strings is not None
    of_id = np.full(len(trait.strings) + 1, NOBODY, np.int64)  # the last is for none
    for code, text in enumerate(texts):
        of_id[len(trait.strings) if text is None else trait.strings.find(text)] = code
    ids = trait.values.astype(np.int64)
    inside = (ids >= 0) & (ids < len(trait.strings))
    return of_id[np.where(inside, ids, len(trait.strings))]


def _renumbered(values: npt.NDArray[Any], column: npt.NDArray[Any]) -> I64:
    """Places of the column's values in ``values`` (rising), NOBODY where they are not in it."""
    if not len(values):
        return np.full(len(column), NOBODY, np.int64)
    place = np.minimum(np.searchsorted(values, column), len(values) - 1)
    return np.where(values[place] == column, place, NOBODY).astype(np.int64)


def _combined(first: I64, second: I64, count: int) -> I64:
    return np.where((first < 0) | (second < 0), NOBODY, first * max(count, 1) + second)


def _ordinals(codes: I64) -> tuple[I64, I64]:
    """Rows that have a code, in the order of the codes, and the place of each among those of its code."""
    rows = np.flatnonzero(codes >= 0)
    rows = rows[np.argsort(codes[rows], kind="stable")]
    ordered = codes[rows]
    return rows.astype(np.int64), np.arange(len(rows)) - np.searchsorted(ordered, ordered)


# -- what things of each kind are known by ----------------------------------------------------------------


def _traits(profile: Profile, kind: Kind) -> list[Trait]:
    """None where the profile has nothing of that kind, or nothing is known to tell it by."""
    made = TRAITS[kind](profile) if kind in TRAITS else None
    return [] if made is None else made


def _texts(strings: Strings, *columns: Integers) -> list[Trait]:
    return [Trait(column, strings) for column in columns]


def _numbers(*columns: npt.NDArray[Any]) -> list[Trait]:
    return [Trait(column) for column in columns]


def _all(strings: Strings) -> list[Trait]:
    return [Trait(np.arange(len(strings)), strings)]


def _program(profile: Profile) -> list[Trait] | None:
    programs = profile.programs
    return None if programs is None else _texts(programs.strings, programs.type, programs.name)


def _lane(profile: Profile) -> list[Trait] | None:
    line = profile.timeline
    return None if line is None else _texts(line.strings, line.lanes.process, line.lanes.thread)


def _slice(profile: Profile) -> list[Trait] | None:
    line = profile.timeline
    if line is None:
        return None
    lanes, slices = line.lanes, line.slices
    lane_of_row = np.repeat(np.arange(len(lanes.thread)), np.diff(lanes.first_row))
    lane = np.repeat(lane_of_row, np.diff(slices.first))
    where = _texts(line.strings, lanes.process[lane], lanes.thread[lane], slices.name)
    return [*where, *_numbers(slices.start)]


def _step(profile: Profile) -> list[Trait] | None:
    steps = profile.steps
    return None if steps is None else _texts(steps.strings, steps.type, steps.name)


def _compute_set(profile: Profile) -> list[Trait] | None:
    sets = profile.compute_sets
    if sets is None:
        return None
    ids = np.arange(sets.count)
    return [Trait(np.where(ids < len(sets.names), ids, NOBODY), sets.names)]


def _exchange(profile: Profile) -> list[Trait] | None:
    lists = profile.exchanges
    if lists is None:
        return None
    counts = [0 if one is None else one.count for one in (lists.internal, lists.external, lists.host)]
    return _numbers(np.repeat(np.arange(len(counts)), counts))


def _category(profile: Profile) -> list[Trait] | None:
    memory = profile.tile_memory
    return None if memory is None or memory.categories is None else _all(Strings.of(memory.categories.names))


def _variable(profile: Profile) -> list[Trait] | None:
    found = profile.variables
    return None if found is None else [*_texts(found.strings, found.name), *_numbers(found.number, found.tile)]


def _liveness(profile: Profile) -> list[Trait] | None:
    live = profile.liveness
    return None if live is None else [*_texts(live.strings, live.name), *_numbers(live.depth)]


def _live_variable(profile: Profile) -> list[Trait] | None:
    own = profile.live_variables
    return None if own is None else [*_texts(own.strings, own.name), *_numbers(own.number, own.size)]


def _line(profile: Profile) -> list[Trait] | None:
    lines = profile.lines
    return None if lines is None else [*_texts(lines.paths, lines.file), *_numbers(lines.line)]


def _instruction(profile: Profile) -> list[Trait] | None:
    code = profile.instructions
    return None if code is None else [*_texts(code.strings, code.text), *_numbers(code.address)]


def _memory_path(profile: Profile) -> list[Trait] | None:
    paths = profile.memory_paths
    return None if paths is None else _numbers(paths.blocks.block[paths.entry], paths.path)


def _roof(profile: Profile) -> list[Trait] | None:
    roof = profile.roofline
    if roof is None:
        return None
    return [*_texts(roof.strings, roof.bandwidth_name, roof.compute_name), *_numbers(roof.chart)]


def _cache_line(profile: Profile) -> list[Trait] | None:
    cache = profile.cache
    return None if cache is None or cache.lines is None else _numbers(cache.lines.line)


def _access(profile: Profile) -> list[Trait] | None:
    found = profile.memory_accesses
    if found is None:
        return None
    return _numbers(found.operation, found.core, found.space, found.address, found.size, found.pc)


def _onchip_block(profile: Profile) -> list[Trait] | None:
    memory = profile.onchip
    if memory is None:
        return None
    blocks = memory.blocks
    names = _texts(memory.strings, memory.scopes.name[blocks.scope], blocks.buffer, blocks.source)
    return [*names, *_numbers(blocks.part, blocks.start)]


def _blob(profile: Profile) -> list[Trait] | None:
    blobs = profile.blobs
    return None if blobs is None else [*_texts(blobs.strings, blobs.name), *_numbers(blobs.type)]


def _anchor(profile: Profile) -> list[Trait] | None:
    model = profile.model
    return None if model is None else _texts(model.strings, model.anchors.name)


def _tensor(profile: Profile) -> list[Trait] | None:
    model = profile.model
    return None if model is None else [*_texts(model.strings, model.tensors.name), *_numbers(model.tensors.feed)]


def _host_event(profile: Profile) -> list[Trait] | None:
    events = profile.host_events
    if events is None:
        return None
    return [*_texts(events.strings, events.module), *_numbers(events.type, events.ordinal, events.time)]


def _report(profile: Profile) -> list[Trait] | None:
    events = profile.host_events
    if events is None:
        return None
    attached = events.attached
    place = attached.event
    return [*_texts(events.strings, events.module[place]), *_numbers(attached.role, events.time[place])]


def _mapped_tensor(profile: Profile) -> list[Trait] | None:
    found = profile.tensor_map
    if found is None:
        return None
    tensors = found.tensors
    names = _texts(found.strings, tensors.module, tensors.computation, tensors.instruction, tensors.name)
    return [*names, *_numbers(tensors.output)]


TRAITS: Final[dict[Kind, Callable[[Profile], list[Trait] | None]]] = {
    "program": _program,
    "slice": _slice,
    "step": _step,
    "compute_set": _compute_set,
    "vertex_type": lambda profile: None if profile.vertex_types is None else _all(profile.vertex_types.names),
    "exchange": _exchange,
    "category": _category,
    "variable": _variable,
    "liveness": _liveness,
    "live_variable": _live_variable,
    "lane": _lane,
    "line": _line,
    "instruction": _instruction,
    "memory_path": _memory_path,
    "roof": _roof,
    "cache_line": _cache_line,
    "cache_hit": _cache_line,
    "cache_miss": _cache_line,
    "access": _access,
    "onchip_block": _onchip_block,
    "blob": _blob,
    "anchor": _anchor,
    "tensor": _tensor,
    "host_event": _host_event,
    "report": _report,
    "mapped_tensor": _mapped_tensor,
}
