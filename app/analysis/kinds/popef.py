"""Blobs, anchors and tensors of PopEF files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.popef import links
from app.language import tr
from app.profile.profile import Profile


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


KINDS: Final = (
    KindSpec(
        "anchor",
        tr("anchor"),
        tr("anchors"),
        ("anchors",),
        names=_anchors,
        links={"tensor": links.anchor_tensors, "blob": links.anchor_blobs},
        traits=_anchor_traits,
    ),
    KindSpec(
        "tensor",
        tr("tensor"),
        tr("tensors"),
        ("tensors", "feeds"),
        names=_tensors,
        links={"anchor": links.tensor_anchors, "blob": links.tensor_blobs},
        traits=_tensor_traits,
    ),
    KindSpec(
        "blob",
        tr("blob"),
        tr("blobs"),
        ("blobs",),
        names=_blobs,
        links={"tensor": links.blob_tensors, "anchor": links.blob_anchors},
        traits=_blob_traits,
    ),
)
