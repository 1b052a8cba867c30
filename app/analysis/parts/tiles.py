"""IPUs and replicas of a Poplar profile as parts of it: the figures of their tiles."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.memory import replicas as replicas_of
from app.analysis.memory import used
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.rows import taken_rows
from app.language import tr
from app.profile.arrays import Integers, sealed
from app.profile.poplar import ExchangeList, TileMemory, Variables
from app.profile.profile import Profile

Section = TypeVar("Section", bound=Struct)


class Stretch(Struct, frozen=True):
    """Tiles ``first`` .. ``first + count - 1`` of ``total``."""

    first: int
    count: int
    total: int

    def cut(self, values: Integers) -> Integers | None:
        """Their columns (the last axis); None of an array that has not one column for each tile."""
        if values.shape[-1] != self.total:
            return None
        part: Integers = values[..., self.first : self.first + self.count]
        return part


def ipus(profile: Profile) -> PartList:
    """The IPUs whose tiles the file has memory of, with the bytes that each uses."""
    about = tr("IPUs of the target, with the bytes used on their tiles.")
    target, memory = profile.target, profile.tile_memory
    own = target.tiles_per_ipu if target is not None else None
    if memory is None or not own or own < 0 or memory.tiles % own:
        return PartList("ipu", (), about)
    values = used(memory)
    parts = []
    for number in range(memory.tiles // own):
        size = None if values is None else float(values[number * own : (number + 1) * own].sum(dtype=np.int64))
        label = tr("IPU {number}", number=number)
        parts.append(ProfilePart("ipu", str(number), label, size, "" if size is None else "B"))
    return PartList("ipu", tuple(parts), about)


def replicas(profile: Profile) -> PartList:
    """The replicas, where cycles were measured on the tiles of all of them; with the sum of these."""
    about = tr("Replicas, with the cycles measured on their tiles. Memory is that of one replica.")
    count, target = replicas_of(profile), profile.target
    cycles = None if profile.measured_cycles is None else profile.measured_cycles.compute_sets
    if count is None or count < 2 or target is None or cycles is None or cycles.shape[-1] != target.tiles:
        return PartList("replica", (), about)
    own = cycles.shape[-1] // count
    parts = []
    for number in range(count):
        total = float(cycles[:, number * own : (number + 1) * own].sum(dtype=np.int64))
        parts.append(ProfilePart("replica", str(number), tr("replica {number}", number=number), total, "cycles"))
    return PartList("replica", tuple(parts), about)


def ipu_sections(profile: Profile, number: int) -> dict[str, Any]:
    """The sections of one IPU."""
    target, memory = profile.target, profile.tile_memory
    if target is None or memory is None or not target.tiles_per_ipu:
        return {}
    own = target.tiles_per_ipu
    tiles = Stretch(number * own, own, memory.tiles)
    few = replace(target, ipus=1, tiles=own, total_bytes=target.bytes_per_ipu, first_tile=tiles.first)
    return {**_sections(profile, tiles), "target": few, "tile_memory": _memory(memory, tiles)}


def replica_sections(profile: Profile, number: int) -> dict[str, Any]:
    """The sections of one replica."""
    count, target = replicas_of(profile), profile.target
    if not count or target is None or not target.tiles:
        return {}
    own = target.tiles // count
    whole = None if target.total_bytes is None else target.total_bytes // count
    tiles = Stretch(number * own, own, target.tiles)
    ipus = None if not target.ipus else target.ipus // count
    few = replace(target, tiles=own, ipus=ipus, total_bytes=whole, first_tile=tiles.first)
    return {**_sections(profile, tiles), "target": few, "tile_memory": profile.tile_memory}


def _sections(profile: Profile, tiles: Stretch) -> dict[str, Any]:
    """What there is of single tiles, and the names that it refers to."""
    sets, cycles, exchanges = profile.compute_sets, profile.measured_cycles, profile.exchanges
    return {
        "vertex_types": profile.vertex_types,
        "programs": None if profile.programs is None else replace(profile.programs, instructions=None),
        "compute_sets": None
        if sets is None
        else replace(
            _cut(sets, tiles, ("cycles", "active_cycles")),
            vertex_counts=None,
            vertex_types=None,
            active_cycles_by_type=None,
        ),
        "measured_cycles": None
        if cycles is None
        else replace(
            _cut(cycles, tiles, ("compute_sets", "external_exchanges", "host_exchanges")), compute_sets_single=None
        ),
        "exchanges": None
        if exchanges is None
        else replace(
            exchanges,
            internal=_exchanges(exchanges.internal, tiles),
            external=_exchanges(exchanges.external, tiles),
            host=_exchanges(exchanges.host, tiles),
        ),
        "compute_set_bytes": _matrices(profile.compute_set_bytes, tiles),
        "vertex_type_bytes": _matrices(profile.vertex_type_bytes, tiles),
        "variables": None if profile.variables is None else _variables(profile.variables, tiles),
    }


def _exchanges(own: ExchangeList | None, tiles: Stretch) -> ExchangeList | None:
    return None if own is None else _cut(own, tiles, ("sent", "received", "cycles", "code"))


def _cut(section: Section, tiles: Stretch, names: tuple[str, ...]) -> Section:
    values = {name: getattr(section, name) for name in names}
    return replace(section, **{name: None if own is None else tiles.cut(own) for name, own in values.items()})


def _matrices(section: Any, tiles: Stretch) -> Any:
    if section is None:
        return None
    cut = {kind: tiles.cut(matrix) for kind, matrix in section.matrices.items()}
    known = {kind: matrix for kind, matrix in cut.items() if matrix is not None}
    return replace(section, matrices=known) if known else None


def _memory(memory: TileMemory, tiles: Stretch) -> TileMemory:
    names = [name for name in memory.__struct_fields__ if isinstance(getattr(memory, name), np.ndarray)]
    categories = memory.categories
    if categories is not None:
        categories = replace(
            categories,
            bytes=_or_all(categories.bytes, tiles),
            totals=_or_all(categories.totals, tiles),
        )
    return replace(_cut(memory, tiles, tuple(names)), tiles=tiles.count, categories=categories)


def _or_all(values: Integers, tiles: Stretch) -> Integers:
    cut = tiles.cut(values)
    return values if cut is None else cut


def _variables(variables: Variables, tiles: Stretch) -> Variables:
    here = (variables.tile >= tiles.first) & (variables.tile < tiles.first + tiles.count)
    rows = np.flatnonzero(here).astype(np.int64)
    part = taken_rows(variables, rows, ("by_tile",))
    number = np.full(len(variables), -1, np.int64)
    number[rows] = np.arange(len(rows))
    order = number[variables.by_tile]
    return replace(part, tile=sealed((part.tile - tiles.first).astype(np.int32)), by_tile=sealed(order[order >= 0]))
