"""Kernels and collectives of an Ascend capture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.capture.slices import collective_parts, kernel_parts
from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.language import tr
from app.profile.ascend_capture import Collectives, Kernels
from app.profile.profile import Profile


def _kernels(profile: Profile) -> Iterator[Named]:
    yield from _named(profile.kernels)


def _collectives(profile: Profile) -> Iterator[Named]:
    yield from _named(profile.collectives)


def _named(own: Kernels | Collectives | None) -> Iterator[Named]:
    if own is not None:
        yield Named(own.strings, own.name, own.start.astype(np.float64))


def _kernel_traits(profile: Profile) -> list[Trait] | None:
    return _traits(profile, profile.kernels)


def _collective_traits(profile: Profile) -> list[Trait] | None:
    return _traits(profile, profile.collectives)


def _traits(profile: Profile, own: Kernels | Collectives | None) -> list[Trait] | None:
    if own is None or profile.capture is None:
        return None
    return [*texts(own.strings, own.name), *numbers(profile.capture.rank[own.rank], own.start)]


KINDS: Final = (
    KindSpec(
        "kernel",
        tr("kernel"),
        tr("kernels"),
        ("kernels",),
        names=_kernels,
        near=True,
        traits=_kernel_traits,
        parts=kernel_parts,
    ),
    KindSpec(
        "collective",
        tr("communication operation"),
        tr("communication operations"),
        ("collectives", "collective-delays"),
        names=_collectives,
        near=True,
        traits=_collective_traits,
        parts=collective_parts,
    ),
)
