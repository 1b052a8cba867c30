"""Relations between kinds of things: the steps of a program, the instruction of a slice, the tiles of a compute set.

``RELATIONS`` states each of them once; both directions follow from it. What is chosen may hold any indices: those that
a profile does not have belong to nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.ascend.addresses import Link, by_address, by_ranges, instruction_lines, line_instructions
from app.analysis.capture.slices import collective_slices, kernel_slices
from app.analysis.poplar.graph import descendants, exchange_numbers
from app.analysis.poplar.liveness import lowered_variables, nodes_of_variables, programs_of_nodes
from app.analysis.poplar.numbers import BLOCK_CELLS, blocks
from app.analysis.poplar.tile_amounts import rows_on
from app.analysis.tensor_map import owners, tile_count
from app.analysis.timeline.times import lane_slices, slice_lanes
from app.profile.arrays import I64, Array, Bool, Integers, among, distinct, union
from app.profile.poplar import EXCHANGE_KINDS, TOTAL_BYTES, Programs, Steps
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

NONE: Final = np.empty(0, np.int64)
MOST_AT_ONCE: Final = 100_000
"""Rows of a column that are looked through in some 20 ms."""
MOST_TILES: Final = 512
"""Selections of more tiles than this have nearly all mapped tensors, so that a link says nothing."""
FIRST_COLUMNS: Final = 256

Links: TypeAlias = tuple[Link, Link]
"""A link and its inverse."""


class Relation(Struct, frozen=True, eq=False):
    """``links``: from ``one`` to ``other``, and back (alone: it is not followed back). ``nested``: a chosen program
    stands for all programs below it, too."""

    one: Kind
    other: Kind
    links: Links | tuple[Link]
    nested: bool = False


def translate(profile: Profile, selection: Selection, kind: Kind) -> I64:
    """The things of ``kind`` that belong to ``selection``: int64 indices, empty if nothing links them."""
    indices = np.asarray(selection.indices, np.int64)
    if selection.kind == kind:
        return indices
    hops = route(selection.kind, kind)
    for _, link in hops:
        indices = link(profile, indices)
    return indices if hops else NONE.copy()


def route(start: Kind, end: Kind) -> list[tuple[Kind, Link]]:
    """The shortest chain of links from ``start`` to ``end``, each with the kind that it leads to; empty if there is
    none. The chain to a kind on the way is the beginning of it."""
    came: dict[Kind, list[tuple[Kind, Link]]] = {start: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for kind, link in LINKS.get(here, {}).items():
            if kind not in came:
                came[kind] = [*came[here], (kind, link)]
                queue.append(kind)
    return came.get(end, [])


def direct(profile: Profile, start: Kind, end: Kind, indices: I64) -> I64:
    """The things of ``end`` that are related to ``indices``, without those below chosen programs."""
    return DIRECT[start, end](profile, indices)


def slow(profile: Profile) -> bool:
    """Whether links may take more than some 20 ms: they look through whole columns, or rows of figures per tile."""
    line = profile.timeline
    lengths = [len(part) for part in (profile.steps, profile.programs, profile.variables) if part is not None]
    lengths += [] if line is None else [len(line.slices.start)]
    lengths += [] if profile.kernels is None else [len(profile.kernels)]
    return max(lengths, default=0) > MOST_AT_ONCE or tiles(profile) > MOST_AT_ONCE // 10


def tiles(profile: Profile) -> int:
    """The number of tiles: of the target, and of what is on them."""
    stated = (profile.target.tiles or 0) if profile.target is not None else 0
    listed = profile.tile_memory.tiles if profile.tile_memory is not None else 0
    mapped = tile_count(profile.tensor_map) if profile.tensor_map is not None else 0
    return max(stated, listed, mapped)


def by_column(column: Callable[[Profile], Integers | None]) -> Links:
    """Each thing has at most one other: the one in its row of ``column`` (negative: none)."""

    def onwards(profile: Profile, chosen: I64) -> I64:
        others = column(profile)
        return NONE if others is None else _known(_take(others, chosen))

    def back(profile: Profile, chosen: I64) -> I64:
        others = column(profile)
        return NONE if others is None else _where(among(others, chosen[chosen >= 0]))

    return onwards, back


def by_pairs(pairs: Callable[[Profile], tuple[Integers, Integers] | None]) -> Links:
    """Any with any: two columns of indices."""

    def link(start: int) -> Link:
        def related(profile: Profile, chosen: I64) -> I64:
            columns = pairs(profile)
            return NONE if columns is None else _known(columns[1 - start][among(columns[start], chosen)])

        return related

    return link(0), link(1)


def by_keys(keys: Callable[[Profile], Integers | None], other_keys: Callable[[Profile], Integers | None]) -> Links:
    """Things with the same key: a column of keys for each kind."""

    def link(start: Callable[[Profile], Integers | None], end: Callable[[Profile], Integers | None]) -> Link:
        def related(profile: Profile, chosen: I64) -> I64:
            ours, theirs = start(profile), end(profile)
            return NONE if ours is None or theirs is None else _where(among(theirs, _take(ours, chosen)))

        return related

    return link(keys, other_keys), link(other_keys, keys)


def by_matrices(matrices: Callable[[Profile], Iterable[tuple[int | Integers, Integers | None]]]) -> Links:
    """Rows and columns of matrices with a value above zero where they meet. The rows are numbered from a first number,
    or by a column of numbers."""

    def columns_of(profile: Profile, chosen: I64) -> I64:
        parts = [NONE]
        for numbers, matrix in matrices(profile):
            rows = chosen - numbers if isinstance(numbers, int) else np.flatnonzero(among(numbers, chosen))
            parts += [] if matrix is None else [_columns_above_zero(matrix, rows)]
        return distinct(np.concatenate(parts))

    def rows_of(profile: Profile, chosen: I64) -> I64:
        parts = [NONE]
        for numbers, matrix in matrices(profile):
            rows = NONE if matrix is None else _rows_above_zero(matrix, chosen)
            parts.append(rows + numbers if isinstance(numbers, int) else numbers[rows].astype(np.int64))
        return distinct(np.concatenate(parts))

    return columns_of, rows_of


def through(one: Kind, other: Kind, *middle: Kind) -> Links:
    """Related by way of things of ``middle``."""

    def link(start: Kind, end: Kind) -> Link:
        def related(profile: Profile, chosen: I64) -> I64:
            parts = [direct(profile, kind, end, direct(profile, start, kind, chosen)) for kind in middle]
            return distinct(np.concatenate(parts))

        return related

    return link(one, other), link(other, one)


def _columns_above_zero(matrix: Integers, rows: I64) -> I64:
    rows = rows[(rows >= 0) & (rows < len(matrix))]
    above = np.zeros(matrix.shape[1], np.bool_)
    for part in blocks(len(rows), matrix.shape[1]):
        above |= np.any(matrix[rows[part]] > 0, axis=0)
        if above.all():  # early exit: a whole program usually covers every tile
            break
    return _where(above)


def _rows_above_zero(matrix: Integers, columns: I64) -> I64:
    columns = columns[(columns >= 0) & (columns < matrix.shape[1])]
    left, at = np.arange(len(matrix)), 0
    step = max(1, min(FIRST_COLUMNS, BLOCK_CELLS // max(len(matrix), 1)))
    while len(left) and at < len(columns):
        part = columns[at : at + step]
        whole = len(part) == part[-1] - part[0] + 1 and np.all(np.diff(part) == 1)
        cells = matrix[left, part[0] : part[-1] + 1] if whole else matrix[np.ix_(left, part)]
        left = left[~np.any(cells > 0, axis=1)]  # most rows match in their first columns
        at, step = at + step, max(1, BLOCK_CELLS // max(len(left), 1))
    above = np.ones(len(matrix), np.bool_)
    above[left] = False
    return _where(above)


def _take(column: Integers, indices: Integers) -> Integers:
    return column[indices[(indices >= 0) & (indices < len(column))]]


def _known(indices: Array) -> I64:
    """int64, ascending: the indices without negative ones and duplicates."""
    return distinct(indices[indices >= 0]).astype(np.int64)


def _where(mask: Bool) -> I64:
    return np.flatnonzero(mask).astype(np.int64)


def _column(path: str) -> Callable[[Profile], Any]:
    """The column at ``path`` (``steps.program``); None where the profile lacks a section on the way."""

    def column(profile: Profile) -> Any:
        part: Any = profile
        for name in path.split("."):
            part = None if part is None else getattr(part, name)
        return part

    return column


def _types_of_sets(profile: Profile) -> tuple[Integers, Integers] | None:
    types = None if profile.compute_sets is None else profile.compute_sets.vertex_types
    return None if types is None else (types.owner, types.items)


def _step_records(profile: Profile) -> Integers | None:
    """The step that each slice stands for (timelines of other formats have none)."""
    return None if profile.steps is None or profile.timeline is None else profile.timeline.slices.record


def _exchanges(profile: Profile, of: Programs | Steps | None) -> I64 | None:
    return None if of is None else exchange_numbers(profile, of)


def _programs_of_nodes(profile: Profile) -> I64 | None:
    of_nodes = programs_of_nodes(profile)
    return None if of_nodes is None else of_nodes.program


def _set_matrix(profile: Profile) -> Iterator[tuple[int, Integers | None]]:
    """Bytes of the compute sets on tiles, else cycles that tiles spend in them."""
    sizes, sets, measured = profile.compute_set_bytes, profile.compute_sets, profile.measured_cycles
    if sizes is not None and TOTAL_BYTES in sizes.matrices:
        yield 0, sizes.matrices[TOTAL_BYTES]
    elif sets is not None and sets.cycles is not None:
        yield 0, sets.cycles
    elif measured is not None:
        yield 0, measured.compute_sets


def _vertex_type_matrix(profile: Profile) -> Iterator[tuple[int, Integers | None]]:
    if profile.vertex_type_bytes is not None:
        yield 0, profile.vertex_type_bytes.matrices.get(TOTAL_BYTES)


def _exchange_matrices(profile: Profile) -> Iterator[tuple[int, Integers | None]]:
    """Bytes that tiles send and receive in the exchanges of each kind."""
    exchanges = profile.exchanges
    for kind in EXCHANGE_KINDS if exchanges is not None else ():
        if exchanges is not None and (listed := exchanges.of(kind)) is not None:
            yield exchanges.first(kind), listed.sent
            yield exchanges.first(kind), listed.received


def _category_matrix(profile: Profile) -> Iterator[tuple[Integers, Integers]]:
    """Bytes of the categories, overlapping or not."""
    if profile.tile_memory is not None and profile.tile_memory.categories is not None:
        yield profile.tile_memory.categories.category, profile.tile_memory.categories.bytes


def _tile_variables(profile: Profile, chosen: I64) -> I64:
    return NONE if profile.variables is None else np.sort(rows_on(profile.variables, chosen)[0])


def _tiles_of_tensors(profile: Profile) -> tuple[Integers, Integers] | None:
    """The tiles that hold elements of each mapped tensor."""
    mapped = profile.tensor_map
    return None if mapped is None else (owners(mapped)[mapped.count > 0], mapped.tile[mapped.count > 0])


def _tile_tensors(profile: Profile, tiles: I64) -> I64:
    """The tensors that have elements on the tiles; none for very many tiles."""
    return NONE if len(tiles) > MOST_TILES else by_pairs(_tiles_of_tensors)[1](profile, tiles)


def _same_line(profile: Profile) -> Integers | None:
    """A line and its hits or misses have the same index."""
    lines = None if profile.cache is None else profile.cache.lines
    return None if lines is None else np.arange(len(lines.line))


def _slice_events(profile: Profile, slices: I64) -> I64:
    """The events that the slices represent: for a compilation its begin and its end."""
    events, timeline = profile.host_events, profile.timeline
    if events is None or timeline is None:
        return NONE
    rows = _take(timeline.slices.record, slices)
    return _known(np.concatenate((rows[rows < len(events)], _take(events.begin, rows))))


def _event_slices(profile: Profile, rows: I64) -> I64:
    """The slices that represent these events."""
    events, timeline = profile.host_events, profile.timeline
    if events is None or timeline is None:
        return NONE
    wanted = np.zeros(len(events), np.bool_)
    wanted[rows[(rows >= 0) & (rows < len(events))]] = True
    wanted[np.flatnonzero((events.begin >= 0) & wanted[events.begin])] = True
    return _where(among(timeline.slices.record, np.flatnonzero(wanted)))


def _lanes_of_slices(profile: Profile) -> Integers | None:
    return None if profile.timeline is None else slice_lanes(profile.timeline)


def _lane_slices(profile: Profile, lanes: I64) -> I64:
    return NONE if profile.timeline is None else lane_slices(profile.timeline, lanes)


def _anchor_blobs(profile: Profile, anchors: I64) -> I64:
    """The metadata that describe the anchors, the executables that these name, and the data of the anchors."""
    model = profile.model
    if model is None:
        return NONE
    rows = _take(model.anchors.metadata, anchors)
    named = among(model.executables.name, _take(model.metadata.executable, rows))
    data = direct(profile, "tensor", "blob", direct(profile, "anchor", "tensor", anchors))
    return _known(np.concatenate((_take(model.metadata.blob, rows), model.executables.blob[named], data)))


def _blob_anchors(profile: Profile, blobs: I64) -> I64:
    """Anchors whose data, metadata or executables are among these blobs."""
    model = profile.model
    if model is None:
        return NONE
    names = model.executables.name[among(model.executables.blob, blobs)]
    described = among(model.metadata.blob, blobs) | among(model.metadata.executable, names)
    of_data = direct(profile, "tensor", "anchor", direct(profile, "blob", "tensor", blobs))
    return union(of_data, _where(among(model.anchors.metadata, _where(described))))


RELATIONS: Final = (
    Relation("line", "instruction", (line_instructions, instruction_lines)),
    Relation("slice", "instruction", by_address(_column("timeline.slices.address"))),
    Relation("slice", "host_event", (_slice_events, _event_slices)),
    Relation("slice", "step", by_column(_step_records)),
    Relation("slice", "lane", (by_column(_lanes_of_slices)[0], _lane_slices)),
    Relation("step", "program", by_column(_column("steps.program")), nested=True),
    Relation("step", "compute_set", by_column(_column("steps.compute_set"))),
    Relation("step", "exchange", by_column(lambda profile: _exchanges(profile, profile.steps))),
    Relation("program", "compute_set", by_column(_column("programs.compute_set")), nested=True),
    Relation("program", "exchange", by_column(lambda profile: _exchanges(profile, profile.programs)), nested=True),
    Relation("liveness", "program", by_column(_programs_of_nodes)),
    Relation("compute_set", "vertex_type", by_pairs(_types_of_sets)),
    Relation("variable", "tile", (by_column(_column("variables.tile"))[0], _tile_variables)),
    Relation("category", "tile", by_matrices(_category_matrix)),
    Relation("compute_set", "tile", by_matrices(_set_matrix)),
    Relation("vertex_type", "tile", by_matrices(_vertex_type_matrix)[:1]),
    Relation("exchange", "tile", by_matrices(_exchange_matrices)),
    Relation("program", "tile", through("program", "tile", "compute_set", "exchange"), nested=True),
    Relation("step", "tile", through("step", "tile", "compute_set", "exchange")),
    Relation("mapped_tensor", "tile", (by_pairs(_tiles_of_tensors)[0], _tile_tensors)),
    Relation("live_variable", "liveness", (nodes_of_variables,)),
    Relation("live_variable", "variable", (lowered_variables,)),
    Relation("cache_hit", "instruction", by_ranges(_column("cache.lines.hits"))),
    Relation("cache_miss", "instruction", by_ranges(_column("cache.lines.misses"))),
    Relation("cache_line", "instruction", through("cache_line", "instruction", "cache_hit", "cache_miss")),
    Relation("cache_line", "cache_hit", by_column(_same_line)),
    Relation("cache_line", "cache_miss", by_column(_same_line)),
    Relation("access", "instruction", by_address(_column("memory_accesses.pc"))),
    Relation("anchor", "tensor", by_keys(_column("model.anchors.name"), _column("model.tensors.name"))),
    Relation("tensor", "blob", by_column(_column("model.tensors.blob"))),
    Relation("anchor", "blob", (_anchor_blobs, _blob_anchors)),
    Relation("report", "host_event", by_column(_column("host_events.attached.event"))),
    Relation("kernel", "slice", by_column(kernel_slices)),
    Relation("collective", "slice", by_column(collective_slices)),
)
"""The order decides between routes of equal length."""


def _nested(link: Link) -> Link:
    """The link from programs and all below them."""

    def related(profile: Profile, programs: I64) -> I64:
        return NONE if profile.programs is None else link(profile, descendants(profile.programs, programs))

    return related


DIRECT: Final[dict[tuple[Kind, Kind], Link]] = {}
LINKS: Final[dict[Kind, dict[Kind, Link]]] = {}
"""What leads from each kind to others."""

for relation in RELATIONS:
    for ends, link in zip(
        ((relation.one, relation.other), (relation.other, relation.one)), relation.links, strict=False
    ):
        DIRECT[ends] = link
        nested = relation.nested and ends[0] == "program"
        LINKS.setdefault(ends[0], {})[ends[1]] = _nested(link) if nested else link
