"""Everything in a profile that has a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from app.analysis.ascend.paths import path_names
from app.analysis.matching import matching_texts
from app.profile.arrays import F64, I64, Bool, Integers
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Things of one kind and their names: thing i has text ``ids[i]`` (-1 none; ids None: text i itself).
    ``order``: float64, along which a person steps from one to the next (None: as they lie)."""

    kind: Kind
    what: str
    strings: Strings
    ids: Integers | None = None
    order: F64 | None = None

    def counts(self) -> I64:
        """int64[texts]: how many things bear each text."""
        texts = len(self.strings)
        if self.ids is None:
            return np.ones(texts, np.int64)
        used = self.ids[(self.ids >= 0) & (self.ids < texts)]
        return np.bincount(used, minlength=texts).astype(np.int64)

    def bearing(self, texts: Bool) -> I64:
        """int64: the things that bear one of these texts (bool[texts]), in stepping order."""
        if self.ids is None:
            indices = np.flatnonzero(texts)
        else:
            inside = np.clip(self.ids, 0, max(len(texts) - 1, 0))
            indices = np.flatnonzero(texts[inside] & (self.ids >= 0) & (self.ids < len(texts)))
        if self.order is not None:
            indices = indices[np.argsort(self.order[indices], kind="stable")]
        return indices.astype(np.int64)

    def bearing_one(self, text_id: int) -> I64:
        """int64: the things that bear one text, in stepping order."""
        texts = np.zeros(len(self.strings), np.bool_)
        texts[text_id] = True
        return self.bearing(texts)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """All things of one kind that match: int64 indices in stepping order."""

    kind: Kind
    indices: I64


@dataclass(frozen=True, slots=True)
class Names:
    """One kind of named things: ``title`` is their heading, ``make`` gives their names where the profile has any;
    ``owners``: things of one name are told apart by what they belong to, whose text ids (of the same strings) it
    gives, one a thing."""

    kind: Kind
    title: str
    make: Callable[[Profile], Iterator[Named]]
    owners: Callable[[Profile], Integers] | None = None


def found_everywhere(profile: Profile, text: str) -> list[Found]:
    """Every thing whose name contains ``text``, kind by kind, in stepping order."""
    known = (named for named in names(profile) if text and len(named.strings))
    matched = (Found(named.kind, named.bearing(matching_texts(named.strings, text))) for named in known)
    return [found for found in matched if len(found.indices)]


def names(profile: Profile) -> Iterator[Named]:
    """All names, the shortest lists first."""
    for entry in NAMES:
        yield from entry.make(profile)


def _programs(profile: Profile) -> Iterator[Named]:
    if profile.programs is not None:
        yield Named("program", "program", profile.programs.strings, profile.programs.name)


def _compute_sets(profile: Profile) -> Iterator[Named]:
    if profile.compute_sets is not None:
        yield Named("compute_set", "compute set", profile.compute_sets.names)


def _vertex_types(profile: Profile) -> Iterator[Named]:
    if profile.vertex_types is not None:
        yield Named("vertex_type", "vertex type", profile.vertex_types.names)


def _categories(profile: Profile) -> Iterator[Named]:
    if profile.tile_memory is not None and profile.tile_memory.categories is not None:
        yield Named("category", "memory category", Strings.of(profile.tile_memory.categories.names))


def _live_variables(profile: Profile) -> Iterator[Named]:
    if profile.live_variables is not None:
        own = profile.live_variables
        yield Named("live_variable", "live variable", own.strings, own.name)


def _variables(profile: Profile) -> Iterator[Named]:
    if profile.variables is not None:
        yield Named("variable", "variable", profile.variables.strings, profile.variables.name)


def _anchors(profile: Profile) -> Iterator[Named]:
    if profile.model is not None:
        yield Named("anchor", "anchor", profile.model.strings, profile.model.anchors.name)


def _tensors(profile: Profile) -> Iterator[Named]:
    if profile.model is not None:
        yield Named("tensor", "tensor", profile.model.strings, profile.model.tensors.name)


def _mapped_tensors(profile: Profile) -> Iterator[Named]:
    if profile.tensor_map is not None:
        mapped, tensors = profile.tensor_map, profile.tensor_map.tensors
        yield Named("mapped_tensor", "mapped tensor", mapped.strings, tensors.instruction)
        yield Named("mapped_tensor", "mapped tensor", mapped.strings, tensors.name)


def _blobs(profile: Profile) -> Iterator[Named]:
    if profile.blobs is not None:
        yield Named("blob", "blob", profile.blobs.strings, profile.blobs.name)


def _memory_paths(profile: Profile) -> Iterator[Named]:
    if profile.memory_paths is not None:
        ids, (paths, _, _) = path_names(profile.memory_paths.path)
        yield Named("memory_path", "memory path", paths, ids)


def _roofs(profile: Profile) -> Iterator[Named]:
    if profile.roofline is not None:
        yield Named("roof", "roof", profile.roofline.strings, profile.roofline.bandwidth_name)


def _onchip_blocks(profile: Profile) -> Iterator[Named]:
    if profile.onchip is not None:
        yield Named("onchip_block", "on-chip block", profile.onchip.strings, profile.onchip.blocks.buffer)


def _lanes(profile: Profile) -> Iterator[Named]:
    if profile.timeline is not None:
        yield Named("lane", "lane", profile.timeline.strings, profile.timeline.lanes.thread)


def _processes(profile: Profile) -> Integers:
    """int32[lanes]: the process of each lane."""
    return np.empty(0, np.int32) if profile.timeline is None else profile.timeline.lanes.process


def _slices(profile: Profile) -> Iterator[Named]:
    if profile.timeline is not None:
        slices = profile.timeline.slices
        yield Named("slice", "slice", profile.timeline.strings, slices.name, slices.start)


def _steps(profile: Profile) -> Iterator[Named]:
    if profile.timeline is None and profile.steps is not None:
        yield Named("step", "step", profile.steps.strings, profile.steps.name)


def _instructions(profile: Profile) -> Iterator[Named]:
    if profile.instructions is not None:
        yield Named("instruction", "instruction", profile.instructions.strings, profile.instructions.text)


NAMES: tuple[Names, ...] = (
    Names("program", "Programs", _programs),
    Names("compute_set", "Compute sets", _compute_sets),
    Names("vertex_type", "Vertex types", _vertex_types),
    Names("category", "Memory categories", _categories),
    Names("live_variable", "Live variables", _live_variables),
    Names("variable", "Variables", _variables),
    Names("anchor", "Anchors", _anchors),
    Names("tensor", "Tensors", _tensors),
    Names("mapped_tensor", "Mapped tensors", _mapped_tensors),
    Names("blob", "Blobs", _blobs),
    Names("memory_path", "Memory paths", _memory_paths),
    Names("roof", "Roofs", _roofs),
    Names("onchip_block", "On-chip blocks", _onchip_blocks),
    Names("lane", "Lanes", _lanes, _processes),
    Names("slice", "Slices", _slices),
    Names("step", "Steps", _steps),
    Names("instruction", "Instructions", _instructions),
)
"""What has a name, the shortest lists first."""
