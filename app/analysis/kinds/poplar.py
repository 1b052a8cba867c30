"""What IPUs run: programs, steps and tiles of Poplar reports, blobs of PopEF files, host events, mapped tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.poplar import parts
from app.analysis.relations import tiles
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


def _anchors(profile: Profile) -> Iterator[Named]:
    if profile.model is not None:
        yield Named(profile.model.strings, profile.model.anchors.name)


def _anchor_traits(profile: Profile) -> list[Trait] | None:
    model = profile.model
    return None if model is None else texts(model.strings, model.anchors.name)


def _tensors(profile: Profile) -> Iterator[Named]:
    if profile.model is not None:
        yield Named(profile.model.strings, profile.model.tensors.name)


def _tensor_traits(profile: Profile) -> list[Trait] | None:
    model = profile.model
    return None if model is None else [*texts(model.strings, model.tensors.name), *numbers(model.tensors.feed)]


def _blobs(profile: Profile) -> Iterator[Named]:
    if profile.blobs is not None:
        yield Named(profile.blobs.strings, profile.blobs.name)


def _blob_traits(profile: Profile) -> list[Trait] | None:
    blobs = profile.blobs
    return None if blobs is None else [*texts(blobs.strings, blobs.name), *numbers(blobs.type)]


def _event_traits(profile: Profile) -> list[Trait] | None:
    events = profile.host_events
    if events is None:
        return None
    return [*texts(events.strings, events.module), *numbers(events.type, events.ordinal, events.time)]


def _report_traits(profile: Profile) -> list[Trait] | None:
    events = profile.host_events
    if events is None:
        return None
    attached = events.attached
    place = attached.event
    return [*texts(events.strings, events.module[place]), *numbers(attached.role, events.time[place])]


def _mapped_tensors(profile: Profile) -> Iterator[Named]:
    if profile.tensor_map is not None:
        mapped, tensors = profile.tensor_map, profile.tensor_map.tensors
        yield Named(mapped.strings, tensors.instruction)
        yield Named(mapped.strings, tensors.name)


def _mapped_tensor_traits(profile: Profile) -> list[Trait] | None:
    mapped = profile.tensor_map
    if mapped is None:
        return None
    tensors = mapped.tensors
    names = texts(mapped.strings, tensors.module, tensors.computation, tensors.instruction, tensors.name)
    return [*names, *numbers(tensors.output)]


KINDS: Final = (
    KindSpec(
        "program",
        tr("program"),
        tr("programs"),
        ("programs",),
        names=_programs,
        count=_program_count,
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
        traits=_vertex_type_traits,
    ),
    KindSpec(
        "exchange",
        tr("exchange"),
        tr("exchanges"),
        ("exchanges",),
        count=_exchange_count,
        traits=_exchange_traits,
        parts=parts.exchange_parts,
    ),
    KindSpec(
        "liveness",
        tr("liveness node"),
        tr("liveness nodes"),
        ("liveness",),
        traits=_liveness_traits,
        parts=parts.liveness_parts,
    ),
    KindSpec(
        "tile",
        tr("tile"),
        tr("tiles"),
        ("tiles", "mapped-tiles"),
        count=tiles,
        parts=parts.tile_parts,
        parts_of_several=True,
    ),
    KindSpec(
        "category",
        tr("memory category"),
        tr("memory categories"),
        ("memory-by-category",),
        names=_categories,
        near=True,
        traits=_category_traits,
    ),
    KindSpec(
        "live_variable",
        tr("live variable"),
        tr("live variables"),
        ("live-variables",),
        names=_live_variables,
        traits=_live_variable_traits,
    ),
    KindSpec(
        "variable",
        plural("variable", "variables", count=1),
        plural("variable", "variables", count=2),
        ("variables",),
        names=_variables,
        near=True,
        traits=_variable_traits,
    ),
    KindSpec(
        "anchor",
        tr("anchor"),
        tr("anchors"),
        ("anchors",),
        names=_anchors,
        traits=_anchor_traits,
    ),
    KindSpec(
        "tensor",
        tr("tensor"),
        tr("tensors"),
        ("tensors", "feeds"),
        names=_tensors,
        traits=_tensor_traits,
    ),
    KindSpec(
        "blob",
        tr("blob"),
        tr("blobs"),
        ("blobs",),
        names=_blobs,
        traits=_blob_traits,
    ),
    KindSpec(
        "mapped_tensor",
        tr("mapped tensor"),
        tr("mapped tensors"),
        ("mapped-tensors",),
        names=_mapped_tensors,
        traits=_mapped_tensor_traits,
    ),
    KindSpec(
        "host_event",
        tr("host event"),
        tr("host events"),
        ("events",),
        traits=_event_traits,
    ),
    KindSpec(
        "report",
        tr("part of an event"),
        tr("parts of events"),
        ("event-reports",),
        traits=_report_traits,
    ),
)
