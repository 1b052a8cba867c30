"""The kinds of a Poplar report: programs, steps, compute sets, exchanges, tiles, variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.poplar import links, parts, tile_links
from app.analysis.poplar.live_variables import lowered_variables, nodes_of_variables
from app.analysis.tensor_map.links import tile_tensors
from app.analysis.tensor_map.tiles import tile_count
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.strings import Strings


def _programs(profile: Profile) -> Iterator[Named]:
    if profile.programs is not None:
        yield Named(profile.programs.strings, profile.programs.name)


def _program_count(profile: Profile) -> int:
    return len(profile.programs or ())


def _program_traits(profile: Profile) -> list[Trait] | None:
    programs = profile.programs
    return None if programs is None else texts(programs.strings, programs.type, programs.name)


def _steps(profile: Profile) -> Iterator[Named]:
    if profile.timeline is None and profile.steps is not None:  # on a timeline its slices have these names
        yield Named(profile.steps.strings, profile.steps.name)


def _step_count(profile: Profile) -> int:
    return len(profile.steps or ())


def _step_traits(profile: Profile) -> list[Trait] | None:
    steps = profile.steps
    return None if steps is None else texts(steps.strings, steps.type, steps.name)


def _compute_sets(profile: Profile) -> Iterator[Named]:
    if profile.compute_sets is not None:
        yield Named(profile.compute_sets.names)


def _compute_set_count(profile: Profile) -> int:
    return 0 if profile.compute_sets is None else len(profile.compute_sets.names)


def _compute_set_traits(profile: Profile) -> list[Trait] | None:
    sets = profile.compute_sets
    if sets is None:
        return None
    ids = np.arange(sets.count)
    return [Trait(np.where(ids < len(sets.names), ids, -1), sets.names)]


def _vertex_types(profile: Profile) -> Iterator[Named]:
    if profile.vertex_types is not None:
        yield Named(profile.vertex_types.names)


def _vertex_type_count(profile: Profile) -> int:
    return 0 if profile.vertex_types is None else len(profile.vertex_types.names)


def _vertex_type_traits(profile: Profile) -> list[Trait] | None:
    return None if profile.vertex_types is None else _whole(profile.vertex_types.names)


def _exchange_count(profile: Profile) -> int:
    exchanges = profile.exchanges
    lists = () if exchanges is None else (exchanges.internal, exchanges.external, exchanges.host)
    return sum(len(one) for one in lists if one is not None)


def _exchange_traits(profile: Profile) -> list[Trait] | None:
    lists = profile.exchanges
    if lists is None:
        return None
    counts = [0 if one is None else one.count for one in (lists.internal, lists.external, lists.host)]
    return numbers(np.repeat(np.arange(len(counts)), counts))


def _liveness_traits(profile: Profile) -> list[Trait] | None:
    live = profile.liveness
    return None if live is None else [*texts(live.strings, live.name), *numbers(live.depth)]


def _tile_count(profile: Profile) -> int:
    stated = (profile.target.tiles or 0) if profile.target is not None else 0
    listed = profile.tile_memory.tiles if profile.tile_memory is not None else 0
    mapped = tile_count(profile.tensor_map) if profile.tensor_map is not None else 0
    return max(stated, listed, mapped)


def _categories(profile: Profile) -> Iterator[Named]:
    if profile.tile_memory is not None and profile.tile_memory.categories is not None:
        yield Named(Strings.of(profile.tile_memory.categories.names))


def _category_traits(profile: Profile) -> list[Trait] | None:
    memory = profile.tile_memory
    return None if memory is None or memory.categories is None else _whole(Strings.of(memory.categories.names))


def _live_variables(profile: Profile) -> Iterator[Named]:
    if profile.live_variables is not None:
        yield Named(profile.live_variables.strings, profile.live_variables.name)


def _live_variable_traits(profile: Profile) -> list[Trait] | None:
    own = profile.live_variables
    return None if own is None else [*texts(own.strings, own.name), *numbers(own.number, own.size)]


def _variables(profile: Profile) -> Iterator[Named]:
    if profile.variables is not None:
        yield Named(profile.variables.strings, profile.variables.name)


def _variable_traits(profile: Profile) -> list[Trait] | None:
    own = profile.variables
    return None if own is None else [*texts(own.strings, own.name), *numbers(own.number, own.tile)]


def _whole(strings: Strings) -> list[Trait]:
    return [Trait(np.arange(len(strings)), strings)]


KINDS: Final = (
    KindSpec(
        "program",
        tr("program"),
        tr("programs"),
        ("programs",),
        names=_programs,
        count=_program_count,
        links={
            "step": links.program_steps,
            "compute_set": links.program_compute_sets,
            "exchange": links.program_exchanges,
            "liveness": links.program_liveness,
            "tile": tile_links.program_tiles,
        },
        traits=_program_traits,
        parts=parts.program_parts,
    ),
    KindSpec(
        "step",
        tr("step"),
        tr("steps"),
        ("steps",),
        names=_steps,
        count=_step_count,
        links={
            "slice": links.step_slices,
            "program": links.step_programs,
            "compute_set": links.step_compute_sets,
            "exchange": links.step_exchanges,
            "tile": tile_links.step_tiles,
        },
        traits=_step_traits,
        parts=parts.step_parts,
    ),
    KindSpec(
        "compute_set",
        tr("compute set"),
        tr("compute sets"),
        ("compute-sets",),
        names=_compute_sets,
        count=_compute_set_count,
        links={
            "step": links.compute_set_steps,
            "program": links.compute_set_programs,
            "vertex_type": links.compute_set_vertex_types,
            "tile": tile_links.compute_set_tiles,
        },
        traits=_compute_set_traits,
        parts=parts.compute_set_parts,
    ),
    KindSpec(
        "vertex_type",
        tr("vertex type"),
        tr("vertex types"),
        ("vertex-types",),
        names=_vertex_types,
        count=_vertex_type_count,
        links={"compute_set": links.vertex_type_compute_sets, "tile": tile_links.vertex_type_tiles},
        traits=_vertex_type_traits,
    ),
    KindSpec(
        "exchange",
        tr("exchange"),
        tr("exchanges"),
        ("exchanges",),
        count=_exchange_count,
        links={
            "step": links.exchange_steps,
            "program": links.exchange_programs,
            "tile": tile_links.exchange_tiles,
        },
        traits=_exchange_traits,
        parts=parts.exchange_parts,
    ),
    KindSpec(
        "liveness",
        tr("liveness node"),
        tr("liveness nodes"),
        ("liveness",),
        links={"program": links.liveness_programs},
        traits=_liveness_traits,
        parts=parts.liveness_parts,
    ),
    KindSpec(
        "tile",
        tr("tile"),
        tr("tiles"),
        ("tiles", "mapped-tiles"),
        count=_tile_count,
        links={
            "variable": tile_links.tile_variables,
            "category": tile_links.tile_categories,
            "compute_set": tile_links.tile_compute_sets,
            "exchange": tile_links.tile_exchanges,
            "program": tile_links.tile_programs,
            "step": tile_links.tile_steps,
            "mapped_tensor": tile_tensors,
        },
        parts=parts.tile_parts,
        parts_of_several=True,
    ),
    KindSpec(
        "category",
        tr("memory category"),
        tr("memory categories"),
        ("memory-by-category",),
        names=_categories,
        links={"tile": tile_links.category_tiles},
        near=True,
        traits=_category_traits,
    ),
    KindSpec(
        "live_variable",
        tr("live variable"),
        tr("live variables"),
        ("live-variables",),
        names=_live_variables,
        links={"liveness": nodes_of_variables, "variable": lowered_variables},
        traits=_live_variable_traits,
    ),
    KindSpec(
        "variable",
        plural("variable", "variables", count=1),
        plural("variable", "variables", count=2),
        ("variables",),
        names=_variables,
        links={"tile": tile_links.variable_tiles},
        near=True,
        traits=_variable_traits,
    ),
)
