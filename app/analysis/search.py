"""Search over everything in a profile that has a name."""

from __future__ import annotations

from collections.abc import Iterator
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


@dataclass(frozen=True, slots=True)
class Hit:
    """One name that matches, and how many things bear it. ``text_id`` is its id in ``named.strings``."""

    named: Named
    text_id: int
    text: str
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """All things of one kind that match: int64 indices in stepping order."""

    kind: Kind
    indices: I64


class Search:
    """Answers for one profile; counts of names are kept from one question to the next."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._named = [named for named in names(profile) if len(named.strings)]
        self._counts: dict[int, I64] = {}

    def hits(self, text: str, limit: int) -> list[Hit]:
        """Names that contain ``text`` (case aside), at most ``limit`` in all, the kinds taking turns."""
        if not text:
            return []
        by_kind = [self._hits(place, text, limit) for place in range(len(self._named))]
        share = max(1, limit // max(1, sum(bool(found) for found in by_kind)))
        first = [hit for found in by_kind for hit in found[:share]]
        rest = [hit for found in by_kind for hit in found[share:]]
        chosen = {id(hit) for hit in [*first, *rest][:limit]}
        return [hit for found in by_kind for hit in found if id(hit) in chosen]

    def found(self, text: str) -> list[Found]:
        """Every thing whose name contains ``text``."""
        matched = ((named, matching_texts(named.strings, text)) for named in self._named) if text else ()
        return [found for named, texts in matched if len((found := _found(named, texts)).indices)]

    def named_so(self, hit: Hit) -> Found:
        """Every thing that bears the name of ``hit``."""
        texts = np.zeros(len(hit.named.strings), np.bool_)
        texts[hit.text_id] = True
        return _found(hit.named, texts)

    def _hits(self, place: int, text: str, limit: int) -> list[Hit]:
        named, counts = self._named[place], self._count(place)
        matched = np.flatnonzero(matching_texts(named.strings, text) & (counts > 0))
        best = matched[np.argsort(-counts[matched], kind="stable")][:limit]
        return [Hit(named, int(i), named.strings[int(i)], int(counts[i])) for i in best]

    def _count(self, place: int) -> I64:
        """int64[texts]: how many things bear each text."""
        if place not in self._counts:
            named = self._named[place]
            texts = len(named.strings)
            if named.ids is None:
                counts = np.ones(texts, np.int64)
            else:
                used = named.ids[(named.ids >= 0) & (named.ids < texts)]
                counts = np.bincount(used, minlength=texts).astype(np.int64)
            self._counts[place] = counts
        return self._counts[place]


def names(profile: Profile) -> Iterator[Named]:
    """What can be searched for, the shortest lists first."""
    timeline, model = profile.timeline, profile.model
    if profile.programs is not None:
        yield Named("program", "program", profile.programs.strings, profile.programs.name)
    if profile.compute_sets is not None:
        yield Named("compute_set", "compute set", profile.compute_sets.names)
    if profile.vertex_types is not None:
        yield Named("vertex_type", "vertex type", profile.vertex_types.names)
    if model is not None:
        yield Named("anchor", "anchor", model.strings, model.anchors.name)
        yield Named("tensor", "tensor", model.strings, model.tensors.name)
    if profile.tensor_map is not None:
        mapped, tensors = profile.tensor_map, profile.tensor_map.tensors
        yield Named("mapped_tensor", "mapped tensor", mapped.strings, tensors.instruction)
        yield Named("mapped_tensor", "mapped tensor", mapped.strings, tensors.name)
    if profile.blobs is not None:
        yield Named("blob", "blob", profile.blobs.strings, profile.blobs.name)
    yield from _ascend_names(profile)
    if timeline is not None:
        yield Named("lane", "lane", timeline.strings, timeline.lanes.thread)
        yield Named("slice", "slice", timeline.strings, timeline.slices.name, timeline.slices.start)
    elif profile.steps is not None:
        yield Named("step", "step", profile.steps.strings, profile.steps.name)
    if profile.instructions is not None:
        yield Named("instruction", "instruction", profile.instructions.strings, profile.instructions.text)


def _ascend_names(profile: Profile) -> Iterator[Named]:
    """Of the details of an operator, and of on-chip memory."""
    if profile.memory_paths is not None:
        ids, (paths, _, _) = path_names(profile.memory_paths.path)
        yield Named("memory_path", "memory path", paths, ids)
    if profile.roofline is not None:
        yield Named("roof", "roof", profile.roofline.strings, profile.roofline.bandwidth_name)
    if profile.onchip is not None:
        yield Named("onchip_block", "on-chip block", profile.onchip.strings, profile.onchip.blocks.buffer)


def _found(named: Named, texts: Bool) -> Found:
    if named.ids is None:
        indices = np.flatnonzero(texts)
    else:
        inside = np.clip(named.ids, 0, len(texts) - 1)
        indices = np.flatnonzero(texts[inside] & (named.ids >= 0) & (named.ids < len(texts)))
    if named.order is not None:
        indices = indices[np.argsort(named.order[indices], kind="stable")]
    return Found(named.kind, indices.astype(np.int64))
